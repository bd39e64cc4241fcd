import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type ApiServer, createApiServer } from '@kube-endpoints/apiserver';
import { resources } from 'kube-endpoints/port';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeFolder } from '../../../../test/support/temporary.ts';
import { type FakeEnvironment, run, runLine } from '../fake-io.ts';

const shop = `apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: 8080}]}
---
apiVersion: v1
kind: Pod
metadata: {name: web-1, namespace: shop, labels: {app: web}}
spec: {nodeName: node-1, containers: [{name: web, image: "web:1"}]}
status: {phase: Running, podIP: 10.0.0.7, podIPs: [{ip: 10.0.0.7}], conditions: [{type: Ready, status: "True"}]}
`;
const node = `---
apiVersion: v1
kind: Node
metadata: {name: node-1}
`;

/** Never stopped by a signal, so the command has to end by itself. */
const environment: FakeEnvironment = {
  files: { 'shop.yaml': shop + node, 'pods.yaml': shop },
  untilStopped: () => new Promise(() => undefined),
};

const expectedTable = `NAMESPACE   OBJECT                     ACTION    ENDPOINTS
shop        endpoints/web              created   10.0.0.7:8080
shop        endpointslices/web-NAME    created   10.0.0.7

2 created, 0 updated, 0 deleted.
`;
const withoutSliceSuffix = (text: string): string => text.replaceAll(/\bweb-[a-z0-9]{5}\b/g, 'web-NAME ');

describe('run --once on the embedded API server', () => {
  test('prints what the controllers wrote, the same each time', async () => {
    const first = await runLine('run -f shop.yaml --once', environment);
    expect({ ...first, stdout: withoutSliceSuffix(first.stdout) }).toEqual({ code: 0, stdout: expectedTable, stderr: '' });
    expect(await runLine('run -f shop.yaml --once', environment)).toEqual(first);
  });

  test('prints data of one controller with -o json', async () => {
    const { stdout, code } = await runLine('run -f shop.yaml --once --controllers endpointslices -o json', environment);
    const { items } = JSON.parse(stdout) as { items: { action: string; object: { kind: string; endpoints: unknown } }[] };
    expect(code).toBe(0);
    expect(items).toMatchObject([
      { action: 'created', resource: 'endpointslices', object: { kind: 'EndpointSlice', endpoints: [{ addresses: ['10.0.0.7'] }] } },
    ]);
  });

  test('prints planned writes with --dry-run', async () => {
    const { stdout, stderr, code } = await runLine('run -f shop.yaml --once --dry-run', environment);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('endpointslices/web-*   created (dry run)');
    expect(stdout).toContain('Dry run, nothing was written; planned: 2 created, 0 updated, 0 deleted.');
  });

  test('marks the data of a dry run', async () => {
    const { stdout } = await runLine('run -f shop.yaml --once --dry-run --controllers endpoints -o json', environment);
    expect(JSON.parse(stdout)).toMatchObject({ dryRun: true, items: [{ action: 'created', resource: 'endpoints' }] });
    const { stdout: real } = await runLine('run -f shop.yaml --once --controllers endpoints -o json', environment);
    expect(JSON.parse(real)).not.toHaveProperty('dryRun');
  });

  test('exits with 2 if it is stopped before it is done', async () => {
    const { code, stdout, stderr } = await runLine('run -f shop.yaml --once', { ...environment, untilStopped: async () => undefined });
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'error: stopped before all work was done\n' });
    expect(stdout).toBe('');
  });

  test('is limited to the namespace of -n', async () => {
    const { stdout } = await runLine('run -f shop.yaml --once -n other', environment);
    expect(stdout).toBe('0 created, 0 updated, 0 deleted.\n');
  });

  test('creates the nodes of pods if the input holds none', async () => {
    const { stdout, stderr } = await runLine('run -f pods.yaml --once', environment);
    expect(stderr).toBe('hint: The input has no Nodes: created 1 Node without a zone from the node names of pods.\n');
    expect(withoutSliceSuffix(stdout)).toBe(expectedTable);
  });

  test('leaves a terminating pod out of Endpoints, but not out of its slice', async () => {
    const terminating = shop.replace('labels:', 'deletionTimestamp: "2026-01-31T12:00:00Z", deletionGracePeriodSeconds: 600, labels:');
    const { stdout } = await runLine('run -f a.yaml --once', { ...environment, files: { 'a.yaml': terminating + node } });
    expect(stdout).toMatch(/endpoints\/web +created +<none>\n/);
    expect(stdout).toMatch(/endpointslices\/web-\w+ +created +10\.0\.0\.7\n/);
  });

  test('reports a failing Service and exits with 2', async () => {
    const manifestWithoutNode = `${shop + node.replace('node-1', 'node-2')}`;
    const { code, stderr } = await runLine('run -f a.yaml --once --controllers endpointslices', {
      ...environment,
      files: { 'a.yaml': manifestWithoutNode },
    });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: endpointslices of shop\/web: .*node-1.*\n$/);
  });

  test('shows progress in one line on a terminal and clears it at the end', async () => {
    const { stderr } = await runLine('run -f shop.yaml --once', { ...environment, terminalColumns: 100 });
    expect(stderr).toContain('\r\u001b[Kcaches 5 of 5, 0 queued, ');
    expect(stderr.endsWith('\r\u001b[K')).toBe(true);
    expect(stderr).not.toContain('\n');
  });
});

