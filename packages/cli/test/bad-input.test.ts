import { describe, expect, test } from 'vitest';
import { sampled } from '../../../test/support/sample.ts';
import { run, runLine } from './fake-io.ts';

const goodService = 'apiVersion: v1\nkind: Service\nmetadata: {name: good}\nspec: {selector: {app: good}, ports: [{port: 80}]}\n';
const goodOutput = 'NAME   ENDPOINTS\ngood   <none>\n';

/** Creates manifests whose spec, status or metadata is given as YAML in one line. */
const service = (spec: string): string => `apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec: ${spec}\n`;
const pod = (rest: string): string => `apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: shop}\n${rest}\n`;
const metadata = (fields: string): string => `apiVersion: v1\nkind: Pod\nmetadata: {${fields}}\n`;
const endpoints = (subsets: string): string =>
  `apiVersion: v1\nkind: Endpoints\nmetadata: {name: web, namespace: shop}\nsubsets: ${subsets}\n`;

const slice = (rest: string): string => `apiVersion: discovery.k8s.io/v1\nkind: EndpointSlice\n${rest}\n`;

/** Description, text, and message after "error: in.yaml, document 1, ". */
const documents: readonly (readonly [description: string, text: string, message: string])[] = [
  ['text', 'just some words\n', 'line 1: this is "just some words": give a Kubernetes object, a map with apiVersion and kind'],
  ['a list', '- a\n- b\n', 'line 1: this is a list: give a Kubernetes object, a map with apiVersion and kind'],
  ['an open quote', 'kind: "Service\nmetadata: {}\n', 'line 3: not YAML: a quote, bracket or comma is missing; close what was opened'],
  ['a tab', 'kind: Service\nmetadata:\n\tname: web\n', 'line 3: not YAML: the indentation contains a tab; use spaces'],
  ['a key twice', 'kind: Service\nkind: Pod\n', 'line 2: not usable YAML: the key "kind" occurs twice in one map; remove one of the two'],
  [
    'an alias without an anchor',
    'kind: *no\n',
    "line 1: not usable YAML: unknown anchor 'no' referenced; give the values themselves in place of aliases",
  ],
  [
    'cut JSON',
    '{"kind": "Service",\n "metadata": {"name": "w\n',
    'line 2: not JSON: this string does not end on its line, or contains a character that must be escaped; add the closing quote, or escapes',
  ],
  ['JSON with a trailing comma', '{"kind":\n "Service",\n}\n', 'line 3: not JSON: unexpected text; give a key in double quotes'],
  [
    'no kind',
    'apiVersion: v1\nmetadata: {name: web}\n',
    'line 1: kind is missing: give Service, Pod, Node, Endpoints, EndpointSlice or List',
  ],
  ['a kind that is a number', 'apiVersion: v1\nkind: 7\n', 'line 1: kind is 7: give Service, Pod, Node, Endpoints, EndpointSlice or List'],
  [
    'an error of the API server without apiVersion',
    '{"kind":"Status","message":"Unauthorized"}\n',
    'line 1: Status: this is an error of the API server, not an object: Unauthorized',
  ],
  [
    'an error of the API server',
    'apiVersion: v1\nkind: Status\nstatus: Failure\nmessage: services is forbidden\n',
    'line 1: Status: this is an error of the API server, not an object: services is forbidden',
  ],
  ['no apiVersion', 'kind: Service\nmetadata: {name: web}\n', 'line 1: Service: apiVersion is missing: give v1'],
  ['an unknown apiVersion', 'apiVersion: v2\nkind: Pod\nmetadata: {name: web}\n', 'line 1: Pod: apiVersion is "v2": give v1'],
  ['an apiVersion of another API group', 'apiVersion: apps/v1\nkind: Service\n', 'line 1: Service: apiVersion is "apps/v1": give v1'],
  ['no metadata', 'apiVersion: v1\nkind: Service\n', 'line 1: Service: metadata is missing: give a map'],
  [
    'no name',
    'apiVersion: v1\nkind: Service\nmetadata:\n  labels: {}\n',
    'line 4: Service: metadata.name is missing: give a name of lower-case letters, digits, "-" and "."',
  ],
  [
    'an invalid name',
    metadata('name: My_Pod'),
    'line 3: Pod default/My_Pod: metadata.name is "My_Pod": give a name of lower-case letters, digits, "-" and "."',
  ],
  [
    'a label that is a number',
    metadata('name: p, labels: {version: 1.0}'),
    'line 3: Pod default/p: metadata.labels.version is 1: give text, quoted in YAML',
  ],
  [
    'a label that YAML 1.1 reads as true',
    metadata('name: p, labels: {a/b: yes}'),
    'line 3: Pod default/p: metadata.labels["a/b"] is true: give text, quoted in YAML',
  ],
  ['a null label', metadata('name: p, labels: {a: }'), 'line 3: Pod default/p: metadata.labels.a is null: give text, quoted in YAML'],
  [
    'an invalid time',
    metadata('name: p, creationTimestamp: yesterday'),
    'line 3: Pod default/p: metadata.creationTimestamp is "yesterday": give a time such as "2026-01-31T12:00:00Z"',
  ],
  ['a selector that is a list', service('{selector: [a]}'), 'line 4: Service shop/web: spec.selector is a list: give a map'],
  [
    'a selector value that is true',
    service('{selector: {app: true}}'),
    'line 4: Service shop/web: spec.selector.app is true: give text, quoted in YAML',
  ],
  [
    'a port out of range',
    service('{ports: [{port: 80}, {port: 70000}]}'),
    'line 4: Service shop/web: spec.ports[1].port is 70000: give a whole number from 1 to 65535',
  ],
  [
    'a port of 0',
    service('{ports: [{port: 0}]}'),
    'line 4: Service shop/web: spec.ports[0].port is 0: give a whole number from 1 to 65535',
  ],
  [
    'no port',
    service('{ports: [{name: http}]}'),
    'line 4: Service shop/web: spec.ports[0].port is missing: give a whole number from 1 to 65535',
  ],
  [
    'a port that is text',
    service('{ports: [{port: "80"}]}'),
    'line 4: Service shop/web: spec.ports[0].port is "80": give a whole number from 1 to 65535',
  ],
  [
    'an unknown protocol',
    service('{ports: [{port: 80, protocol: tcp}]}'),
    'line 4: Service shop/web: spec.ports[0].protocol is "tcp": give TCP, UDP or SCTP',
  ],
  [
    'a target port that is true',
    service('{ports: [{port: 80, targetPort: true}]}'),
    "line 4: Service shop/web: spec.ports[0].targetPort is true: give a whole number from 0 to 65535, or the name of a container's port",
  ],
  [
    'an invalid cluster IP',
    service('{clusterIP: 10.0.0.256}'),
    'line 4: Service shop/web: spec.clusterIP is "10.0.0.256": give an IPv4 or IPv6 address, or None',
  ],
  ['an unknown IP family', service('{ipFamilies: [IPv5]}'), 'line 4: Service shop/web: spec.ipFamilies[0] is "IPv5": give IPv4 or IPv6'],
  [
    'an unknown Service type',
    service('{type: Headless}'),
    'line 4: Service shop/web: spec.type is "Headless": give ClusterIP, NodePort, LoadBalancer or ExternalName',
  ],
  ['containers that are a map', pod('spec: {containers: {name: c}}'), 'line 4: Pod shop/p: spec.containers is a map: give a list'],
  ['a null container', pod('spec: {containers: [null]}'), 'line 4: Pod shop/p: spec.containers[0] is null: give a map'],
  [
    'a container port out of range',
    pod('spec: {initContainers: [{ports: [{containerPort: 65536}]}]}'),
    'line 4: Pod shop/p: spec.initContainers[0].ports[0].containerPort is 65536: give a whole number from 0 to 65535',
  ],
  ['an invalid pod IP', pod('status: {podIP: 10.0.0}'), 'line 4: Pod shop/p: status.podIP is "10.0.0": give an IPv4 or IPv6 address'],
  [
    'one invalid address among the pod IPs',
    pod('status: {podIPs: [{ip: "::1"}, {ip: "::g"}]}'),
    'line 4: Pod shop/p: status.podIPs[1].ip is "::g": give an IPv4 or IPv6 address',
  ],
  [
    'an invalid condition time',
    pod('status: {conditions: [{lastTransitionTime: 12}]}'),
    'line 4: Pod shop/p: status.conditions[0].lastTransitionTime is 12: give a time such as "2026-01-31T12:00:00Z"',
  ],
  [
    'an address without IP',
    endpoints('[{addresses: [{nodeName: node-1}]}]'),
    'line 4: Endpoints shop/web: subsets[0].addresses[0].ip is missing: give an IPv4 or IPv6 address',
  ],
  [
    'a slice without address type',
    slice('metadata: {name: web-1, namespace: shop}'),
    'line 1: EndpointSlice shop/web-1: addressType is missing: give IPv4, IPv6 or FQDN',
  ],
  [
    'a slice without a name',
    slice('metadata: {generateName: web-, namespace: shop}\naddressType: IPv4'),
    'line 3: EndpointSlice: metadata.name is missing: give a name of lower-case letters, digits, "-" and "."',
  ],
  [
    'a condition that is text',
    slice('metadata: {name: web-1, namespace: shop}\naddressType: IPv4\nendpoints: [{addresses: [10.0.0.1], conditions: {ready: "yes"}}]'),
    'line 5: EndpointSlice shop/web-1: endpoints[0].conditions.ready is "yes": give true or false',
  ],
  [
    'a slice in the core API group',
    'apiVersion: v1\nkind: EndpointSlice\nmetadata: {name: x}\n',
    'line 1: EndpointSlice: apiVersion is "v1": give discovery.k8s.io/v1',
  ],
  [
    'a node whose labels are a list',
    'apiVersion: v1\nkind: Node\nmetadata: {name: n1, labels: [a]}\n',
    'line 3: Node n1: metadata.labels is a list: give a map',
  ],
  [
    'several invalid fields',
    service('{type: 1, ports: 2, selector: 3}'),
    'line 4: Service shop/web: spec.type is 1: give ClusterIP, NodePort, LoadBalancer or ExternalName (and 2 more)',
  ],
  [
    'a list item that is a number',
    '{"apiVersion": "v1", "kind": "List", "items":\n [7]}\n',
    'line 2: items[0]: this is 7: give a Kubernetes object, a map with apiVersion and kind',
  ],
  [
    'a list item without a name',
    'apiVersion: v1\nkind: PodList\nitems:\n- metadata: {}\n',
    'line 4: Pod in items[0]: metadata.name is missing: give a name of lower-case letters, digits, "-" and "."',
  ],
  ['items that are a map', 'apiVersion: v1\nkind: List\nitems: {}\n', 'line 3: List: items is a map: give a list'],
  [
    'a list that contains itself',
    'apiVersion: v1\nkind: List\nitems: &again\n- {apiVersion: v1, kind: List, items: *again}\n',
    "line 4: not usable YAML: anchor 'again' value contains itself; give the values themselves in place of aliases",
  ],
  [
    'deeply nested YAML',
    `a: ${'['.repeat(10_000)}${']'.repeat(10_000)}\n`,
    'line 1: nested more than 400 levels deep: give Kubernetes objects',
  ],
  [
    'deeply nested YAML in one line of dashes',
    `${'- '.repeat(10_000)}x\n`,
    'line 1: nested more than 400 levels deep: give Kubernetes objects',
  ],
  [
    'deeply nested JSON',
    `{"a": ${'['.repeat(10_000)}${']'.repeat(10_000)}}\n`,
    'line 1: nested more than 400 levels deep: give Kubernetes objects',
  ],
  [
    'a deeply nested pod',
    pod(`spec: {x: ${'['.repeat(120)}${']'.repeat(120)}}`),
    'line 1: Pod shop/p: nested more than 100 levels deep: give a Kubernetes object',
  ],
  [
    'exponentially nested aliases',
    `a: &a [x, x]\n${Array.from({ length: 30 }, (_, i) => `b${i}: &b${i} [*${i === 0 ? 'a' : `b${i - 1}`}, *${i === 0 ? 'a' : `b${i - 1}`}]\n`).join('')}`,
    'line 10: not usable YAML: document contains excessive aliasing; give the values themselves in place of aliases',
  ],
];

