import { badPatches } from './bad-patches.ts';
import type { Flow, Hook } from './flow.ts';

type Json = Readonly<Record<string, unknown>>;

const map = (more: Json = {}): Json => {
  const { metadata, ...fields } = more;
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web', ...(metadata as Json | undefined) }, data: { a: '1' }, ...fields };
};
const create = (more?: Json, query?: string): Flow['call'] => ({
  verb: 'create',
  resource: 'configMaps',
  body: map(more),
  ...(query && { query }),
});
const one = (path: string, more: Json = {}): readonly Hook[] => [{ path, ...more }];
const rule = (...resources: readonly string[]): Json => ({ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources });

/** Flows with one webhook and a new ConfigMap. */
const mutating = (path: string, more?: Json, call: Flow['call'] = create()): Flow => ({
  name: `mutating ${path}${more ? ` ${JSON.stringify(more)}` : ''}`,
  mutating: { one: one(path, more) },
  call,
});
const validating = (path: string, more?: Json, call: Flow['call'] = create()): Flow => ({
  name: `validating ${path}${more ? ` ${JSON.stringify(more)}` : ''}`,
  validating: { one: one(path, more) },
  call,
});

const answers: readonly string[] = [
  ...['allow', '', 'some/path', 'deny', 'deny-message', 'deny-reason', 'deny-success', 'deny-details', 'deny-custom', 'deny-retry'],
  ...['warn', 'warn-deny', 'warn-long', 'label-a', 'patch-same', 'patch-none', 'patch-null', 'patch-not-there', 'patch-test'],
  ...['patch-no-path', 'patch-odd-op', 'patch-text', 'patch-object', 'patch-no-base64', 'patch-untyped', 'patch-typed-empty'],
  ...['patch-merge', 'type-only', 'patch-deny', 'patch-kind', 'patch-no-kind', 'patch-name', 'patch-namespace', 'patch-unknown'],
  ...['patch-type', 'patch-data', 'uid-other', 'no-response', 'no-kind', 'other-version', 'other-kind', 'other-group', 'not-json'],
  ...['broken-json', 'empty', 'array', 'nothing', 'status-200', 'status-500', 'text-500', 'json-500', 'text-400', 'text-403'],
  ...['text-503', 'text-418', 'created', 'allowed-text', 'warnings-text', 'audit-numbers', 'audit', 'yaml', 'odd-type', 'no-type'],
  ...['broken-type', 'retry-429', 'retry-always', 'hangup', 'truncated', 'missing', 'redirect-302', 'redirect-307'],
];

const ignored: Json = { failurePolicy: 'Ignore' };
const v1beta1: Json = { admissionReviewVersions: ['v1beta1'] };
const url = (text: string, more: Json = {}): Json => ({ clientConfig: { url: text, ...more } });
const service = (name: string, more: Json = {}): Json => ({ clientConfig: { service: { name, namespace: 'flows', ...more } } });

const failures: readonly Flow[] = [
  mutating('slow', { timeoutSeconds: 1 }),
  mutating('slow-body', { timeoutSeconds: 1 }),
  mutating('slow', { timeoutSeconds: 1, ...ignored }),
  validating('slow', { timeoutSeconds: 1 }),
  mutating('hangup', ignored),
  mutating('not-json', ignored),
  mutating('deny', ignored),
  mutating('patch-text', ignored),
  mutating('patch-not-there', ignored),
  mutating('patch-type', ignored),
  mutating('no-response', ignored),
  mutating('allow', url('https://127.0.0.1:1/allow')),
  mutating('allow', url('https://localhost:PORT/allow/')),
  mutating('allow', url('https://127.0.0.1:PORT//some/../allow/')),
  mutating('allow', url('https://127.0.0.1:PORT/al%6cow')),
  mutating('allow', url('https://127.0.0.1:PORT/allow', { caBundle: '' })),
  mutating('allow', url('https://127.0.0.1:PORT/allow', { caBundle: Buffer.from('no certificate').toString('base64') })),
  mutating('allow', service('nobody')),
  mutating('allow', service('nobody', { path: '/allow', port: 8443 })),
  validating('allow', url('https://127.0.0.1:1/allow')),
];

