import { describe, expect, test } from 'vitest';
import { readMarkdown } from '../../../../test/support/markdown.ts';
import { readTextFile } from '../../../../test/support/repository.ts';
import { run } from '../fake-io.ts';

const web = `
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ port: 80, targetPort: 8080 }] }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - name: web
          image: web:1
          ports: [{ containerPort: 8080 }]
          readinessProbe: { tcpSocket: { port: 8080 } }
          lifecycle: { preStop: { sleep: { seconds: 10 } } }
`;

const files = { 'shop/web.yaml': web, 'shop/new.yaml': web.replace('web:1', 'web:2') };

const simulate = (scenario: string, ...flags: string[]) =>
  run(['simulate', '--scenario', 'shop/scenario.yaml', '--seeds', '0', '--no-fix', ...flags], {
    files: { ...files, 'shop/scenario.yaml': scenario },
  });

const stopped = '[{ to: 1m, stopController: { name: endpointslice-controller } }]';
const rule = '{ name: all, action: { keepOut: {} } }';

describe('simulate', () => {
  test('runs a scenario whose files are relative to it, and lists its steps', async () => {
    const { code, stdout, stderr } = await simulate('objects: [web.yaml]\nsteps: [{ at: 5s, apply: new.yaml }]');
    expect({ code, stdout, stderr }).toStrictEqual({
      code: 0,
      stdout:
        'No request can fail within these ranges, whatever the order of events. Routes to a pod of Service default/web last 4.8 s after its deletion at most ' +
        '(kube-proxy), and its listener closes after 10.0 s at the earliest. ' +
        'Service default/web always has a ready endpoint: Deployment default/web keeps at least 2 ready.\n' +
        'Steps, in seconds since the start:\n' +
        '  5.0 s: apply Service default/web, Deployment default/web\n',
      stderr: '',
    });
  });

  test('says when requests fail, and why', async () => {
    const { code, stdout } = await simulate(`objects: web.yaml\nsteps: [{ at: 5s, apply: new.yaml }]\nfaults: ${stopped}`);
    expect(code).toBe(1);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^Requests fail in 8 of 8 runs\. The worst is "[a-z ]+"; seconds since the start:$/);
    expect(lines[1]).toMatch(
      /^ {2}\d+\.\d–\d+\.\d s: 2 of 2 endpoints of default\/web still receive connections after closing their listener/,
    );
    expect(lines.slice(2)).toStrictEqual([
      'Steps, in seconds since the start:',
      '  0.0 s: endpointslice-controller is down',
      '  5.0 s: apply Service default/web, Deployment default/web',
      '  60.0 s: endpointslice-controller starts',
    ]);
  });

  test('reads JSON, objects of -f, rules and --ranges, and prints JSON', async () => {
    const scenario = JSON.stringify({ rules: [{ from: '10s', to: '20s', rule: { name: 'all', action: { keepOut: {} } } }] });
    const flags = ['-f', 'shop/web.yaml', '-o', 'json', '--ranges', 'ranges.json', '--no-fix', '--seeds', '1'];
    const ranges = JSON.stringify({ clients: { components: ['kube-proxy/n1'] } });
    const { code, stdout } = await run(['simulate', '--scenario', 'scenario.json', ...flags], {
      files: { ...files, 'scenario.json': scenario, 'ranges.json': ranges },
    });
    const { verdict, steps, worst, runs } = JSON.parse(stdout);
    expect({ code, verdict, steps, runs: runs.length }).toStrictEqual({
      code: 1,
      verdict: 'drops',
      steps: [
        { at: 10_000, summary: 'the rule all is in force' },
        { at: 20_000, summary: 'the rule all ends' },
      ],
      runs: 9,
    });
    expect(worst.drops).toMatchObject([{ kind: 'noEndpoints', actors: ['kube-proxy/n1'] }]);
  });

  test.each([
    ['objects: [no.yaml]', 'shop/scenario.yaml: objects: shop/no.yaml: there is no such file or directory'],
    ['steps: [{ at: 1s, apply: [no.yaml] }]', 'shop/scenario.yaml: steps[0].apply: shop/no.yaml: there is no such file or directory'],
    ['objects: [{ metadata: { name: a } }]', 'shop/scenario.yaml: objects[0]: give a file, or an object with kind and metadata.name'],
    ['objects: [1]', 'shop/scenario.yaml: objects[0]: give a file, or an object with kind and metadata.name'],
    ['- 1', 'shop/scenario.yaml: give a map with objects and steps'],
    ['a: 1\n---\nb: 2', 'shop/scenario.yaml: give one document with objects and steps'],
    ['', 'shop/scenario.yaml: give one document with objects and steps'],
    ['searchesFix: true', 'shop/scenario.yaml: searchesFix is unknown: leave it out'],
    ['a: [', 'shop/scenario.yaml, line 1: not YAML: did not find expected node content'],
    [
      'objects: web.yaml\nsteps: [{ at: 1, drain: n1 }]',
      'shop/scenario.yaml: steps[0].at: give a time such as 30s or 1m30s, of at most 6h',
    ],
    ['objects: web.yaml\nsteps: [{ at: 1s, drain: n9 }]', 'shop/scenario.yaml: steps[0].drain: there is no node "n9": give n1, n2, n3'],
    ['objects: web.yaml\nfault: []', /^shop\/scenario\.yaml: fault is unknown: give .*, steps, /],
    [`objects: web.yaml\nrules: [{ rule: ${rule.replace('{}', '1')} }]`, /^shop\/scenario\.yaml: rules\[0\]\.rule\.action\.keepOut: /],
  ])('%j is rejected', async (scenario, message) => {
    const { code, stderr } = await simulate(scenario);
    const expected = typeof message === 'string' ? message : expect.stringMatching(message);
    expect({ code, message: stderr.trimEnd().replace(/^error: /, '') }).toStrictEqual({ code: 2, message: expected });
  });

  test('escapes characters that would control a terminal', async () => {
    const { stdout } = await simulate(
      'objects: web.yaml\nsteps: [{ at: 0, setImage: { kind: Deployment, name: web, image: "web\\e[31m" } }]',
    );
    expect(stdout).toContain('to web\\u001b[31m\n');
  });

  test('requires --scenario', async () => {
    expect((await run(['simulate'])).stderr).toContain("required option '--scenario <FILE>' not specified");
    expect((await run(['simulate', '--scenario', 'no.yaml'])).stderr).toBe(
      'error: --scenario no.yaml: there is no such file or directory\n',
    );
  });
});