describe('an invalid document', () => {
  test.each(documents)('is reported in one line, and the other documents are printed: %s', async (_, text, message) => {
    const { code, stdout, stderr } = await runLine('compute -f in.yaml', { files: { 'in.yaml': `${text}---\n${goodService}` } });
    expect(stderr).toBe(`error: in.yaml, document 1, ${message}\n`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: goodOutput });
  });

  test('is reported with long values shortened', async () => {
    const { stderr } = await runLine('compute -f in.yaml', { files: { 'in.yaml': 'x'.repeat(3_000_000) } });
    expect(stderr).toBe(
      `error: in.yaml, document 1, line 1: this is "${'x'.repeat(40)}"...: give a Kubernetes object, a map with apiVersion and kind\n`,
    );
  });

  test('is reported with control characters escaped', async () => {
    const text = 'apiVersion: v1\nkind: Service\nmetadata: {name: "\\e[31mred\\u202e"}\n';
    const { stderr } = await runLine('compute -f in.yaml', { files: { 'in.yaml': text } });
    expect(stderr).toContain('Service default/\\u001b[31mred\\u202e: metadata.name is ');
    expect(stderr).not.toContain('\u001b');
  });
});

describe('an object given twice', () => {
  test('is reported with the location of the first one', async () => {
    const { code, stdout, stderr } = await runLine('compute -f a.yaml -f b.yaml', {
      files: { 'a.yaml': `# first\n${goodService}`, 'b.yaml': `---\n${goodService}` },
    });
    expect(stderr).toBe(
      'error: b.yaml, document 1, line 2: Service default/good: already given in a.yaml, document 1, line 2: remove one of the two\n',
    );
    expect({ code, stdout }).toEqual({ code: 2, stdout: goodOutput });
  });

  test('is not reported if the namespace or the kind differs', async () => {
    const text = `${goodService}---\n${goodService.replace('name: good', 'name: good, namespace: other')}---\n${goodService.replace(/Service/, 'Endpoints').replace(/spec.*\n/, '')}`;
    expect(await runLine('compute -f a.yaml', { files: { 'a.yaml': text } })).toEqual({ code: 0, stdout: goodOutput, stderr: '' });
  });
});

