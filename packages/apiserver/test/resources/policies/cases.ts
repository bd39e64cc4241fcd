const matchConstraints = {
  resourceRules: [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['deployments'] }],
};

interface PolicyCase {
  readonly id: string;
  readonly policy: object;
}

const object = (kind: string, spec: object, name = 'p.example.com'): object => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind,
  metadata: { name },
  spec,
});

const validating = (spec: object): object => object('ValidatingAdmissionPolicy', { matchConstraints, ...spec });
const mutating = (spec: object): object => object('MutatingAdmissionPolicy', { matchConstraints, reinvocationPolicy: 'Never', ...spec });
const applying = (expression: string, spec: object = {}): object =>
  mutating({ mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }], ...spec });
const patching = (expression: string, spec: object = {}): object =>
  mutating({ mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }], ...spec });
const binding = (spec: object, kind = 'ValidatingAdmissionPolicyBinding'): object =>
  object(kind, { policyName: 'p', ...(kind.startsWith('V') && { validationActions: ['Deny'] }), ...spec });
const expression = (text: string, spec: object = {}): object => validating({ validations: [{ expression: text }], ...spec });
const match = (fields: object): object => expression('true', { matchConstraints: { ...matchConstraints, ...fields } });

/** Expressions of validations; some do not compile. */
const expressions: readonly string[] = [
  'true',
  'object',
  'object.spec.replicas',
  'object.spec.replicas > 1',
  'object.spec.?replicas.orValue(0) > 1',
  'object.spec.?paused.orValue(false)',
  'has(object.spec.x) && object.spec.x',
  'object.spec.x ? true : false',
  'object.spec.x ? object.spec.y : false',
  'object.spec.containers.all(c, c.image.startsWith("a"))',
  'object.spec.containers.exists_one(c, c.image == "a")',
  'object.metadata.labels["a"] == "b"',
  '"a" in object.metadata.labels',
  '!object.spec.x',
  'object.spec.x || oldObject.spec.x',
  'request.name == "a"',
  'request.nothing == "a"',
  'request.kind.kind == 1',
  'request.userInfo.groups.exists(g, g == "a")',
  'request.userInfo.extra["a"].size() > 0',
  'request.uid == ""',
  'request.options.x == 1',
  'namespaceObject.metadata.labels["a"] == "b"',
  'namespaceObject.metadata.uid == "b"',
  'namespaceObject == null',
  'oldObject == null',
  'params.x == 1',
  'variables.x == 1',
  'unknown',
  'authorizer.requestResource.check("get").allowed()',
  'authorizer.requestResource.check("get")',
  'authorizer.group("apps").resource("deployments").namespace("a").name("b").subresource("c").check("get").reason() == ""',
  'authorizer.path("/healthz").check("get").errored()',
  'authorizer.path("/healthz").check("get").error() == ""',
  'authorizer.serviceAccount("a", "b").group("").resource("pods").fieldSelector("a=b").labelSelector("c=d").check("list").allowed()',
  'authorizer.path(1).check("get").allowed()',
  'authorizer.nothing("a")',
  'quantity(object.spec.cpu).isGreaterThan(quantity("1"))',
  '[1, 2].map(x, x * 2).size() == 2',
  '1',
  '"a"',
  '[1]',
  '{"a": 1}',
  'null',
  'duration("1s")',
  'timestamp("2020-01-01T00:00:00Z") < timestamp(object.metadata.creationTimestamp)',
  'optional.of(1)',
  '1 + "a" == 2',
  'object.spec.replicas + 1 == 2',
  'string(object.spec.replicas)',
  'type(object.spec.replicas) == int',
  'ip("1.2.3.4").family() == 4',
  'object.all(k, k != "")',
  'object.spec.list.filter(x, x > 1).size() == 0',
  'int(object.spec.replicas) <= 5',
  'object.spec.a.size() + object.spec.b.size() < 10',
  'object.spec.s.matches("^a+$")',
  'sets.contains(object.spec.list, [1])',
];