const betas: readonly Flow[] = [
  { ...mutating('label-a', v1beta1), whole: true },
  mutating('patch-untyped', v1beta1),
  mutating('uid-other', v1beta1),
  mutating('no-kind', v1beta1),
  mutating('nothing', v1beta1),
  validating('patch-same', v1beta1),
  validating('deny-message', v1beta1),
  mutating('allow', { admissionReviewVersions: ['v2', 'v1', 'v1beta1'] }),
];

const dry: readonly Flow[] = [
  mutating('label-a', { sideEffects: 'NoneOnDryRun' }, create({}, 'dryRun=All')),
  {
    ...validating('allow', undefined, create({}, 'dryRun=All&fieldManager=me&fieldValidation=Strict')),
    name: 'a dry run, whole',
    whole: true,
  },
];

const selectors: readonly Flow[] = [
  mutating('label-a', { objectSelector: { matchLabels: { app: 'web' } } }),
  {
    ...mutating('label-a', { objectSelector: { matchLabels: { app: 'web' } } }, create({ metadata: { labels: { app: 'web' } } })),
    name: 'an object that is selected',
  },
  mutating('label-a', { objectSelector: { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['web'] }] } }),
  mutating('label-a', { objectSelector: { matchExpressions: [{ key: 'app', operator: 'Exists' }] } }),
  mutating('label-a', { objectSelector: { matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] } }),
  mutating('label-a', { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'flows' } } }),
  mutating('label-a', { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'other' } } }),
  mutating('label-a', { namespaceSelector: { matchExpressions: [{ key: 'team', operator: 'In', values: ['a', 'b'] }] } }),
  mutating('label-a', { namespaceSelector: { matchExpressions: [{ key: 'none', operator: 'In', values: ['a', 'b'] }] } }),
  {
    name: 'a mutation is seen by the selectors after it',
    mutating: { a: one('label-a'), b: one('label-b', { objectSelector: { matchLabels: { a: '1' } } }) },
    call: create(),
  },
  {
    name: 'an update that takes the label away still matches',
    before: [{ resource: 'configMaps', body: map({ metadata: { labels: { app: 'web' } } }) }],
    mutating: { a: one('label-a', { objectSelector: { matchLabels: { app: 'web' } } }) },
    call: { verb: 'update', resource: 'configMaps', name: 'web', body: map() },
  },
  {
    name: 'the labels of a new namespace are its own',
    mutating: { a: one('label-a', { rules: [rule('namespaces')], namespaceSelector: { matchLabels: { team: 'x' } } }) },
    call: {
      verb: 'create',
      resource: 'namespaces',
      query: 'dryRun=All',
      body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'newest', labels: { team: 'x' } } },
    },
    whole: true,
  },
  {
    name: 'a resource of the cluster is in no namespace',
    validating: { a: one('deny', { rules: [rule('nodes')], namespaceSelector: { matchLabels: { team: 'x' } } }) },
    call: { verb: 'create', resource: 'nodes', body: { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } } },
  },
];

