import { apply, corePath, createNamespace, get, jsonPatch, mergePatch, post, remove, type Step, type Topic } from '../compare/step.ts';
import { CUSTOM_GROUP, DEFINITIONS, definition, version } from './definitions.ts';
import { configMap } from './objects.ts';

const NS = 'c-rules';
const collection = `/apis/${CUSTOM_GROUP}/v1/namespaces/${NS}/ruleds`;
const hooks = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';

const rules = (...entries: readonly (string | object)[]): object => ({
  'x-kubernetes-validations': entries.map((rule) => (typeof rule === 'string' ? { rule } : rule)),
});
const textSchema = { type: 'string', maxLength: 20 };

const SPEC = {
  type: 'object',
  ...rules(
    'self.min <= self.max',
    { rule: 'self.max >= oldSelf.max', message: 'max never falls', fieldPath: '.max' },
    { rule: "!has(self.cpu) || quantity(self.cpu).isLessThan(quantity('2'))", messageExpression: "'too much: ' + self.cpu" },
    { rule: 'self.ports.size() < 3 || self.min > 5', reason: 'FieldValueForbidden' },
  ),
  properties: {
    min: { type: 'integer', default: 1 },
    max: { type: 'integer', default: 9 },
    cpu: textSchema,
    name: { ...textSchema, ...rules({ rule: 'self == oldSelf', message: 'is immutable' }) },
    ports: {
      type: 'array',
      maxItems: 5,
      default: [],
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: textSchema, port: { type: 'integer', ...rules('self > 0 && self < 65536') } },
      },
    },
    labels: { type: 'object', maxProperties: 5, additionalProperties: { ...textSchema, ...rules("self.matches('^[a-z]+$')") } },
    'a-b': { type: 'number' },
  },
};
const SCHEMA = {
  type: 'object',
  ...rules("self.metadata.name.startsWith('r')", "!has(self.status) || self.status.phase != 'Lost'"),
  properties: { spec: SPEC, status: { type: 'object', properties: { phase: textSchema } } },
};

const postInvalidSchema = (n: number, schema: object): Step =>
  post(DEFINITIONS, definition(`unruly${n}`, `Unruly${n}`, { versions: [version({ type: 'object', properties: { spec: schema } })] }));
const withRule = (rule: string | object): object => ({
  type: 'object',
  properties: { n: { type: 'integer' }, s: textSchema, list: { type: 'array', maxItems: 3, items: { type: 'integer' } } },
  ...rules(rule),
});
const INVALID_SCHEMAS: readonly object[] = [
  withRule('self.missing > 1'),
  withRule('self.n > self.s'),
  withRule('self.n'),
  withRule('unknown(self.n)'),
  withRule('other > 1'),
  withRule('self.list.all(x, x.field)'),
  withRule('has(self.nothing)'),
  withRule({ rule: 'self.n > 1', messageExpression: 'self.n' }),
  withRule({ rule: 'self.n > 1', optionalOldSelf: true }),
  { type: 'array', maxItems: 3, items: { type: 'integer', ...rules('self >= oldSelf') } },
];

const ruledObject = (name: string, spec: object = {}): object => ({
  apiVersion: `${CUSTOM_GROUP}/v1`,
  kind: 'Ruled',
  metadata: { name },
  spec,
});
const port = (name: string, number: number): object => ({ name, port: number });

const webhookWithConditions = (...expressions: readonly string[]): object => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'c-rules' },
  webhooks: [
    {
      name: 'hook.example.com',
      clientConfig: { url: 'https://127.0.0.1:9/hook' },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'], scope: 'Namespaced' }],
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': NS } },
      matchConditions: expressions.map((expression, i) => ({ name: `condition-${i}`, expression })),
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    },
  ],
});
/** Waits until the webhook denies the request, because a configuration takes effect shortly after it was written. */
const untilDenied = { until: ({ code }: { readonly code: number }): boolean => code === 403 };

/** Validation rules of custom resources, and match conditions of webhooks. */
export const rulesInCel: Topic = {
  name: 'rules in CEL',
  steps: [
    createNamespace(NS),
    // Rules that do not compile.
    ...INVALID_SCHEMAS.map((schema, n) => postInvalidSchema(n, schema)),
    post(DEFINITIONS, definition('ruleds', 'Ruled', { versions: [version(SCHEMA, { subresources: { status: {} } })] })),
    get(`/apis/${CUSTOM_GROUP}/v1/ruleds`, { until: ({ code }) => code === 200 }),
    // Creates: the first object satisfies all rules; each of the others violates at least one.
    post(collection, ruledObject('r-one', { name: 'a', ports: [port('http', 80)], labels: { a: 'x' } })),
    post(collection, ruledObject('one')),
    post(collection, ruledObject('r-order', { min: 5, max: 4 })),
    post(collection, ruledObject('r-cpu', { cpu: '3' })),
    post(collection, ruledObject('r-cpu-odd', { cpu: 'much' })),
    post(collection, ruledObject('r-ports', { ports: [port('a', 1), port('b', 70_000), port('c', 0)] })),
    post(collection, ruledObject('r-labels', { labels: { a: 'A' } })),
    post(collection, ruledObject('r-type', { min: 'many', max: 0 })),
    post(collection, ruledObject('r-several', { min: 9, max: 1, cpu: '5' })),
    // Updates, including transition rules.
    mergePatch(`${collection}/r-one`, { spec: { max: 3 } }),
    mergePatch(`${collection}/r-one`, { spec: { name: 'b' } }),
    mergePatch(`${collection}/r-one`, { spec: { name: null } }),
    mergePatch(`${collection}/r-one`, { spec: { max: 12, min: 12 } }),
    jsonPatch(`${collection}/r-one`, [{ op: 'replace', path: '/spec/ports/0/port', value: -1 }]),
    apply(`${collection}/r-two?fieldManager=m`, ruledObject('r-two', { min: 20 })),
    apply(`${collection}/r-two?fieldManager=m`, ruledObject('r-two', { min: 2, cpu: '500m' })),
    mergePatch(`${collection}/r-one/status`, { status: { phase: 'Lost' } }),
    mergePatch(`${collection}/r-one/status`, { status: { phase: 'Found' } }),
    get(collection),
    remove(`${DEFINITIONS}/ruleds.${CUSTOM_GROUP}`),
    get(`/apis/${CUSTOM_GROUP}/v1/ruleds`, { until: ({ code }) => code === 404 }),
    // Match conditions that do not compile, then conditions that match some requests.
    post(hooks, webhookWithConditions('request.nothing == 1')),
    post(hooks, webhookWithConditions('request.name')),
    post(hooks, webhookWithConditions('true', 'self == 1')),
    post(hooks, webhookWithConditions("object.data.deny == 'yes'", "request.operation == 'CREATE' && oldObject == null")),
    post(corePath(NS, 'configmaps', '?dryRun=All'), configMap('asked'), untilDenied),
    mergePatch(`${hooks}/c-rules`, { webhooks: null }),
    remove(`${hooks}/c-rules`),
    post(hooks, webhookWithConditions("object.data.deny == 'yes'", "object.metadata.name == 'asked'")),
    post(corePath(NS, 'configmaps', '?dryRun=All'), configMap('asked'), untilDenied),
    post(corePath(NS, 'configmaps', '?dryRun=All'), configMap('other')),
    remove(`${hooks}/c-rules`),
  ],
};
