import { badPatches } from './bad-patches.ts';
import type { Flow, Hook } from './flow.ts';

type Json = Readonly<Record<string, unknown>>;

const configMap = (overrides: Json = {}): Json => {
  const { metadata, ...fields } = overrides;
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web', ...(metadata as Json | undefined) }, data: { a: '1' }, ...fields };
};
const createCall = (fields?: Json, query?: string): Flow['call'] => ({
  verb: 'create',
  resource: 'configMaps',
  body: configMap(fields),
  ...(query && { query }),
});
const hook = (path: string, fields: Json = {}): readonly Hook[] => [{ path, ...fields }];
const rule = (...resources: readonly string[]): Json => ({ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources });

/** Creates a flow with one webhook; by default, the call creates a ConfigMap. */
const createMutatingFlow = (path: string, fields?: Json, call: Flow['call'] = createCall()): Flow => ({
  name: `mutating ${path}${fields ? ` ${JSON.stringify(fields)}` : ''}`,
  mutating: { one: hook(path, fields) },
  call,
});
const createValidatingFlow = (path: string, fields?: Json, call: Flow['call'] = createCall()): Flow => ({
  name: `validating ${path}${fields ? ` ${JSON.stringify(fields)}` : ''}`,
  validating: { one: hook(path, fields) },
  call,
});

/** The path of a webhook selects how the test's webhook server answers. */
const answerPaths: readonly string[] = [
  ...['allow', '', 'some/path', 'deny', 'deny-message', 'deny-reason', 'deny-success', 'deny-details', 'deny-custom', 'deny-retry'],
  ...['warn', 'warn-deny', 'warn-long', 'label-a', 'patch-same', 'patch-none', 'patch-null', 'patch-not-there', 'patch-test'],
  ...['patch-no-path', 'patch-odd-op', 'patch-text', 'patch-object', 'patch-no-base64', 'patch-untyped', 'patch-typed-empty'],
  ...['patch-merge', 'type-only', 'patch-deny', 'patch-kind', 'patch-no-kind', 'patch-name', 'patch-namespace', 'patch-unknown'],
  ...['patch-type', 'patch-data', 'uid-other', 'no-response', 'no-kind', 'other-version', 'other-kind', 'other-group', 'not-json'],
  ...['broken-json', 'empty', 'array', 'nothing', 'status-200', 'status-500', 'text-500', 'json-500', 'text-400', 'text-403'],
  ...['text-503', 'text-418', 'created', 'allowed-text', 'warnings-text', 'audit-numbers', 'audit', 'yaml', 'odd-type', 'no-type'],
  ...['broken-type', 'retry-429', 'retry-always', 'hangup', 'truncated', 'missing', 'redirect-302', 'redirect-307'],
];

const ignoreFailure: Json = { failurePolicy: 'Ignore' };
const v1beta1: Json = { admissionReviewVersions: ['v1beta1'] };
const urlConfig = (text: string, fields: Json = {}): Json => ({ clientConfig: { url: text, ...fields } });
const serviceConfig = (name: string, fields: Json = {}): Json => ({ clientConfig: { service: { name, namespace: 'flows', ...fields } } });

const failureFlows: readonly Flow[] = [
  createMutatingFlow('slow', { timeoutSeconds: 1 }),
  createMutatingFlow('slow-body', { timeoutSeconds: 1 }),
  createMutatingFlow('slow', { timeoutSeconds: 1, ...ignoreFailure }),
  createValidatingFlow('slow', { timeoutSeconds: 1 }),
  createMutatingFlow('hangup', ignoreFailure),
  createMutatingFlow('not-json', ignoreFailure),
  createMutatingFlow('deny', ignoreFailure),
  createMutatingFlow('patch-text', ignoreFailure),
  createMutatingFlow('patch-not-there', ignoreFailure),
  createMutatingFlow('patch-type', ignoreFailure),
  createMutatingFlow('no-response', ignoreFailure),
  createMutatingFlow('allow', urlConfig('https://127.0.0.1:1/allow')),
  createMutatingFlow('allow', urlConfig('https://localhost:PORT/allow/')),
  createMutatingFlow('allow', urlConfig('https://127.0.0.1:PORT//some/../allow/')),
  createMutatingFlow('allow', urlConfig('https://127.0.0.1:PORT/al%6cow')),
  createMutatingFlow('allow', urlConfig('https://127.0.0.1:PORT/allow', { caBundle: '' })),
  createMutatingFlow('allow', urlConfig('https://127.0.0.1:PORT/allow', { caBundle: Buffer.from('no certificate').toString('base64') })),
  createMutatingFlow('allow', serviceConfig('nobody')),
  createMutatingFlow('allow', serviceConfig('nobody', { path: '/allow', port: 8443 })),
  createValidatingFlow('allow', urlConfig('https://127.0.0.1:1/allow')),
];

