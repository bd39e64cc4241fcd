import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type FakeEnvironment, run, runLine } from './fake-io.ts';
import { shop } from './shop.ts';
import { shopSlices } from './shop-slices.ts';

const environment: FakeEnvironment = { files: { 'shop.yaml': shop } };
const withSlices: FakeEnvironment = { files: { 'shop.yaml': shop, 'slices.yaml': shopSlices } };

/** A command line, its exit code, and the file with its expected output. */
const rows: readonly { readonly line: string; readonly code: number; readonly file: string; readonly environment?: FakeEnvironment }[] = [
  { line: 'compute -f shop.yaml -A', code: 0, file: 'compute' },
  { line: 'compute -f shop.yaml -n shop', code: 0, file: 'compute-namespace' },
  { line: 'compute -f shop.yaml -A -o wide', code: 0, file: 'compute-wide' },
  { line: 'compute -f shop.yaml -n shop web -o yaml', code: 0, file: 'compute-one-yaml' },
  { line: 'compute -f shop.yaml -n shop web db -o json --release v1.23', code: 0, file: 'compute-two-json' },
  { line: 'explain -f shop.yaml -A', code: 1, file: 'explain-overview' },
  { line: 'explain -f shop.yaml -A -o wide', code: 1, file: 'explain' },
  { line: 'explain -f shop.yaml -n shop svc/db', code: 0, file: 'explain-one' },
  { line: 'explain -f shop.yaml -n shop db -o yaml', code: 0, file: 'explain-one-yaml' },
  { line: 'explain -f shop.yaml -n shop web', code: 1, file: 'explain-terminal', environment: { ...environment, terminalColumns: 80 } },
  {
    line: 'explain -f shop.yaml -n shop web --no-color',
    code: 1,
    file: 'explain-terminal-120',
    environment: { ...environment, terminalColumns: 120 },
  },
  { line: 'explain -f shop.yaml -n shop --pod web-c', code: 1, file: 'explain-pod' },
  { line: 'explain -f shop.yaml -n shop --pod pod/db-0', code: 0, file: 'explain-pod-ready' },
  { line: 'explain -f shop.yaml -n shop web --pod db-0', code: 1, file: 'explain-pod-not-selected' },
  { line: 'diff -f shop.yaml -A', code: 1, file: 'diff' },
  { line: 'diff -f shop.yaml -n shop db', code: 0, file: 'diff-equal' },
  { line: 'diff -f shop.yaml -A -o wide --release 1.30', code: 1, file: 'diff-wide' },
  { line: 'diff -f shop.yaml -n ops -o json', code: 1, file: 'diff-json' },
  { line: 'upgrade -f shop.yaml -A --from 1.21.1 --to 1.33', code: 1, file: 'upgrade' },
  { line: 'upgrade -f shop.yaml -n shop db --from v1.34 --to 1.35', code: 0, file: 'upgrade-nothing' },
  { line: 'upgrade -f shop.yaml -n shop web --from 1.24 -o wide', code: 1, file: 'upgrade-wide' },
  { line: 'compute -f shop.yaml -A --slices', code: 0, file: 'compute-slices-no-nodes' },
  { line: 'compute -f shop.yaml -f slices.yaml -n shop --slices', code: 0, file: 'compute-slices', environment: withSlices },
  {
    line: 'compute -f shop.yaml -f slices.yaml -A --slices -o wide --max-endpoints-per-slice 1',
    code: 0,
    file: 'compute-slices-wide',
    environment: withSlices,
  },
  {
    line: 'compute -f shop.yaml -f slices.yaml -n shop --slices near -o yaml',
    code: 0,
    file: 'compute-slices-yaml',
    environment: withSlices,
  },
  { line: 'explain -f shop.yaml -f slices.yaml -n shop near db', code: 1, file: 'explain-slices', environment: withSlices },
  {
    line: 'explain -f shop.yaml -f slices.yaml -n shop near',
    code: 1,
    file: 'explain-slices-80',
    environment: { ...withSlices, terminalColumns: 80 },
  },
  { line: 'explain -f shop.yaml -f slices.yaml -n shop near -o json', code: 1, file: 'explain-slices-json', environment: withSlices },
  { line: 'explain -f shop.yaml -f slices.yaml -n shop --pod near-b', code: 1, file: 'explain-pod-slices', environment: withSlices },
  { line: 'explain -f shop.yaml -n shop db --release 1.16', code: 1, file: 'explain-before-slices' },
  { line: 'diff -f shop.yaml -f slices.yaml -A', code: 1, file: 'diff-slices', environment: withSlices },
  { line: 'diff -f shop.yaml -f slices.yaml -n shop db -o wide', code: 1, file: 'diff-slices-wide', environment: withSlices },
  { line: 'diff -f slices.yaml -n shop near', code: 1, file: 'diff-slices-alone', environment: withSlices },
  { line: 'diff -f shop.yaml -f slices.yaml -n shop db --release 1.16', code: 1, file: 'diff-before-slices', environment: withSlices },
  { line: 'diff -f shop.yaml -f slices.yaml -n shop db --release 1.20', code: 1, file: 'diff-beta-slices', environment: withSlices },
  { line: 'upgrade -f shop.yaml -f slices.yaml -A --from 1.21 --to 1.34', code: 1, file: 'upgrade-slices', environment: withSlices },
  { line: 'upgrade -f shop.yaml -n shop db --from 1.16 --to 1.21', code: 0, file: 'upgrade-before-slices' },
  { line: '--help', code: 0, file: 'help' },
  { line: 'compute --help', code: 0, file: 'help-compute' },
  { line: 'upgrade --help', code: 0, file: 'help-upgrade' },
];

