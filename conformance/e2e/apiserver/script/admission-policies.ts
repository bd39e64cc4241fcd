import { apply, corePath, createNamespace, get, mergePatch, post, put, remove, type Step, type Topic } from '../compare/step.ts';
import { configMap, pod } from './objects.ts';

const NS = 'c-policies';
const PARAMS = 'c-policy-params';
const group = '/apis/admissionregistration.k8s.io/v1';
const policies = `${group}/validatingadmissionpolicies`;
const bindings = `${group}/validatingadmissionpolicybindings`;
const mutatingPolicies = `${group}/mutatingadmissionpolicies`;
const mutatingBindings = `${group}/mutatingadmissionpolicybindings`;

const object = (kind: string, name: string, spec: object): object => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind,
  metadata: { name },
  spec,
});
const inNamespace = { matchLabels: { 'kubernetes.io/metadata.name': NS } };
const matchConfigMaps = (operations: readonly string[] = ['CREATE', 'UPDATE']): object => ({
  namespaceSelector: inNamespace,
  resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations, resources: ['configmaps'] }],
});
const policy = (name: string, spec: object): object =>
  object('ValidatingAdmissionPolicy', name, { matchConstraints: matchConfigMaps(), ...spec });
const binding = (name: string, spec: object = {}): object =>
  object('ValidatingAdmissionPolicyBinding', name, { policyName: name, validationActions: ['Deny'], ...spec });
const mutatingPolicy = (name: string, spec: object): object =>
  object('MutatingAdmissionPolicy', name, { matchConstraints: matchConfigMaps(), reinvocationPolicy: 'Never', ...spec });
const mutatingBinding = (name: string): object => object('MutatingAdmissionPolicyBinding', name, { policyName: name });

/** An expression that fails unless `data.check` has another value. */
const unless = (check: string, expression = 'false'): string => `object.?data.?check.orValue('') != '${check}' || ${expression}`;
const when = (check: string): object => ({ name: check, expression: `object.?data.?check.orValue('') == '${check}'` });

const DENYING = policy('c-denying', {
  paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
  matchConditions: [{ name: 'not-params', expression: "request.name != 'c-params'" }],
  variables: [
    { name: 'check', expression: "object.?data.?check.orValue('')" },
    { name: 'broken', expression: "object.none.x == 'y'" },
    { name: 'upper', expression: 'variables.check.upperAscii()' },
  ],
  validations: [
    { expression: unless('plain') },
    { expression: unless('message'), message: ' a fixed message ' },
    {
      expression: unless('computed'),
      message: 'unused',
      messageExpression: "'computed ' + variables.upper + ' of ' + object.metadata.name",
    },
    { expression: unless('lines'), message: 'instead', messageExpression: "'a\\nb'" },
    { expression: unless('broken-message'), message: 'instead', messageExpression: 'string(object.none)' },
    { expression: unless('forbidden'), reason: 'Forbidden' },
    { expression: unless('large'), reason: 'RequestEntityTooLarge' },
    { expression: unless('no-key', "object.data.none == 'x'") },
    { expression: unless('no-variable', 'variables.broken') },
    { expression: unless('wrong-type', 'object.data.check + 1 == 2') },
    { expression: unless('division', '1 / int(object.data.zero) == 1') },
    { expression: unless('params', "params.data.size == object.data.size && params.kind == 'ConfigMap'") },
    { expression: unless('request', "request.userInfo.username == 'nobody'"), messageExpression: 'request.userInfo.username' },
    {
      expression: unless('attributes'),
      messageExpression:
        'request.operation + request.resource.resource + request.kind.kind + request.namespace + request.name + string(request.dryRun)',
    },
    { expression: unless('options'), messageExpression: 'string(request.options.kind) + string(request.options.apiVersion)' },
    { expression: unless('namespace'), messageExpression: 'namespaceObject.metadata.name + namespaceObject.status.phase' },
    { expression: unless('authorizer', "!authorizer.requestResource.check('get').allowed()") },
    { expression: unless('checks', "authorizer.path('').check('get').allowed()") },
    { expression: unless('account', "authorizer.serviceAccount('a b', 'c').path('/x').check('get').allowed()") },
    { expression: unless('old', 'oldObject == null'), message: 'there is an old object' },
    {
      expression: unless('metadata'),
      messageExpression:
        "['name', 'namespace', 'creationTimestamp', 'managedFields', 'labels', 'uid', 'generation'].filter(k, k in object.metadata).join(',')",
    },
    {
      expression: unless('fields'),
      messageExpression: "['apiVersion', 'kind', 'metadata', 'data', 'binaryData', 'immutable'].filter(k, k in object).join(',')",
    },
  ],
  auditAnnotations: [{ key: 'broken', valueExpression: "object.data.check == 'audit' ? string(object.none) : ''" }],
});

const create = (check: string, data: object = {}, options: Parameters<typeof post>[2] = {}): Step =>
  post(corePath(NS, 'configmaps'), configMap('c-checked', { check, ...data }), options);
const untilCode = (code: number): Parameters<typeof post>[2] => ({ until: (answer) => answer.code === code });

const denied =
  'plain message computed lines broken-message forbidden large no-key no-variable wrong-type request attributes options namespace'
    .concat(' authorizer checks account metadata fields audit')
    .split(' ');

const WARNING = policy('c-warning', {
  matchConditions: [when('warn')],
  validations: [{ expression: 'false', message: 'a warning' }, { expression: 'object.none == 1' }, { expression: 'true' }],
});