describe('valid input', () => {
  test.each([
    ['a pod without status', pod('spec: {containers: []}')],
    ['unknown kinds', 'apiVersion: apps/v1\nkind: Deployment\nspec: 7\n'],
    ['a kind named Service in another API group', 'apiVersion: serving.knative.dev/v1\nkind: Service\n'],
    ['comments and empty documents', '# nothing\n---\n---\n# and nothing\n'],
    ['directives', '%YAML 1.1\n'],
    ['empty lists', 'apiVersion: v1\nkind: PodList\nitems: []\n---\napiVersion: v1\nkind: List\nitems:\n'],
    ['deep schemas in other kinds', `apiVersion: x/v1\nkind: X\nspec: ${'['.repeat(390)}${']'.repeat(390)}\n`],
    ['anchors and merge keys', 'apiVersion: v1\nkind: Pod\nmetadata: {name: x, labels: &l {a: b}, annotations: {<<: *l, c: d}}\n'],
  ])('is accepted with %s', async (_, text) => {
    expect(await runLine('compute -f in.yaml', { files: { 'in.yaml': `${text}---\n${goodService}` } })).toEqual({
      code: 0,
      stdout: goodOutput,
      stderr: '',
    });
  });

  test('is accepted with a byte order mark, CRLF, and no newline at the end', async () => {
    const text =
      `\ufeff${goodService.replaceAll('\n', '\r\n')}---\r\n${pod('status: {podIP: 10.0.0.1}').replaceAll('\n', '\r\n')}`.trimEnd();
    expect(await runLine('compute -f in.yaml', { files: { 'in.yaml': text } })).toEqual({ code: 0, stdout: goodOutput, stderr: '' });
  });
});