const dualStackObjects = `
- { apiVersion: v1, kind: Service, metadata: { name: web, namespace: shop }, spec: { selector: { app: web }, clusterIP: 'fd00::a', ports: [{ port: 80 }] } }
- apiVersion: v1
  kind: Pod
  metadata: { name: a, namespace: shop, labels: { app: web } }
  status: { podIP: 10.0.0.1, podIPs: [{ ip: 10.0.0.1 }, { ip: 'fd00::1' }], conditions: [{ type: Ready, status: 'True' }] }
`;
const dualStack: FakeEnvironment = { files: { 'web.yaml': `apiVersion: v1\nkind: List\nitems:${dualStackObjects}` } };

test('--feature-gates sets the feature gates of the release', async () => {
  const { stdout: byDefault } = await runLine('compute -f web.yaml -n shop --release 1.17', dualStack);
  const { stdout } = await runLine('compute -f web.yaml -n shop --release 1.17 --feature-gates IPv6DualStack=true', dualStack);
  expect(byDefault).toContain('10.0.0.1:80');
  expect(stdout).toContain('[fd00::1]:80');
});

test('--feature-gates rejects a feature gate that the release does not have', async () => {
  const { code, stderr } = await runLine('explain -f web.yaml -n shop --feature-gates IPv6DualStack=true', dualStack);
  expect([code, stderr]).toEqual([
    2,
    'error: --feature-gates: IPv6DualStack: Kubernetes 1.37 has no such gate, because 1.25 removed it: leave it out\n',
  ]);
});

describe('the output', () => {
  test.each(rows)('of $line matches expected/$file.txt', async ({ line, code, file, environment: rowEnvironment = environment }) => {
    const outcome = await runLine(line, rowEnvironment);
    expect(outcome.code).toBe(code);
    const output = outcome.stderr === '' ? outcome.stdout : `${outcome.stdout}--- stderr\n${outcome.stderr}`;
    await expect(output).toMatchFileSnapshot(`expected/${file}.txt`);
  });

  test('of explain has no trailing spaces, and its tables fit a terminal of 80 columns', async () => {
    const { stdout } = await runLine('explain -f shop.yaml -A -o wide --no-color', { ...environment, terminalColumns: 80 });
    for (const line of stdout.split('\n')) {
      expect(line).not.toMatch(/ $/);
      expect(line.length).toBeLessThanOrEqual(80);
    }
  });

  test('of explain into a pipe is neither coloured nor wrapped', async () => {
    const { stdout, stderr } = await runLine('explain -f shop.yaml -A -o wide', environment);
    expect(stdout + stderr).not.toContain('\u001b');
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeGreaterThan(120);
  });

  test('of compute includes labels named __proto__ and constructor', async () => {
    const { stdout } = await runLine('compute -f shop.yaml -n shop web -o json', environment);
    const { labels } = JSON.parse(stdout).metadata;
    expect(Object.keys(labels)).toEqual(['__proto__', 'app', 'constructor', 'endpoints.kubernetes.io/managed-by']);
    const yaml = await runLine('compute -f shop.yaml -n shop web -o yaml', environment);
    expect(yaml.stdout).toContain('    __proto__: label\n    app: web\n    constructor: label\n');
  });
});