const rules: readonly Flow[] = [
  ['scope Namespaced', { ...rule('*'), scope: 'Namespaced' }, 'configMaps'],
  ['scope Cluster', { ...rule('*'), scope: 'Cluster' }, 'configMaps'],
  ['scope Namespaced and a namespace', { ...rule('*'), scope: 'Namespaced' }, 'namespaces'],
  ['scope Cluster and a namespace', { ...rule('*'), scope: 'Cluster' }, 'namespaces'],
  ['another operation', { ...rule('*'), operations: ['UPDATE', 'DELETE'] }, 'configMaps'],
  ['another group', { ...rule('*'), apiGroups: ['apps'] }, 'configMaps'],
  ['another version', { ...rule('*'), apiVersions: ['v2'] }, 'configMaps'],
  ['subresources of all', rule('*/status'), 'configMaps'],
  ['all and their subresources', rule('*/*'), 'configMaps'],
  ['a resource and its subresources', rule('configmaps/*'), 'configMaps'],
].map(([name, each, resource]) => ({
  name: `rules: ${name as string}`,
  // The last webhook always refuses the Namespace, so that none remains.
  validating: { a: one('warn', { rules: [each] }), z: one('deny', { rules: [rule('*')] }) },
  call: {
    verb: 'create',
    resource: resource as string,
    body: resource === 'namespaces' ? { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ruled' } } : map(),
  },
}));

const event: Json = {
  metadata: { name: 'e1', namespace: 'flows' },
  reason: 'Tested',
  type: 'Normal',
  action: 'Test',
  reportingComponent: 'example.com/flows',
  reportingInstance: 'one',
  eventTime: '2026-01-02T03:04:05.000000Z',
  involvedObject: { kind: 'Pod', name: 'p', namespace: 'flows' },
};

const equivalents: readonly Flow[] = (['Exact', 'Equivalent'] as const).map((matchPolicy) => ({
  name: `matchPolicy ${matchPolicy}`,
  mutating: {
    a: one('label-a', { matchPolicy, rules: [{ ...rule('events'), apiGroups: ['events.k8s.io'], apiVersions: ['v1'] }] }),
    b: one('label-b', { rules: [{ ...rule('events'), apiGroups: [''] }] }),
  },
  call: { verb: 'create', resource: 'events', body: { apiVersion: 'v1', kind: 'Event', ...event } },
  whole: true,
}));

const pod: Json = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p1' },
  spec: { containers: [{ name: 'main', image: 'web' }], tolerations: [{ key: 'k', operator: 'Exists' }] },
};
const toPods = (...paths: readonly string[]): readonly Hook[] => paths.map((path) => ({ path, rules: [rule('pods', 'pods/*')] }));
/** The same Pod after the admission plugins of kube-apiserver. */
const admittedPod: Json = {
  ...pod,
  spec: {
    ...(pod['spec'] as Json),
    priority: 0,
    preemptionPolicy: 'PreemptLowerPriority',
    tolerations: [
      { key: 'k', operator: 'Exists' },
      { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
      { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
    ],
  },
};
const binding: Json = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p1' }, target: { kind: 'Node', name: 'n1' } };
const there = [{ resource: 'pods', body: pod }];

const verbs: readonly Flow[] = [
  {
    name: 'create, whole',
    mutating: { a: one('label-a') },
    validating: { a: one('allow') },
    call: create({}, 'fieldManager=me'),
    whole: true,
  },
  {
    name: 'create with generateName',
    mutating: { a: one('label-a') },
    validating: { a: one('deny') },
    call: { verb: 'create', resource: 'configMaps', body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'web-' } } },
  },
  {
    name: 'update, whole',
    before: [{ resource: 'configMaps', body: map() }],
    mutating: { a: one('label-a') },
    validating: { a: one('allow') },
    call: { verb: 'update', resource: 'configMaps', name: 'web', body: map({ data: { a: '2' } }) },
    whole: true,
  },
  {
    name: 'patch, whole',
    before: [{ resource: 'configMaps', body: map() }],
    mutating: { a: one('label-a') },
    validating: { a: one('allow') },
    call: { verb: 'patch', resource: 'configMaps', name: 'web', body: { data: { b: '2' } } },
    whole: true,
  },
  {
    name: 'delete, whole',
    before: [{ resource: 'configMaps', body: map() }],
    mutating: { a: one('allow') },
    validating: { a: one('allow') },
    call: { verb: 'delete', resource: 'configMaps', name: 'web', body: { propagationPolicy: 'Background' } },
    whole: true,
  },
  {
    name: 'a deletion cannot be patched',
    before: [{ resource: 'configMaps', body: map() }],
    mutating: { a: one('patch-same') },
    call: { verb: 'delete', resource: 'configMaps', name: 'web' },
  },
  {
    name: 'a deletion is denied',
    before: [{ resource: 'configMaps', body: map() }],
    validating: { a: one('deny-message') },
    call: { verb: 'delete', resource: 'configMaps', name: 'web' },
  },
  {
    name: 'deletecollection, whole',
    before: [{ resource: 'configMaps', body: map() }],
    mutating: { a: one('allow') },
    call: { verb: 'deletecollection', resource: 'configMaps', query: 'labelSelector=!none&fieldSelector=metadata.name%3Dweb' },
    whole: true,
  },
  { name: 'a pod, whole', mutating: { a: toPods('label-a') }, call: { verb: 'create', resource: 'pods', body: pod }, whole: true },
  {
    name: 'binding, whole',
    before: there,
    mutating: { a: toPods('label-a') },
    validating: { a: toPods('deny') },
    call: { verb: 'create', resource: 'pods', name: 'p1', subresource: 'binding', body: binding },
    whole: true,
  },
  {
    name: 'status, whole',
    before: there,
    mutating: { a: toPods('allow') },
    call: { verb: 'update', resource: 'pods', name: 'p1', subresource: 'status', body: { ...admittedPod, status: { phase: 'Running' } } },
    whole: true,
  },
  {
    name: 'eviction, whole',
    before: there,
    validating: { a: toPods('deny') },
    call: {
      verb: 'create',
      resource: 'pods',
      name: 'p1',
      subresource: 'eviction',
      body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p1' } },
    },
    whole: true,
  },
  {
    name: 'configurations are sent to nobody',
    mutating: { a: one('deny', { rules: [rule('*/*')] }) },
    validating: { a: one('deny', { rules: [rule('*/*')] }) },
    call: {
      verb: 'create',
      resource: 'mutating',
      query: 'dryRun=All',
      body: { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'MutatingWebhookConfiguration', metadata: { name: 'x' } },
    },
  },
];