const v1beta1Flows: readonly Flow[] = [
  { ...createMutatingFlow('label-a', v1beta1), completeReviews: true },
  createMutatingFlow('patch-untyped', v1beta1),
  createMutatingFlow('uid-other', v1beta1),
  createMutatingFlow('no-kind', v1beta1),
  createMutatingFlow('nothing', v1beta1),
  createValidatingFlow('patch-same', v1beta1),
  createValidatingFlow('deny-message', v1beta1),
  createMutatingFlow('allow', { admissionReviewVersions: ['v2', 'v1', 'v1beta1'] }),
];

const dryRunFlows: readonly Flow[] = [
  createMutatingFlow('label-a', { sideEffects: 'NoneOnDryRun' }, createCall({}, 'dryRun=All')),
  {
    ...createValidatingFlow('allow', undefined, createCall({}, 'dryRun=All&fieldManager=me&fieldValidation=Strict')),
    name: 'a dry run, complete review',
    completeReviews: true,
  },
];

const selectorFlows: readonly Flow[] = [
  createMutatingFlow('label-a', { objectSelector: { matchLabels: { app: 'web' } } }),
  {
    ...createMutatingFlow(
      'label-a',
      { objectSelector: { matchLabels: { app: 'web' } } },
      createCall({ metadata: { labels: { app: 'web' } } }),
    ),
    name: 'a webhook whose object selector matches is called',
  },
  createMutatingFlow('label-a', { objectSelector: { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['web'] }] } }),
  createMutatingFlow('label-a', { objectSelector: { matchExpressions: [{ key: 'app', operator: 'Exists' }] } }),
  createMutatingFlow('label-a', { objectSelector: { matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] } }),
  createMutatingFlow('label-a', { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'flows' } } }),
  createMutatingFlow('label-a', { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'other' } } }),
  createMutatingFlow('label-a', { namespaceSelector: { matchExpressions: [{ key: 'team', operator: 'In', values: ['a', 'b'] }] } }),
  createMutatingFlow('label-a', { namespaceSelector: { matchExpressions: [{ key: 'none', operator: 'In', values: ['a', 'b'] }] } }),
  {
    name: 'an object selector matches labels that an earlier webhook added',
    mutating: { a: hook('label-a'), b: hook('label-b', { objectSelector: { matchLabels: { a: '1' } } }) },
    call: createCall(),
  },
  {
    name: 'an object selector matches the old labels of an update',
    existingObjects: [{ resource: 'configMaps', body: configMap({ metadata: { labels: { app: 'web' } } }) }],
    mutating: { a: hook('label-a', { objectSelector: { matchLabels: { app: 'web' } } }) },
    call: { verb: 'update', resource: 'configMaps', name: 'web', body: configMap() },
  },
  {
    name: 'a namespace selector matches the labels of the new namespace itself',
    mutating: { a: hook('label-a', { rules: [rule('namespaces')], namespaceSelector: { matchLabels: { team: 'x' } } }) },
    call: {
      verb: 'create',
      resource: 'namespaces',
      query: 'dryRun=All',
      body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'newest', labels: { team: 'x' } } },
    },
    completeReviews: true,
  },
  {
    name: 'a namespace selector matches every cluster-scoped object',
    validating: { a: hook('deny', { rules: [rule('nodes')], namespaceSelector: { matchLabels: { team: 'x' } } }) },
    call: { verb: 'create', resource: 'nodes', body: { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } } },
  },
];