describe('drained hosts that return', () => {
  const example = (name: string): string => readTextFile(`examples/simulate/${name}`);
  const reconnect = 'faults: [{ from: 5s, to: 10s, reconnectWatch: { component: load-balancers } }]\n';

  test.each([
    ['incident.yaml', '', /^Requests fail in \d of 12 runs\..*\n.*: 2 of \d endpoints of default\/web still receive .*\(up to \d0%/],
    ['incident.yaml', reconnect, /^Requests fail in 12 of 12 runs\./],
    ['incident-with-rule.yaml', '', /^No request fails in 12 runs/],
    ['incident-with-rule.yaml', reconnect, /^No request fails in 12 runs/],
  ])('%s with "%s"', async (name, faults, expected) => {
    const files = { 'scenario.yaml': example(name) + faults, 'objects.yaml': example('objects.yaml') };
    const { code, stdout } = await run(['simulate', '--scenario', 'scenario.yaml', '--no-fix'], { files });
    expect(stdout).toMatch(expected);
    expect(code).toBe(stdout.startsWith('Requests fail') ? 1 : 0);
  });

  test('a rule that keeps the batch out is found, and described after the fix of the pods', async () => {
    const files = { 'scenario.yaml': example('incident.yaml'), 'objects.yaml': example('objects.yaml') };
    const { stdout } = await run(['simulate', '--scenario', 'scenario.yaml'], { files });
    expect(stdout.split('\n').slice(-5)).toStrictEqual([
      'The running pods need it, too. A rollout that adds it to them may drop requests itself.',
      'Without a change of pods, override rules prevent it:',
      '  {"from":"0s","to":"120s","rule":{"name":"keep-out-1","addresses":{"pods":["web-0","web-1","web-2"]},"action":{"keepOut":{}}}}',
      'With them, 12 runs drop no request. The cluster needs the webhook of override rules.',
      '',
    ]);
  });

  test('a rule that is not enough is not proposed', async () => {
    const scenario = example('incident.yaml').replace('at: 2m\n', 'at: 31s\n');
    const files = { 'scenario.yaml': scenario, 'objects.yaml': example('objects.yaml') };
    const { stdout } = await run(['simulate', '--scenario', 'scenario.yaml', '-o', 'json'], { files });
    const { verdict, ruleFix } = JSON.parse(stdout) as { readonly verdict: string; readonly ruleFix?: object };
    expect({ verdict, ruleFix }).toStrictEqual({ verdict: 'drops', ruleFix: undefined });
  });
});

test('the page shows the scenarios of examples/', () => {
  const text = readMarkdown(readTextFile('docs/cookbook/simulate.md'))
    .blocks.map((block) => block.text)
    .join('\n');
  for (const name of ['stalled-proxy', 'incident']) expect(text).toContain(readTextFile(`examples/simulate/${name}.yaml`));
  const rules = /^rules:\n(?: .*\n)+/m.exec(readTextFile('examples/simulate/incident-with-rule.yaml'))?.[0] ?? '';
  expect(text).toContain(rules);
});
