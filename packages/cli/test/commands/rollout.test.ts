import { describe, expect, test } from 'vitest';
import { run } from '../fake-io.ts';

const deployment = (image: string, sleepSeconds?: number): string => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 1
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - name: web
          image: ${image}
          ports: [{ containerPort: 8080 }]
          readinessProbe: { tcpSocket: { port: 8080 } }
${sleepSeconds === undefined ? '' : `          lifecycle: { preStop: { sleep: { seconds: ${sleepSeconds} } } }\n`}`;

const service = `
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ port: 80, targetPort: 8080 }] }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: web }
---`;

const rollout = (files: Readonly<Record<string, string>>, ...flags: string[]) =>
  run(['rollout', '-f', 'old.yaml', '--change', 'new.yaml', '--seeds', '0', ...flags], { files });

const unsafe = { 'old.yaml': service + deployment('web:1'), 'new.yaml': deployment('web:2') };
const safe = { 'old.yaml': service + deployment('web:1', 10), 'new.yaml': deployment('web:2', 10) };

describe('rollout', () => {
  test('says that a rollout drops requests, when and why, and what prevents it', async () => {
    const { code, stdout, stderr } = await rollout(unsafe);
    expect(code).toBe(1);
    expect(stderr).toBe('hint: The simulation does not read objects of these kinds: ConfigMap.\n');
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^Requests fail in 8 of 8 runs\. The worst is "[a-z ]+"; seconds since the change:$/);
    expect(lines[1]).toMatch(
      /^ {2}\d+\.\d–\d+\.\d s: 1 of 2 endpoints of default\/web still receives connections after closing its listener/,
    );
    expect(lines.slice(-4)).toStrictEqual([
      expect.stringMatching(/^Smallest change that prevents it: a preStop sleep of \d s in Deployment default\/web\.$/),
      expect.stringMatching(/^ {2}spec\.template\.spec\.containers\[\]\.lifecycle\.preStop\.sleep\.seconds: \d$/),
      expect.stringMatching(
        /^With it, no request can fail, whatever the order of events; with less, some order may drop one\. Routes to a pod /,
      ),
      'The running pods need it, too. A rollout that adds it to them may drop requests itself.',
    ]);
  });

  test('says that the template of a Job cannot change', async () => {
    const job = deployment('web:1')
      .replace('apps/v1', 'batch/v1')
      .replace('Deployment', 'Job')
      .replace('replicas: 1', 'parallelism: 2')
      .replace(/ {2}selector: .*\n/, '')
      .replace('      containers', '      restartPolicy: Never\n      containers');
    const { stdout } = await rollout({ 'old.yaml': service + job, 'new.yaml': job.replace('parallelism: 2', 'parallelism: 1') });
    expect(stdout.trimEnd().split('\n').slice(-5)).toStrictEqual([
      expect.stringMatching(/^Smallest change that prevents it: a preStop sleep of \d s in Job default\/web\.$/),
      expect.stringMatching(/^ {2}spec\.template\.spec\.containers\[\]\.lifecycle\.preStop\.sleep\.seconds: \d$/),
      expect.stringMatching(/^With it, \d+ runs drop no request; with less, requests fail\.$/),
      'The running pods need it, too. A rollout that adds it to them may drop requests itself.',
      'The template of a Job cannot change: delete the Job, and create it with the new field.',
    ]);
    const changed = await rollout({ 'old.yaml': service + job, 'new.yaml': job.replace('web:1', 'web:2') });
    expect(changed.code).toBe(2);
    expect(changed.stderr).toMatch(/error: Job\.batch "web" is invalid: spec\.template: .*: field is immutable\n$/);
  });

  test('says that a rollout is safe within the ranges', async () => {
    const { code, stdout } = await rollout(safe);
    expect({ code, stdout }).toStrictEqual({
      code: 0,
      stdout:
        'No request can fail within these ranges, whatever the order of events. Routes to a pod of Service default/web last 4.8 s after its deletion at most ' +
        '(kube-proxy), and its listener closes after 10.0 s at the earliest. ' +
        'Service default/web always has a ready endpoint: Deployment default/web keeps at least 1 ready.\n',
    });
  });

  test('says why there is no proof if no run drops requests', async () => {
    const { code, stdout } = await rollout({ 'old.yaml': service + deployment('web:1', 3), 'new.yaml': deployment('web:2', 3) });
    expect({ code, stdout }).toStrictEqual({
      code: 0,
      stdout:
        'No request fails in 8 runs within these ranges. The runs take each delay at its bounds and at random: they are a search, not a proof. ' +
        'There is no proof, because kube-proxy may route to a pod of Service default/web for 4.8 s after its deletion, and its listener may close after 3.0 s.\n',
    });
  });

  test('lists the changes from the rollout to the first failing request', async () => {
    const { stdout } = await rollout(unsafe, '-o', 'wide', '--no-fix');
    const lines = stdout.split('\n');
    const sequence = lines.slice(lines.indexOf('Why the first requests fail:') + 1).filter((line) => / s {2}/.test(line));
    // The suffixes of names, and the nodes, are random.
    const shown = sequence.map((line) => line.replace(/web-[0-9a-f]{8,10}(-\w{5})?/g, 'web-x').replace(/\bn[123]\b/g, 'n'));
    expect(shown.map((line) => line.replace(/^ {2}\d+\.\d s {2}/, ''))).toStrictEqual([
      'user: updates Deployment default/web: template changed',
      'deployment-controller: creates ReplicaSet default/web-x',
      'replicaset-controller: creates Pod default/web-x',
      'scheduler: updates Pod default/web-x: node n',
      'n: process of default/web-x, container web: started',
      'kubelet/n: updates Pod default/web-x: IP 10.128.1.2, phase Running',
      'n: readiness probe of default/web-x, container web: succeeds',
      'kubelet/n: updates Pod default/web-x: ready',
      'replicaset-controller: updates ReplicaSet default/web-x: availableReplicas unset → 1, readyReplicas unset → 1',
      'deployment-controller: updates ReplicaSet default/web-x: replicas 1 → 0',
      'replicaset-controller: updates Pod default/web-x: terminating',
      'n: process of default/web-x, container web: SIGTERM',
      'n: listener of default/web-x, container web: draining',
    ]);
  });

  test('prints the drops as JSON, without the timeline', async () => {
    const { code, stdout } = await rollout(unsafe, '-o', 'json', '--no-fix');
    const { worst, fix, verdict } = JSON.parse(stdout);
    expect({ code, verdict, fix }).toStrictEqual({ code: 1, verdict: 'drops', fix: undefined });
    expect(Object.keys(worst).sort()).toStrictEqual(['drops', 'name', 'sentences', 'since', 'unfinished']);
    expect(worst.drops[0]).toMatchObject({ kind: 'closed', service: 'default/web' });
  });

  test('prints a page', async () => {
    const { code, stdout } = await rollout(unsafe, '-o', 'html', '--no-fix');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^<!doctype html>\n.*<title>Simulated rollout: Deployment default\/web<\/title>.*<\/html>\n$/s);
    expect(stdout).toContain('<p class="source">old.yaml · new.yaml</p>');
    expect(stdout).not.toContain('How to fix it');
  });

  test('prints a page with the smallest change that prevents failing requests', async () => {
    const { stdout } = await rollout(unsafe, '-o', 'html');
    expect(stdout).toMatch(/<h2 id="fix-title">How to fix it<\/h2><div><p>Smallest change that prevents it: a preStop sleep of \d s/);
  });

  test('reads ranges from a file', async () => {
    const ranges = JSON.stringify({ ranges: { listenerClosing: { min: 20_000, max: 20_000 } } });
    expect((await rollout({ ...unsafe, 'ranges.json': ranges }, '--ranges', 'ranges.json')).code).toBe(0);
  });

  test.each([
    ['{"ranges": {"watch": {"min": 5}}}', 'ranges.watch: give min and max in milliseconds, such as {"min": 0, "max": 500}'],
    ['{"seeds": 1000000000}', '--ranges ranges.json: seeds is unknown: give clients, ranges, network, application'],
    ['[]', '--ranges ranges.json: give a JSON object such as {"ranges": {"watch": {"min": 1, "max": 50}}}'],
  ])('rejects the ranges %s', async (text, message) => {
    const { code, stderr } = await rollout({ ...unsafe, 'ranges.json': text }, '--ranges', 'ranges.json');
    expect({ code, message: stderr.split('\n').at(-2) }).toStrictEqual({ code: 2, message: `error: ${message}` });
  });

  test('requires -f and --change', async () => {
    expect((await run(['rollout', '--change', 'new.yaml'], { files: unsafe })).stderr).toContain("required option '-f, --filename <FILE>'");
    expect((await run(['rollout', '-f', 'old.yaml'], { files: unsafe })).stderr).toContain("required option '--change <FILE>'");
  });
});

describe('drain', () => {
  const drain = (files: Readonly<Record<string, string>>, node: string, ...flags: string[]) =>
    run(['drain', '-f', 'old.yaml', '--seeds', '0', '--no-fix', '--node', node, ...flags], { files });

  test('says that a drain drops requests', async () => {
    const { code, stdout } = await drain(unsafe, 'n1');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Requests fail in \d of 8 runs\. The worst is /);
  });

  test('prints a page', async () => {
    const { code, stdout } = await drain(unsafe, 'n1', '-o', 'html');
    expect(code).toBe(1);
    expect(stdout).toContain('<title>Simulated drain: Node n1</title>');
  });

  test('names the nodes if one does not exist', async () => {
    const { code, stderr } = await drain(unsafe, 'n9');
    expect(code).toBe(2);
    expect(stderr).toContain('error: nodes: there is no node "n9": give n1, n2, n3\n');
  });
});