const ruleFlows: readonly Flow[] = [
  ['scope Namespaced', { ...rule('*'), scope: 'Namespaced' }, 'configMaps'],
  ['scope Cluster', { ...rule('*'), scope: 'Cluster' }, 'configMaps'],
  ['scope Namespaced, write of a Namespace', { ...rule('*'), scope: 'Namespaced' }, 'namespaces'],
  ['scope Cluster, write of a Namespace', { ...rule('*'), scope: 'Cluster' }, 'namespaces'],
  ['a different operation', { ...rule('*'), operations: ['UPDATE', 'DELETE'] }, 'configMaps'],
  ['a different group', { ...rule('*'), apiGroups: ['apps'] }, 'configMaps'],
  ['a different version', { ...rule('*'), apiVersions: ['v2'] }, 'configMaps'],
  ['the subresource status of all resources', rule('*/status'), 'configMaps'],
  ['all resources and subresources', rule('*/*'), 'configMaps'],
  ['a resource and its subresources', rule('configmaps/*'), 'configMaps'],
].map(([name, ruleOptions, resource]) => ({
  name: `rules: ${name as string}`,
  // The last webhook always refuses, so that no Namespace remains in the recording cluster.
  validating: { a: hook('warn', { rules: [ruleOptions] }), z: hook('deny', { rules: [rule('*')] }) },
  call: {
    verb: 'create',
    resource: resource as string,
    body: resource === 'namespaces' ? { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ruled' } } : configMap(),
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

const equivalentFlows: readonly Flow[] = (['Exact', 'Equivalent'] as const).map((matchPolicy) => ({
  name: `matchPolicy ${matchPolicy}`,
  mutating: {
    a: hook('label-a', { matchPolicy, rules: [{ ...rule('events'), apiGroups: ['events.k8s.io'], apiVersions: ['v1'] }] }),
    b: hook('label-b', { rules: [{ ...rule('events'), apiGroups: [''] }] }),
  },
  call: { verb: 'create', resource: 'events', body: { apiVersion: 'v1', kind: 'Event', ...event } },
  completeReviews: true,
}));

const pod: Json = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p1' },
  spec: { containers: [{ name: 'main', image: 'web' }], tolerations: [{ key: 'k', operator: 'Exists' }] },
};
const podHooks = (...paths: readonly string[]): readonly Hook[] => paths.map((path) => ({ path, rules: [rule('pods', 'pods/*')] }));
/** `pod` after the admission plugins of kube-apiserver. */
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
const existingPod = [{ resource: 'pods', body: pod }];

const verbFlows: readonly Flow[] = [
  {
    name: 'create, complete review',
    mutating: { a: hook('label-a') },
    validating: { a: hook('allow') },
    call: createCall({}, 'fieldManager=me'),
    completeReviews: true,
  },
  {
    name: 'create with generateName',
    mutating: { a: hook('label-a') },
    validating: { a: hook('deny') },
    call: { verb: 'create', resource: 'configMaps', body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'web-' } } },
  },
  {
    name: 'update, complete review',
    existingObjects: [{ resource: 'configMaps', body: configMap() }],
    mutating: { a: hook('label-a') },
    validating: { a: hook('allow') },
    call: { verb: 'update', resource: 'configMaps', name: 'web', body: configMap({ data: { a: '2' } }) },
    completeReviews: true,
  },
  {
    name: 'patch, complete review',
    existingObjects: [{ resource: 'configMaps', body: configMap() }],
    mutating: { a: hook('label-a') },
    validating: { a: hook('allow') },
    call: { verb: 'patch', resource: 'configMaps', name: 'web', body: { data: { b: '2' } } },
    completeReviews: true,
  },
  {
    name: 'delete, complete review',
    existingObjects: [{ resource: 'configMaps', body: configMap() }],
    mutating: { a: hook('allow') },
    validating: { a: hook('allow') },
    call: { verb: 'delete', resource: 'configMaps', name: 'web', body: { propagationPolicy: 'Background' } },
    completeReviews: true,
  },
  {
    name: 'a patch in answer to a deletion is an error',
    existingObjects: [{ resource: 'configMaps', body: configMap() }],
    mutating: { a: hook('patch-same') },
    call: { verb: 'delete', resource: 'configMaps', name: 'web' },
  },
  {
    name: 'a validating webhook refuses a deletion',
    existingObjects: [{ resource: 'configMaps', body: configMap() }],
    validating: { a: hook('deny-message') },
    call: { verb: 'delete', resource: 'configMaps', name: 'web' },
  },
  {
    name: 'deletecollection, complete review',
    existingObjects: [{ resource: 'configMaps', body: configMap() }],
    mutating: { a: hook('allow') },
    call: { verb: 'deletecollection', resource: 'configMaps', query: 'labelSelector=!none&fieldSelector=metadata.name%3Dweb' },
    completeReviews: true,
  },
  {
    name: 'a pod, complete review',
    mutating: { a: podHooks('label-a') },
    call: { verb: 'create', resource: 'pods', body: pod },
    completeReviews: true,
  },
  {
    name: 'binding, complete review',
    existingObjects: existingPod,
    mutating: { a: podHooks('label-a') },
    validating: { a: podHooks('deny') },
    call: { verb: 'create', resource: 'pods', name: 'p1', subresource: 'binding', body: binding },
    completeReviews: true,
  },
  {
    name: 'status, complete review',
    existingObjects: existingPod,
    mutating: { a: podHooks('allow') },
    call: { verb: 'update', resource: 'pods', name: 'p1', subresource: 'status', body: { ...admittedPod, status: { phase: 'Running' } } },
    completeReviews: true,
  },
  {
    name: 'eviction, complete review',
    existingObjects: existingPod,
    validating: { a: podHooks('deny') },
    call: {
      verb: 'create',
      resource: 'pods',
      name: 'p1',
      subresource: 'eviction',
      body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p1' } },
    },
    completeReviews: true,
  },
  {
    name: 'webhooks are not called for webhook configurations',
    mutating: { a: hook('deny', { rules: [rule('*/*')] }) },
    validating: { a: hook('deny', { rules: [rule('*/*')] }) },
    call: {
      verb: 'create',
      resource: 'mutating',
      query: 'dryRun=All',
      body: { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'MutatingWebhookConfiguration', metadata: { name: 'x' } },
    },
  },
];

const ifNeeded: Json = { reinvocationPolicy: 'IfNeeded' };
const orderFlows: readonly Flow[] = [
  {
    name: 'webhooks run sorted by configuration name, then in the order of the configuration',
    mutating: { b: [{ path: 'label-b' }, { path: 'label-a' }], a: [{ path: 'allow' }], 'b.b': [{ path: 'label-once' }] },
    call: createCall(),
  },
  {
    name: 'a reinvocable webhook is called again after a later change',
    mutating: { a: hook('label-a', ifNeeded), b: hook('label-b') },
    call: createCall(),
  },
  {
    name: 'the first of two reinvocable webhooks is called again',
    mutating: { a: hook('label-a', ifNeeded), b: hook('label-b', ifNeeded) },
    call: createCall(),
  },
  { name: 'webhooks that are not reinvocable are called once', mutating: { a: hook('label-a'), b: hook('label-b') }, call: createCall() },
  {
    name: 'a reinvocable webhook is called once without a later change',
    mutating: { a: hook('label-a', ifNeeded), b: hook('allow') },
    call: createCall(),
  },
  {
    name: 'a reinvocable webhook is called once if a later patch changes nothing',
    mutating: { a: hook('label-a', ifNeeded), b: hook('patch-same') },
    call: createCall(),
  },
  {
    name: 'two reinvocable webhooks of one configuration are called again',
    mutating: { a: [{ path: 'label-once', ...ifNeeded }, { path: 'label-a', ...ifNeeded }, { path: 'label-b' }] },
    call: createCall(),
  },
  {
    name: 'the second round calls no webhook for the first time',
    mutating: { a: [{ path: 'label-a', ...ifNeeded, objectSelector: { matchLabels: { b: '1' } } }, { path: 'label-b' }] },
    call: createCall(),
  },
  {
    name: 'a webhook that is configured twice is called again once',
    mutating: {
      a: [
        { path: 'label-a', ...ifNeeded },
        { path: 'label-a', ...ifNeeded },
      ],
    },
    call: createCall(),
  },
  {
    name: 'no webhook is called after a mutating webhook refuses',
    mutating: { a: hook('deny'), b: hook('allow') },
    validating: { a: hook('allow') },
    call: createCall(),
  },
  {
    name: 'all validating webhooks are called even if one refuses',
    validating: { a: hook('allow'), b: [{ path: 'deny' }, { path: 'warn' }] },
    call: createCall(),
  },
  {
    name: 'validating webhooks receive the mutated object',
    mutating: { a: hook('label-a') },
    validating: { a: hook('deny', { objectSelector: { matchLabels: { a: '1' } } }) },
    call: createCall(),
  },
];

const moveFlow: Flow = {
  name: 'a patch cannot move the object to another namespace',
  existingObjects: [{ resource: 'configMaps', body: configMap() }],
  mutating: { a: hook('patch-namespace') },
  call: { verb: 'update', resource: 'configMaps', name: 'web', body: configMap({ data: { a: '2' } }) },
};

export const flows: readonly Flow[] = [
  ...answerPaths.map((path) => createMutatingFlow(path)),
  ...['allow', 'deny', 'deny-message', 'deny-details', 'warn', 'patch-same', 'type-only', 'patch-deny', 'uid-other', 'not-json'].map(
    (path) => createValidatingFlow(path),
  ),
  ...failureFlows,
  ...v1beta1Flows,
  ...dryRunFlows,
  ...selectorFlows,
  ...ruleFlows,
  ...equivalentFlows,
  ...verbFlows,
  ...orderFlows,
  moveFlow,
  ...Object.keys(badPatches).map((path) =>
    createMutatingFlow(path, undefined, createCall({ metadata: { finalizers: ['example.com/a'] } })),
  ),
];