const variables: readonly { readonly name: string; readonly expression: string }[] = [
  { name: 'a', expression: 'object.spec.replicas' },
  { name: 'b', expression: '[1, 2]' },
  { name: 'c', expression: '{"k": "v"}' },
  { name: 'd', expression: 'variables.b.size() > 1' },
  { name: 'e', expression: 'timestamp("2020-01-01T00:00:00Z")' },
  { name: 'f', expression: 'authorizer' },
  { name: 'g', expression: 'optional.of(1)' },
];

const expressionsWithVariables: readonly string[] = [
  'variables.a',
  'variables.a > 1',
  'variables.b',
  'variables.b[0] == 1',
  'variables.b[0] == "a"',
  'variables.c.k == "v"',
  'variables.c.k == 1',
  'variables.d',
  'variables.e < timestamp("2021-01-01T00:00:00Z")',
  'variables.e == 1',
  'variables.f.path("/").check("get").allowed()',
  'variables.g.orValue(2) == 1',
  'variables.z',
  'variables["a"] == 1',
  'has(variables.a)',
];

const applyExpressions: readonly string[] = [
  'Object{}',
  'Object{spec: Object.spec{replicas: 3}}',
  'Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{hostNetwork: true}}}}',
  'Object{metadata: Object.metadata{labels: Object.metadata.labels{env: "prod"}}}',
  'Object{metadata: Object.metadata{annotations: {"a.b/c": "d"}}}',
  'Object{spec: Object.metadata{}}',
  'Object{spec: Object.spec{containers: object.spec.containers.map(c, Object.spec.containers{name: c.name})}}',
  'Object.spec{}',
  '1',
  'object',
  'has(object.spec.x) ? Object{} : Object{spec: Object.spec{replicas: 1}}',
  'Object{spec: Object.spec{replicas: unknown}}',
  'Object{spec: Other{}}',
  'Object{?spec: optional.of(Object.spec{replicas: 1})}',
  'JSONPatch{op: "add"}',
];

const patchExpressions: readonly string[] = [
  '[]',
  '[JSONPatch{op: "add", path: "/spec/replicas", value: 3}]',
  '[JSONPatch{op: "test", path: "/a", value: 1}, JSONPatch{op: "remove", path: "/a"}]',
  '[JSONPatch{op: "move", from: "/a", path: "/b"}]',
  '[JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("a/b"), value: "c"}]',
  '[JSONPatch{op: "add", path: "/spec/a", value: Object.spec.a{b: 1}}]',
  '[JSONPatch{nothing: "add"}]',
  '[JSONPatch{op: 1}]',
  'JSONPatch{op: "add"}',
  '1',
  '[1]',
  'object.spec.x ? [JSONPatch{op: "remove", path: "/a"}] : []',
  '[JSONPatch{op: "add", path: "/a", value: {"b": [1, 2]}}] + [JSONPatch{op: "remove", path: "/c"}]',
];

const bindings: readonly object[] = [
  {},
  { policyName: '' },
  { policyName: 'A_B' },
  { validationActions: [] },
  { validationActions: ['Deny', 'Warn'] },
  { validationActions: ['Deny', 'Deny', 'Shout'] },
  { paramRef: {} },
  { paramRef: { name: 'a', parameterNotFoundAction: 'Deny' } },
  { paramRef: { name: 'a/b', selector: {}, parameterNotFoundAction: 'Other' } },
  { paramRef: { selector: { matchLabels: { 'a b': 'c' } }, parameterNotFoundAction: 'Allow' } },
  { matchResources: { namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'X' }] } } },
  { matchResources: { resourceRules: [{ operations: ['DELETE'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] }] } },
];