describe('run', () => {
  test('serves the API, runs the controllers, and shuts down gracefully', async () => {
    const { code, stdout, stderr } = await runLine('run -f shop.yaml --port 0', { ...environment, untilStopped: async () => undefined });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Kubernetes API at https:\/\/127\.0\.0\.1:\d+, 3 objects loaded\. Ctrl-C ends it\.\ncurl /);
    const lines = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { msg: string });
    expect(lines.map(({ msg }) => msg)).toEqual(expect.arrayContaining(['stopping after the work in progress', 'stopped']));
  });

  test('serves health and metrics', async () => {
    const port = await freePort();
    let metrics = '';
    const untilStopped = async (): Promise<void> => {
      const url = `http://127.0.0.1:${port}`;
      while ((await fetch(`${url}/readyz`)).status !== 200);
      metrics = await (await fetch(`${url}/metrics`)).text();
    };
    const { code } = await runLine(`run -f shop.yaml --port 0 --metrics-port ${port} --workers 3`, { ...environment, untilStopped });
    expect(code).toBe(0);
    expect(metrics).toContain('controller_runtime_max_concurrent_reconciles{controller="endpoints"} 3');
    expect(metrics).toContain('kube_endpoints_cache_objects{resource="pods"} 1');
    expect(metrics).toContain('kube_endpoints_build_info{version="9.8.7",release="1.37"} 1');
  });

  test.each([
    ['', 0],
    [' --kube-api-qps 1000', 1],
    [' --kube-api-burst 1000', 1],
  ])('limits its requests, and has metrics of that, only if asked to: "%s"', async (flags, expected) => {
    const port = await freePort();
    let metrics = '';
    const untilStopped = async (): Promise<void> => {
      while ((await fetch(`http://127.0.0.1:${port}/readyz`)).status !== 200);
      metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    };
    const { code } = await runLine(`run -f shop.yaml --port 0 --metrics-port ${port}${flags}`, { ...environment, untilStopped });
    expect(code).toBe(0);
    const counted = /^rest_client_rate_limiter_duration_seconds_count\{verb="GET",host="embedded"\} [1-9]/gm;
    expect(metrics.match(counted)?.length ?? 0).toBe(expected);
    expect(metrics.match(/^endpoint_controller_rate_limiter_use 0/gm)?.length ?? 0).toBe(expected);
  });

  test.each([
    ['without a cluster', {}, ''],
    [
      'although KUBECONFIG names a cluster',
      { KUBECONFIG: '/no/such' },
      'hint: --port selects the embedded API server, and KUBECONFIG is not used.\n',
    ],
    [
      'although it runs in a pod',
      { KUBERNETES_SERVICE_HOST: '10.0.0.1' },
      'hint: --port selects the embedded API server, and the cluster of this pod is not used.\n',
    ],
  ])('starts an empty API server for a flag of it, %s', async (_, env, hint) => {
    const { code, stdout, stderr } = await runLine('run --port 0 --log-level error', { env });
    expect({ code, stderr }).toStrictEqual({ code: 0, stderr: hint });
    expect(stdout).toMatch(/^Kubernetes API at https:\/\/127\.0\.0\.1:\d+, 0 objects loaded\. Ctrl-C ends it\.\n/);
  });

  test.each<[string, string, Readonly<Record<string, string>>, RegExp]>([
    [
      'both -f and a kubeconfig',
      '-f shop.yaml --kubeconfig k',
      {},
      /^error: -f is for the embedded API server, --kubeconfig and --context/,
    ],
    ['an invalid kubeconfig', '--kubeconfig /no/such', {}, /^error: the kubeconfig \/no\/such does not exist\n$/],
    [
      'a KUBECONFIG that does not exist',
      '',
      { KUBECONFIG: '/no/such' },
      /^error: no cluster found: none of the files in KUBECONFIG exists/,
    ],
    ['an invalid file', '-f no.yaml --once', {}, /^error: no\.yaml: there is no such file or directory\n$/],
    [
      'an unknown controller',
      '--controllers pods',
      {},
      /give endpoints, endpointslices, endpointslicemirroring, service-lb, or several of them separated by commas\n$/,
    ],
    [
      'EndpointSlices before release 1.21',
      '--once --controllers endpointslices --release 1.20',
      {},
      /^error: --controllers: version 1\.20/,
    ],
    ['no workers', '--workers 0', {}, /give a whole number from 1 to 999\n$/],
    [
      'both leader election and shards',
      '--leader-elect --shards a',
      {},
      /^error: --leader-elect and --shards exclude each other: give one of them\n$/,
    ],
    [
      'a lease duration below the renew deadline',
      '--leader-elect --leader-elect-lease-duration 5s',
      {},
      /^error: --leader-elect-lease-duration is 5s: make it longer than --leader-elect-renew-deadline \(10s\)/,
    ],
    ['an invalid duration', '--batch-period 5', {}, /give a duration/],
    [
      'an unavailable metrics address',
      '--once --metrics-port 1 --metrics-host 192.0.2.1',
      {},
      /^error: cannot listen at 192\.0\.2\.1, port 1: .*--metrics-host\n$/,
    ],
  ])('reports %s in one line', async (_, flags, env, message) => {
    const { code, stdout, stderr } = await run(['run', ...flags.split(' ').filter(Boolean)], { ...environment, env });
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});