describe('colours', () => {
  const colourRows: readonly [name: string, isPainted: boolean, line: string, overrides: FakeEnvironment][] = [
    ['on a terminal', true, 'explain -f shop.yaml -n shop', { terminalColumns: 80 }],
    ['never with --no-color', false, 'explain -f shop.yaml -n shop --no-color', { terminalColumns: 80 }],
    ['never with NO_COLOR', false, 'explain -f shop.yaml -n shop', { terminalColumns: 80, env: { NO_COLOR: '1' } }],
    ['never on a dumb terminal', false, 'explain -f shop.yaml -n shop', { terminalColumns: 80, env: { TERM: 'dumb' } }],
    ['never into a pipe', false, 'explain -f shop.yaml -n shop', {}],
    ['into a pipe with FORCE_COLOR', true, 'explain -f shop.yaml -n shop', { env: { FORCE_COLOR: '1' } }],
    ['never with FORCE_COLOR=0', false, 'explain -f shop.yaml -n shop', { terminalColumns: 80, env: { FORCE_COLOR: '0' } }],
    ['never with both NO_COLOR and FORCE_COLOR', false, 'explain -f shop.yaml -n shop', { env: { FORCE_COLOR: '1', NO_COLOR: '1' } }],
    ['never in JSON', false, 'explain -f shop.yaml -n shop -o json', { terminalColumns: 80 }],
  ];
  test.each(colourRows)('are printed %s', async (_, isPainted, line, overrides) => {
    const { stdout } = await runLine(line, { ...environment, ...overrides });
    expect(stdout.includes('\u001b[')).toBe(isPainted);
  });
});

test('progress is shown on a terminal only, and cleared', async () => {
  const { stderr } = await runLine('compute -f shop.yaml -n shop', { ...environment, terminalColumns: 80 });
  expect(stderr).toContain('\r\u001b[Kreading shop.yaml ...\r\u001b[K');
  expect((await runLine('compute -f shop.yaml -n shop db', environment)).stderr).toBe('');
});

describe('diff', () => {
  test.each(['1.17', '1.21', '1.24', '1.33', '1.37'])('finds no difference to the output of compute for Kubernetes %s', async (release) => {
    const { stdout } = await runLine(`compute -f shop.yaml -A -o yaml --release ${release}`, environment);
    const withoutEndpoints = shop
      .split('---\n')
      .filter((text) => !text.includes('kind: Endpoints'))
      .join('---\n');
    const outcome = await runLine(`diff -f shop.yaml -f computed.yaml -A --release ${release}`, {
      files: { 'shop.yaml': withoutEndpoints, 'computed.yaml': stdout },
    });
    expect(outcome).toEqual({ code: 0, stdout: expect.stringMatching(/equal, \d unmanaged\.\n$/), stderr: '' });
  });

  test('ignores the trigger time of Endpoints over capacity, because the controller rewrites it at every sync', async () => {
    const pods = Array.from({ length: 1200 }, (_, i) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `p${i}`, uid: `u${i}`, namespace: 'default', labels: { app: 'big' } },
      spec: { nodeName: 'n' },
      status: {
        podIP: `10.1.${i >> 8}.${i & 255}`,
        podIPs: [{ ip: `10.1.${i >> 8}.${i & 255}` }],
        conditions: [{ type: 'Ready', status: 'True' }],
      },
    }));
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'big', namespace: 'default', uid: 's', creationTimestamp: '2026-01-01T00:00:00Z' },
      spec: {
        clusterIP: '10.96.0.9',
        ipFamilies: ['IPv4'],
        selector: { app: 'big' },
        ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
      },
    };
    const objects = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [service, ...pods] });
    const { stdout } = await runLine('compute -f - big -o json', { stdin: objects });
    const computed = JSON.parse(stdout);
    expect(computed.subsets[0].addresses).toHaveLength(1000);
    const files = (endpoints: unknown) => ({ 'objects.json': objects, 'endpoints.json': JSON.stringify(endpoints) });
    const annotationsAt = (time: string) => ({
      ...computed.metadata.annotations,
      'endpoints.kubernetes.io/last-change-trigger-time': time,
    });
    const laterEndpoints = { ...computed, metadata: { ...computed.metadata, annotations: annotationsAt('2026-02-02T00:00:00Z') } };
    expect((await runLine('diff -f objects.json -f endpoints.json', { files: files(laterEndpoints) })).code).toBe(0);
    const fewerAddresses = {
      ...laterEndpoints,
      subsets: [{ ...computed.subsets[0], addresses: computed.subsets[0].addresses.slice(0, 999) }],
    };
    expect((await runLine('diff -f objects.json -f endpoints.json', { files: files(fewerAddresses) })).code).toBe(1);
  });
});