const MUTATIONS = [
  ['apply', 'Object{metadata: Object.metadata{labels: Object.metadata.labels{env: "prod"}}}'],
  ['apply-data', 'Object{data: {"added": object.metadata.name + string(size(object.data))}}'],
  ['apply-list', 'Object{metadata: Object.metadata{finalizers: ["a.example.com/b"]}}'],
  ['apply-type', 'Object{metadata: Object.data{}}'],
  ['apply-unknown', 'Object{none: 1}'],
  ['apply-value', 'Object{data: Object.data{a: 1}}'],
  ['apply-error', 'Object{data: {"a": string(object.none)}}'],
  ['apply-optional', 'Object{metadata: Object.metadata{?labels: object.?none}}'],
].map(([check = '', expression]) => ({ check, patchType: 'ApplyConfiguration', applyConfiguration: { expression } }));
const PATCHES = [
  ['patch', '[JSONPatch{op: "add", path: "/data/" + jsonpatch.escapeKey("a~b"), value: "c"}]'],
  ['patch-test', '[JSONPatch{op: "test", path: "/data/check", value: "x"}, JSONPatch{op: "remove", path: "/data"}]'],
  ['patch-missing', '[JSONPatch{op: "remove", path: "/data/none"}]'],
  ['patch-operation', '[JSONPatch{op: "other", path: "/data/none"}]'],
  ['patch-unknown', '[JSONPatch{op: "add", path: "/none", value: 1}]'],
  ['patch-value', '[JSONPatch{op: "add", path: "/data/a", value: 1}]'],
  ['patch-object', '[JSONPatch{op: "add", path: "/metadata/labels", value: Object.metadata.labels{a: "b"}}]'],
  ['patch-move', '[JSONPatch{op: "move", from: "/data/check", path: "/data/moved"}]'],
].map(([check = '', expression]) => ({ check, patchType: 'JSONPatch', jsonPatch: { expression } }));

const mutationSteps = ({ check, ...mutation }: { readonly check: string }): readonly Step[] => {
  const name = `c-${check}`;
  return [
    post(mutatingPolicies, mutatingPolicy(name, { matchConditions: [when(check)], mutations: [mutation] })),
    post(mutatingBindings, mutatingBinding(name)),
  ];
};

const dryRun = (check: string, options: Parameters<typeof post>[2] = {}): Step =>
  post(corePath(NS, 'configmaps', '?dryRun=All'), configMap('c-mutated', { check }), options);

/** Policies that validate and mutate; every request matches at most one of them, because a real server evaluates them in random order. */
export const admissionPolicies: Topic = {
  name: 'admission policies',
  steps: [
    createNamespace(NS),
    createNamespace(PARAMS),
    post(corePath(PARAMS, 'configmaps'), configMap('c-params', { size: '5' })),
    post(policies, WARNING),
    post(bindings, binding('c-warning', { validationActions: ['Warn', 'Audit'] })),
    post(policies, DENYING, { saveAs: 'policy' }),
    get(`${policies}/c-denying`),
    post(bindings, binding('c-denying', { paramRef: { name: 'c-params', namespace: PARAMS, parameterNotFoundAction: 'Deny' } })),
    get(`${bindings}/c-denying`),
    dryRun('plain', untilCode(422)),
    ...denied.map((check) => create(check)),
    create('division', { zero: '0' }),
    create('params', { size: '6' }),
    post(
      corePath(NS, 'configmaps'),
      { ...configMap('x', { check: 'message' }), metadata: { generateName: 'c-generated-' } },
      { view: () => undefined },
    ),
    create('fine'),
    mergePatch(corePath(NS, 'configmaps', '/c-checked'), { data: { check: 'old' } }),
    mergePatch(corePath(NS, 'configmaps', '/c-checked'), { data: { check: 'attributes' } }),
    put(corePath(NS, 'configmaps', '/c-checked'), configMap('c-checked', { check: 'forbidden' })),
    apply(corePath(NS, 'configmaps', '/c-applied?fieldManager=m'), configMap('c-applied', { check: 'options' })),
    post(corePath(NS, 'pods'), pod('c-other')),
    dryRun('warn'),
    // Without params, all requests are denied.
    remove(corePath(PARAMS, 'configmaps', '/c-params')),
    dryRun('fine', untilCode(422)),
    remove(`${bindings}/c-denying`),
    remove(`${policies}/c-denying`),
    // A paramKind that is not served.
    post(
      policies,
      policy('c-unknown', {
        paramKind: { apiVersion: 'none.example.com/v1', kind: 'None' },
        matchConditions: [when('kind')],
        validations: [{ expression: 'true' }],
      }),
    ),
    post(bindings, binding('c-unknown')),
    dryRun('kind', { until: ({ body }) => JSON.stringify(body).includes('c-unknown') }),
    remove(`${bindings}/c-unknown`),
    remove(`${policies}/c-unknown`),
    remove(`${bindings}/c-warning`),
    remove(`${policies}/c-warning`),
    // Mutations.
    ...[...MUTATIONS, ...PATCHES].flatMap(mutationSteps),
    get(`${mutatingPolicies}/c-apply`),
    get(`${mutatingBindings}/c-apply`),
    dryRun('patch-move', { until: ({ body }) => JSON.stringify(body).includes('moved') }),
    ...[...MUTATIONS, ...PATCHES].map(({ check }) => dryRun(check)),
    post(corePath(NS, 'configmaps?fieldManager=m'), configMap('c-managed', { check: 'apply' })),
    mergePatch(corePath(NS, 'configmaps', '/c-managed?fieldManager=n'), { data: { more: 'a' } }),
    apply(corePath(NS, 'configmaps', '/c-managed?fieldManager=o&force=true'), configMap('c-managed', { check: 'apply' })),
    ...[...MUTATIONS, ...PATCHES].flatMap(({ check }) => [
      remove(`${mutatingBindings}/c-${check}`),
      remove(`${mutatingPolicies}/c-${check}`),
    ]),
  ],
};