describe('reading files', () => {
  const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
  test.each<[string, string | Uint8Array | { code: string }, string]>([
    ['an empty file', '', 'in.yaml: the file is empty: give YAML or JSON with Services and Pods'],
    ['a file with only comments', '# nothing\n---\n', 'in.yaml: no document in it: give YAML or JSON with Services and Pods'],
    ['a UTF-16 file', new Uint8Array([0xff, 0xfe, 0x61, 0]), 'in.yaml: this is UTF-16: give UTF-8'],
    [
      'a file that is not UTF-8',
      new Uint8Array([...utf8('a: b\nc: '), 0xc3, 0x28]),
      'in.yaml, line 2: not UTF-8: give YAML or JSON in UTF-8',
    ],
    ['a binary file', new Uint8Array([0x61, 0x0a, 0x62, 0]), 'in.yaml, line 2: not text (the control character U+0000): give YAML or JSON'],
    ['a file without read permission', { code: 'EACCES' }, 'in.yaml: cannot be read: permission denied'],
    ['a file whose reading fails', { code: 'EIO' }, 'in.yaml: cannot be read (EIO)'],
  ])('reports %s, and reads the other files', async (_, content, message) => {
    const outcome = await runLine('compute -f in.yaml -f good.yaml', { files: { 'in.yaml': content, 'good.yaml': goodService } });
    expect(outcome).toEqual({ code: 2, stdout: goodOutput, stderr: `error: ${message}\n` });
  });

  test('reports a missing file', async () => {
    const outcome = await runLine('compute -f nowhere.yaml -f good.yaml', { files: { 'good.yaml': goodService } });
    expect(outcome).toEqual({ code: 2, stdout: goodOutput, stderr: 'error: nowhere.yaml: there is no such file or directory\n' });
  });

  test('reports a directory without manifests', async () => {
    const outcome = await runLine('compute -f dir', { files: { 'dir/README.md': '', 'dir/below/good.yaml': goodService } });
    expect(outcome).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: dir: no *.yaml, *.yml or *.json file in it; -R looks into the directories below, too\n',
    });
  });
});