const specs: readonly object[] = [
  validating({}),
  validating({ validations: [], auditAnnotations: [] }),
  object('ValidatingAdmissionPolicy', { validations: [{ expression: 'true' }] }),
  expression('true', { failurePolicy: 'Other' }),
  expression('params == null', { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } }),
  ...[
    {},
    { apiVersion: 'a/b/c', kind: 'X' },
    { apiVersion: '/', kind: 'X' },
    { apiVersion: 'A_B/v1', kind: 'X' },
    { apiVersion: 'a/1', kind: 'X Y' },
    { apiVersion: 'a/', kind: 'x-Y' },
  ].map((paramKind) => expression('true', { paramKind })),
  match({ resourceRules: [] }),
  match({ matchPolicy: 'Other' }),
  match({ objectSelector: { matchLabels: { a: 'b c' } } }),
  match({ excludeResourceRules: [{ resourceNames: ['a', 'a', '..'], operations: ['*', 'CREATE'] }] }),
  match({ resourceRules: [{ operations: ['OTHER'], apiGroups: [], apiVersions: [''], resources: ['pods/*', 'pods/status'], scope: 'X' }] }),
  expression('true', {
    matchConditions: [
      { name: 'a', expression: ' request.name ' },
      { name: 'a', expression: '' },
      { name: '', expression: 'params' },
    ],
  }),
  expression('true', { matchConditions: [{ name: 'A B', expression: 'variables.a' }], variables }),
  expression('true', {
    variables: [
      { name: '', expression: '' },
      { name: '1a', expression: 'x' },
      { name: 'namespace', expression: '1' },
    ],
  }),
  expression('true', {
    variables: [
      { name: 'a', expression: 'variables.b' },
      { name: 'b', expression: '1' },
    ],
  }),
  validating({ validations: [{ expression: ' ', message: ' ', messageExpression: ' ', reason: 'Other' }] }),
  validating({ validations: [{ expression: 'true', message: 'a\nb', messageExpression: '1' }] }),
  validating({ validations: [{ expression: 'true', messageExpression: 'authorizer.path("/").check("get").reason()' }] }),
  validating({ validations: [{ expression: 'true', messageExpression: 'object.spec.x' }] }),
  validating({ auditAnnotations: [{ key: 'a', valueExpression: 'object.a ? "a" : null' }] }),
  validating({
    auditAnnotations: [
      { key: 'a', valueExpression: ' 1 ' },
      { key: 'a', valueExpression: '' },
      { key: 'A B', valueExpression: 'null' },
    ],
  }),
  validating({ auditAnnotations: [{ key: 'a', valueExpression: `"${'x'.repeat(6000)}"` }] }),
  validating({ auditAnnotations: Array.from({ length: 21 }, (_, i) => ({ key: `a${i}`, valueExpression: '"a"' })) }),
  object('ValidatingAdmissionPolicy', { matchConstraints, auditAnnotations: [{ key: 'a', valueExpression: '"a"' }] }, ''),
  mutating({}),
  mutating({ reinvocationPolicy: '' }),
  applying('Object{}', { reinvocationPolicy: 'Other', failurePolicy: 'Other' }),
  applying('Object{}', { matchConstraints: { resourceRules: [{ ...matchConstraints.resourceRules[0], operations: ['DELETE'] }] } }),
  mutating({ mutations: [{}, { patchType: 'Other' }, { patchType: 'JSONPatch' }, { patchType: 'ApplyConfiguration' }] }),
  mutating({
    mutations: [
      { patchType: 'JSONPatch', jsonPatch: { expression: ' ' }, applyConfiguration: { expression: 'Object{}' } },
      { patchType: 'ApplyConfiguration', applyConfiguration: {}, jsonPatch: { expression: '[]' } },
    ],
  }),
  applying('Object{spec: Object.spec{replicas: variables.a}}', { variables }),
  patching('[JSONPatch{op: "add", path: params.x, value: variables.c}]', { variables, paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } }),
];

/** Objects of admission policies and bindings, valid and invalid. */
export const policyCases: readonly PolicyCase[] = [
  ...specs.map((policy, i) => ({ id: `policy ${i}`, policy })),
  ...bindings.map((spec, i) => ({ id: `validating binding ${i}`, policy: binding(spec) })),
  ...bindings.map((spec, i) => ({ id: `mutating binding ${i}`, policy: binding(spec, 'MutatingAdmissionPolicyBinding') })),
  ...expressions.map((each) => ({ id: `validation: ${each}`, policy: expression(each) })),
  ...expressionsWithVariables.map((each) => ({ id: `validation with variables: ${each}`, policy: expression(each, { variables }) })),
];

/** Policies with mutations, some of which do not compile. */
export const mutationCases: readonly PolicyCase[] = [
  ...applyExpressions.map((each) => ({ id: `apply configuration: ${each}`, policy: applying(each) })),
  ...patchExpressions.map((each) => ({ id: `patch: ${each}`, policy: patching(each) })),
];