describe('the cluster of a kubeconfig', () => {
  let server: ApiServer;
  const kubeconfig = join(makeFolder(), 'kubeconfig');
  beforeAll(async () => {
    server = await createApiServer();
    await (await server.listen()).writeKubeconfig(kubeconfig);
    await server.load([
      { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1' } },
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'web', namespace: 'shop' },
        spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
      },
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'web-1', namespace: 'shop', labels: { app: 'web' } },
        spec: { nodeName: 'node-1', containers: [{ name: 'web', image: 'web:1' }] },
        status: { phase: 'Running', podIP: '10.0.0.7', podIPs: [{ ip: '10.0.0.7' }], conditions: [{ type: 'Ready', status: 'True' }] },
      },
    ]);
  });
  afterAll(() => server.close());
  const runLive = (line: string, overrides: FakeEnvironment = {}) =>
    run([...line.split(' '), '--kubeconfig', kubeconfig], { ...environment, ...overrides });

  test('is compared by diff', async () => {
    const { code, stdout, stderr } = await runLive('diff -n shop --release 1.37');
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toContain('ENDPOINTS shop/web  (Kubernetes 1.37)   missing: there are no Endpoints for it');
    expect(stdout).toContain('ENDPOINTSLICES shop/web  (Kubernetes 1.37)   missing: 1 to create');
  });

  test('is read by compute and explain', async () => {
    expect(await runLive('compute -n shop --release 1.37')).toEqual({
      code: 0,
      stdout: 'NAME   ENDPOINTS\nweb    10.0.0.7:80\n',
      stderr: '',
    });
    expect((await runLive('explain -n shop web')).stdout).toMatch(
      /^SERVICE shop\/web {2}broken: 1 ready {2}\(Kubernetes 1\.36\.3\)\n {2}Cause: {4}SlicesOutOfDate: .*they lack 1 ready pod \(web-1\)\n/,
    );
    expect((await runLive('compute web')).stderr).toContain('services "web" not found in namespace "default"');
    expect((await runLive('compute -A')).stdout).toContain('shop        web');
  });

  test('is reconciled by run, which holds the Lease until it ends', async () => {
    const lease = { namespace: 'kube-system', name: 'kube-endpoints' };
    const getHolder = async (): Promise<unknown> =>
      ((await server.client.get(resources.leases, lease)).spec as { holderIdentity: string }).holderIdentity;
    let holder: unknown;
    const untilStopped = async (): Promise<void> => {
      while ((await runLive('diff -n shop')).code !== 0);
      holder = await getHolder();
    };
    expect((await runLive('run --leader-elect --identity me -n shop', { untilStopped })).code).toBe(0);
    expect([holder, await getHolder()]).toEqual(['me', '']);
    expect((await runLive('run --once -n shop')).stdout).toBe('0 created, 0 updated, 0 deleted.\n');
    expect((await runLive('explain -n shop web')).stdout).toMatch(/^SERVICE shop\/web {2}ok: 1 ready {2}\(Kubernetes 1\.36\.3\)\n/);
  });

  test('is found through KUBECONFIG', async () => {
    const env = { KUBECONFIG: kubeconfig };
    expect((await run(['run', '--once'], { ...environment, env })).stdout).toContain('0 created');
    expect((await run(['compute', '-n', 'shop'], { ...environment, env })).stdout).toContain('web    10.0.0.7:80');
    expect((await run(['compute', '-n', 'shop', '--context', 'kube-endpoints'], { ...environment, env })).stdout).toContain(
      'web    10.0.0.7:80',
    );
  });

  test.each([
    ['compute -f shop.yaml', /^error: -f reads files, --kubeconfig and --context read a cluster: give one or the other\n$/],
    ['compute --context nope', /^error: .* has no context "nope": there are "kube-endpoints"\n$/],
  ])('refuses %s in one line', async (line, message) => {
    const { code, stdout, stderr } = await runLive(line);
    expect(stderr).toMatch(message);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  test('ends the run with an error in one line if reading is unauthorized', async () => {
    const path = join(makeFolder(), 'unauthorized');
    writeFileSync(path, readFileSync(kubeconfig, 'utf8').replace(/token: \S+/, 'token: nobody'));
    const { code, stdout, stderr } = await run(['run', '--once', '--kubeconfig', path], environment);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: \w+( of all namespaces)? cannot be read: Unauthorized\n$/);
  });

  test('is reported in one line if it is unreachable', async () => {
    const closedServer = await createApiServer();
    const path = join(makeFolder(), 'closed');
    await (await closedServer.listen()).writeKubeconfig(path);
    await closedServer.close();
    const { code, stderr } = await run(['explain', '--kubeconfig', path], environment);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: context "kube-endpoints" of .* cannot be read: GET \/version: .*ECONNREFUSED.*\n$/);
  });
});

/** Returns a port that was free a moment ago. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