test('diff skips a Service or Endpoints whose counterpart is invalid', async () => {
  const broken = service('{ports: 1}');
  const brokenEndpoints = endpoints('7').replace('name: web', 'name: db');
  const text = [broken, endpoints('[]'), service('{selector: {a: b}}').replace('name: web', 'name: db'), brokenEndpoints].join('---\n');
  const { code, stdout, stderr } = await run(['diff', '-A', '-f', 'in.yaml', '-o', 'json'], { files: { 'in.yaml': text } });
  expect(JSON.parse(stdout)).toEqual({ items: [] });
  expect({ code, lines: stderr.trim().split('\n').length }).toEqual({ code: 2, lines: 2 });
});

describe('an invalid command line', () => {
  test.each([
    ['comptue -f in.yaml', "error: unknown command 'comptue' (Did you mean compute?)"],
    ['compute --namespac x', "error: unknown option '--namespac' (Did you mean --namespace?)"],
    [
      'compute -o xml',
      "error: option '-o, --output <FORMAT>' argument 'xml' is invalid. Allowed choices are table, wide, yaml, json, mermaid, svg, html.",
    ],
    ['compute -f', "error: option '-f, --filename <FILE>' argument missing"],
    ['upgrade -f in.yaml', "error: required option '--from <RELEASE>' not specified"],
    [
      'compute -f in.yaml --release 1.8',
      'error: option \'--release <RELEASE>\' argument \'1.8\' is invalid. Kubernetes version "1.8" is not known: give "1.9" to "1.37", or a patch release of one, such as "1.37.0"',
    ],
    [
      'explain',
      'error: no input: give -f FILE, -f DIRECTORY or -f - for standard input, as in: kubectl get services,endpoints,endpointslices,pods,nodes -A -o json | kubectl-endpoints explain -A -f -; or give a cluster with --kubeconfig FILE, KUBECONFIG or ~/.kube/config (no cluster found: /no/such/home/.kube/config does not exist, and this process does not run in a pod)',
    ],
    ['compute -f - -f -', 'error: -f - is given twice, but standard input can be read only once'],
    [
      'diff -f in.yaml',
      'error: nothing to compare with: the input holds no Endpoints and no EndpointSlices; give those of the cluster, too (kubectl get services,endpoints,endpointslices,pods,nodes -A -o json)',
    ],
  ])('is reported in one line: %s', async (line, message) => {
    expect(await runLine(line, { files: { 'in.yaml': goodService } })).toEqual({ code: 2, stdout: '', stderr: `${message}\n` });
  });

  test('prints the usage if it has no command', async () => {
    const { code, stderr } = await run([]);
    expect({ code, first: stderr.split('\n')[0] }).toEqual({ code: 2, first: 'Usage: kubectl-endpoints [options] [command]' });
  });
});