describe('diff of slices', () => {
  test.each(['1.21', '1.22.1', '1.24', '1.26', '1.31', '1.33', '1.37'])(
    'finds no difference to the output of compute --slices for Kubernetes %s',
    async (release) => {
      const withoutSlices = shopSlices
        .split('---\n')
        .filter((text) => !text.includes('kind: EndpointSlice'))
        .join('---\n');
      const files = { 'shop.yaml': shop, 'nodes.yaml': withoutSlices };
      const computed = await runLine(`compute -f shop.yaml -f nodes.yaml -n shop --slices -o json --release ${release}`, { files });
      const list = JSON.parse(computed.stdout) as { items: { metadata: Record<string, unknown> }[] };
      for (const [index, { metadata }] of list.items.entries()) metadata['name'] = `${String(metadata['generateName'])}${index}`;
      const filesWithSlices = { ...files, 'computed.json': JSON.stringify(list) };
      const { stdout, stderr } = await runLine(`diff -f shop.yaml -f nodes.yaml -f computed.json -n shop --release ${release}`, {
        files: filesWithSlices,
      });
      // One Service has a pod on a missing node, so its sync is retried.
      const expected = `compared with what Kubernetes ${release} writes: 3 equal, 1 retried, 1 unmanaged.`;
      expect(stdout).toContain(`EndpointSlices of 5 Services ${expected}`);
      expect(stdout).not.toMatch(/^ENDPOINTSLICES /m);
      expect(stderr).toBe('');
    },
  );
});