const ifNeeded: Json = { reinvocationPolicy: 'IfNeeded' };
const orders: readonly Flow[] = [
  {
    name: 'configurations by name, webhooks in their order',
    mutating: { b: [{ path: 'label-b' }, { path: 'label-a' }], a: [{ path: 'allow' }], 'b.b': [{ path: 'label-once' }] },
    call: create(),
  },
  { name: 'reinvoked after a later change', mutating: { a: one('label-a', ifNeeded), b: one('label-b') }, call: create() },
  { name: 'both reinvocable', mutating: { a: one('label-a', ifNeeded), b: one('label-b', ifNeeded) }, call: create() },
  { name: 'nobody reinvocable', mutating: { a: one('label-a'), b: one('label-b') }, call: create() },
  { name: 'not reinvoked without a later change', mutating: { a: one('label-a', ifNeeded), b: one('allow') }, call: create() },
  {
    name: 'not reinvoked after a patch of what is so already',
    mutating: { a: one('label-a', ifNeeded), b: one('patch-same') },
    call: create(),
  },
  {
    name: 'three in a row',
    mutating: { a: [{ path: 'label-once', ...ifNeeded }, { path: 'label-a', ...ifNeeded }, { path: 'label-b' }] },
    call: create(),
  },
  {
    name: 'not called for the first time in the second round',
    mutating: { a: [{ path: 'label-a', ...ifNeeded, objectSelector: { matchLabels: { b: '1' } } }, { path: 'label-b' }] },
    call: create(),
  },
  {
    name: 'the same webhook twice',
    mutating: {
      a: [
        { path: 'label-a', ...ifNeeded },
        { path: 'label-a', ...ifNeeded },
      ],
    },
    call: create(),
  },
  { name: 'a refusal ends mutation', mutating: { a: one('deny'), b: one('allow') }, validating: { a: one('allow') }, call: create() },
  { name: 'all that validate are asked', validating: { a: one('allow'), b: [{ path: 'deny' }, { path: 'warn' }] }, call: create() },
  {
    name: 'a mutated object is checked',
    mutating: { a: one('label-a') },
    validating: { a: one('deny', { objectSelector: { matchLabels: { a: '1' } } }) },
    call: create(),
  },
];

const moved: Flow = {
  name: 'an object does not move to another namespace',
  before: [{ resource: 'configMaps', body: map() }],
  mutating: { a: one('patch-namespace') },
  call: { verb: 'update', resource: 'configMaps', name: 'web', body: map({ data: { a: '2' } }) },
};

export const flows: readonly Flow[] = [
  ...answers.map((path) => mutating(path)),
  ...['allow', 'deny', 'deny-message', 'deny-details', 'warn', 'patch-same', 'type-only', 'patch-deny', 'uid-other', 'not-json'].map(
    (path) => validating(path),
  ),
  ...failures,
  ...betas,
  ...dry,
  ...selectors,
  ...rules,
  ...equivalents,
  ...verbs,
  ...orders,
  moved,
  ...Object.keys(badPatches).map((path) => mutating(path, undefined, create({ metadata: { finalizers: ['example.com/a'] } }))),
];