describe('100 MB of invalid data on standard input', () => {
  const createChunks = function* (make: (i: number) => Uint8Array): Generator<Uint8Array> {
    for (let i = 0; i < 100; i++) yield make(i);
  };
  const repeatToMegabyte = (text: string): Uint8Array => new TextEncoder().encode(text.repeat(Math.ceil(1_000_000 / text.length)));
  const noise = Uint8Array.from({ length: 1_000_000 }, (_, i) => (i * 7919 + ((i * i) % 251) * 31) & 0xff);

  const inputs: readonly [string, (i: number) => Uint8Array, string][] = [
    ['random bytes', () => noise, 'error: standard input, line 1: not UTF-8: give YAML or JSON in UTF-8\n'],
    [
      'zero bytes',
      () => new Uint8Array(1_000_000),
      'error: standard input, line 1: not text (the control character U+0000): give YAML or JSON\n',
    ],
    [
      'plain text',
      () => repeatToMegabyte('garbage and nonsense\n'),
      'error: standard input, document 1, line 1: more than 4 MiB of YAML in one piece: give large lists as JSON (kubectl get -o json)\n',
    ],
    [
      'open brackets',
      () => repeatToMegabyte('['),
      'error: standard input, document 1, line 1: nested more than 400 levels deep: give Kubernetes objects\n',
    ],
    [
      'an endless JSON string',
      (i) => (i === 0 ? new TextEncoder().encode('{"a":"') : repeatToMegabyte('abcdefgh')),
      'error: standard input, document 1, line 1: not JSON: this string does not end on its line, or contains a character that must be escaped; add the closing quote, or escapes\n',
    ],
  ];

  test.each(sampled(inputs, 4))('is refused in one line: %s', async (_, make, message) => {
    expect(await runLine('compute -f -', { stdin: createChunks(make) })).toEqual({ code: 2, stdout: '', stderr: message });
  });

  test('is read only until too many documents are invalid', async () => {
    const { code, stderr } = await runLine('compute -f -', { stdin: createChunks(() => repeatToMegabyte('---\nx\n')) });
    const lines = stderr.trimEnd().split('\n');
    expect(code).toBe(2);
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe('error: standard input: 20 consecutive items are not Kubernetes objects: the rest is not read');
  });

  test('is read only up to the size limit', async () => {
    let chunkCount = 0;
    const endless = function* (): Generator<Uint8Array> {
      const chunk = new Uint8Array(16 * 1024 * 1024);
      for (;;) {
        chunkCount++;
        yield chunk;
      }
    };
    const { code, stderr } = await runLine('compute -f -', { stdin: endless() });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'error: standard input: beyond the limit of 256 MiB for all input: give less, for example one namespace at a time\n',
    });
    expect(chunkCount).toBe(17);
  });
});