describe('diff', () => {
  const changedShop = (from: string | RegExp, to: string): FakeEnvironment => ({ files: { 'shop.yaml': shop.replace(from, to) } });
  test.each([
    [
      'a different uid',
      'name: db-0, uid: uid-of-db-0}',
      'name: db-0, uid: other}',
      [
        '-   ready 10.0.0.21 db-0 hostname db-0 on node-1 kind Pod namespace shop uid other',
        '+   ready 10.0.0.21 db-0 hostname db-0 on node-1 kind Pod namespace shop uid uid-of-db-0',
      ],
    ],
    [
      'a missing host name',
      'ip: 10.0.0.21, hostname: db-0',
      'ip: 10.0.0.21',
      ['-   ready 10.0.0.21 db-0 on node-1', '+   ready 10.0.0.21 db-0 hostname db-0 on node-1'],
    ],
    [
      'a missing node',
      'hostname: db-0, nodeName: node-1, targetRef',
      'hostname: db-0, nodeName: "", targetRef',
      ['-   ready 10.0.0.21 db-0 hostname db-0', '+   ready 10.0.0.21 db-0 hostname db-0 on node-1'],
    ],
    [
      'a target that is not a pod',
      'targetRef: {kind: Pod, namespace: shop, name: db-0',
      'targetRef: {kind: Node, name: db-0',
      ['-   ready 10.0.0.21 Node db-0 hostname db-0 on node-1', '+   ready 10.0.0.21 db-0 hostname db-0 on node-1'],
    ],
    [
      'an added appProtocol',
      'ports: [{port: 5432, protocol: TCP}]',
      'ports: [{port: 5432, protocol: TCP, appProtocol: ""}]',
      ['-   port 5432/TCP appProtocol ""', '+   port 5432/TCP'],
    ],
  ])('shows %s', async (_, from, to, lines) => {
    const { code, stdout } = await runLine('diff -f shop.yaml -n shop db', changedShop(from, to));
    expect(code).toBe(1);
    expect(
      stdout
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => /^[-+] /.test(line)),
    ).toEqual(lines);
  });

  test('selects leftover Endpoints by name, and rejects an unknown name', async () => {
    expect(await runLine('diff -f shop.yaml -n ops gone', environment)).toEqual({
      code: 1,
      stdout: expect.stringMatching(
        /^ENDPOINTS ops\/gone .*left over(?:.*\n)*1 object compared with what Kubernetes 1\.37 writes: 1 left over\.\n$/,
      ),
      stderr: '',
    });
    expect(await runLine('diff -f shop.yaml -n ops nobody', environment)).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('namespaces and names', () => {
  test('explain --pod -A covers every namespace', async () => {
    const other = 'apiVersion: v1\nkind: Pod\nmetadata: {name: db-0, namespace: lonely}\n';
    const { code, stdout } = await runLine('explain -f shop.yaml -f other.yaml -A --pod db-0', {
      files: { ...environment.files, 'other.yaml': other },
    });
    expect(code).toBe(1);
    expect(stdout).toContain(
      'POD lonely/db-0  (Kubernetes 1.37)   no Services in its namespace\n\nPOD shop/db-0  (Kubernetes 1.37)   ready for 1 of 1',
    );
    expect((await runLine('explain -f shop.yaml -A --pod nobody', environment)).stderr).toBe(
      'error: pods "nobody" not found in any namespace\n',
    );
  });

  test('the default namespace is "default"; if it has no Services, a hint names the namespaces that have', async () => {
    expect(await runLine('compute -f shop.yaml', environment)).toEqual({
      code: 0,
      stdout: '',
      stderr: 'hint: No Services found in namespace "default". The input has Services in ops, shop: give -n NAMESPACE, or -A for all.\n',
    });
  });

  test('a missing Service is an error, and the others are printed', async () => {
    const outcome = await runLine('compute -f shop.yaml -n shop db by-hand', environment);
    expect(outcome.code).toBe(2);
    expect(outcome.stdout).toBe('NAME   ENDPOINTS\ndb     10.0.0.21:5432\n');
    expect(outcome.stderr).toBe('error: services "by-hand" not found in namespace "shop"; there is one in ops\n');
  });

  test('a missing pod is an error', async () => {
    const outcome = await runLine('explain -f shop.yaml -n shop --pod nobody', environment);
    expect(outcome).toEqual({ code: 2, stdout: '', stderr: 'error: pods "nobody" not found in namespace "shop"\n' });
  });

  test('a namespace of -n that does not exist is an error', async () => {
    const { code, stderr } = await runLine('explain -f shop.yaml -n shpo', environment);
    expect([code, stderr]).toEqual([
      2,
      'error: namespaces "shpo" not found in the input\nhint: No Services found in namespace "shpo". The input has Services in ops, shop: give -n NAMESPACE, or -A for all.\n',
    ]);
  });

  test('-n sets the namespace of manifests without one', async () => {
    const manifest = 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {a: b}, ports: [{port: 80}]}\n';
    const outcome = await runLine('compute -f - -n blue web -o yaml', { stdin: manifest });
    expect(parse(outcome.stdout).metadata).toMatchObject({ name: 'web', namespace: 'blue' });
  });

  test('an empty -n means "default", as for kubectl', async () => {
    const { stdout, stderr } = await run(['compute', '-f', 'shop.yaml', '-n', ''], environment);
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: expect.stringContaining('No Services found in namespace "default".') });
    const pods = await run(['explain', '-f', 'shop.yaml', '-n', '', '--pod', 'web-a'], environment);
    expect(pods.stderr).toContain('pods "web-a" not found in namespace "default"');
  });

  test('the release comes from the environment unless a flag sets it', async () => {
    const env = { KUBE_ENDPOINTS_RELEASE: 'v1.28.3' };
    expect((await runLine('explain -f shop.yaml -n shop db', { ...environment, env })).stdout).toContain('(Kubernetes 1.28.3)');
    expect((await runLine('explain -f shop.yaml -n shop db --release 1.30', { ...environment, env })).stdout).toContain(
      '(Kubernetes 1.30)',
    );
    expect(await runLine('compute -f shop.yaml', { ...environment, env: { KUBE_ENDPOINTS_RELEASE: '2' } })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error: KUBE_ENDPOINTS_RELEASE: Kubernetes version "2" is not known: give "1.9" to .*\n$/),
    });
  });

  test('flags may precede the command', async () => {
    expect((await runLine('-f shop.yaml -n shop compute db', environment)).stdout).toBe('NAME   ENDPOINTS\ndb     10.0.0.21:5432\n');
  });
});
