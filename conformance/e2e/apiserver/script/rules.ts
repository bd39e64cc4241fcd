import { apply, core, get, jsonPatch, mergePatch, newNamespace, post, remove, type Step, type Topic } from '../compare/step.ts';
import { DEFINITIONS, definition, GROUP, version } from './definitions.ts';
import { configMap } from './objects.ts';

const NS = 'c-rules';
const all = `/apis/${GROUP}/v1/namespaces/${NS}/ruleds`;
const hooks = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';

const rules = (...given: readonly (string | object)[]): object => ({
  'x-kubernetes-validations': given.map((rule) => (typeof rule === 'string' ? { rule } : rule)),
});
const text = { type: 'string', maxLength: 20 };

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
    cpu: text,
    name: { ...text, ...rules({ rule: 'self == oldSelf', message: 'is immutable' }) },
    ports: {
      type: 'array',
      maxItems: 5,
      default: [],
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: text, port: { type: 'integer', ...rules('self > 0 && self < 65536') } },
      },
    },
    labels: { type: 'object', maxProperties: 5, additionalProperties: { ...text, ...rules("self.matches('^[a-z]+$')") } },
    'a-b': { type: 'number' },
  },
};
const SCHEMA = {
  type: 'object',
  ...rules("self.metadata.name.startsWith('r')", "!has(self.status) || self.status.phase != 'Lost'"),
  properties: { spec: SPEC, status: { type: 'object', properties: { phase: text } } },
};

const refused = (n: number, schema: object): Step =>
  post(DEFINITIONS, definition(`unruly${n}`, `Unruly${n}`, { versions: [version({ type: 'object', properties: { spec: schema } })] }));
const withRule = (rule: string | object): object => ({
  type: 'object',
  properties: { n: { type: 'integer' }, s: text, list: { type: 'array', maxItems: 3, items: { type: 'integer' } } },
  ...rules(rule),
});
const UNREADABLE: readonly object[] = [
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

const ruled = (name: string, spec: object = {}): object => ({ apiVersion: `${GROUP}/v1`, kind: 'Ruled', metadata: { name }, spec });
const port = (name: string, number: number): object => ({ name, port: number });

const conditions = (...expressions: readonly string[]): object => ({
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
/** A configuration takes effect shortly after it was written. */
const asked = { until: ({ code }: { readonly code: number }): boolean => code === 403 };

/** Validation rules of custom resources, and match conditions of webhooks. */
export const rulesInCel: Topic = {
  name: 'rules in CEL',
  steps: [
    newNamespace(NS),
    ...UNREADABLE.map((schema, n) => refused(n, schema)),
    post(DEFINITIONS, definition('ruleds', 'Ruled', { versions: [version(SCHEMA, { subresources: { status: {} } })] })),
    get(`/apis/${GROUP}/v1/ruleds`, { until: ({ code }) => code === 200 }),
    post(all, ruled('r-one', { name: 'a', ports: [port('http', 80)], labels: { a: 'x' } })),
    post(all, ruled('one')),
    post(all, ruled('r-order', { min: 5, max: 4 })),
    post(all, ruled('r-cpu', { cpu: '3' })),
    post(all, ruled('r-cpu-odd', { cpu: 'much' })),
    post(all, ruled('r-ports', { ports: [port('a', 1), port('b', 70_000), port('c', 0)] })),
    post(all, ruled('r-labels', { labels: { a: 'A' } })),
    post(all, ruled('r-type', { min: 'many', max: 0 })),
    post(all, ruled('r-several', { min: 9, max: 1, cpu: '5' })),
    mergePatch(`${all}/r-one`, { spec: { max: 3 } }),
    mergePatch(`${all}/r-one`, { spec: { name: 'b' } }),
    mergePatch(`${all}/r-one`, { spec: { name: null } }),
    mergePatch(`${all}/r-one`, { spec: { max: 12, min: 12 } }),
    jsonPatch(`${all}/r-one`, [{ op: 'replace', path: '/spec/ports/0/port', value: -1 }]),
    apply(`${all}/r-two?fieldManager=m`, ruled('r-two', { min: 20 })),
    apply(`${all}/r-two?fieldManager=m`, ruled('r-two', { min: 2, cpu: '500m' })),
    mergePatch(`${all}/r-one/status`, { status: { phase: 'Lost' } }),
    mergePatch(`${all}/r-one/status`, { status: { phase: 'Found' } }),
    get(all),
    remove(`${DEFINITIONS}/ruleds.${GROUP}`),
    get(`/apis/${GROUP}/v1/ruleds`, { until: ({ code }) => code === 404 }),
    post(hooks, conditions('request.nothing == 1')),
    post(hooks, conditions('request.name')),
    post(hooks, conditions('true', 'self == 1')),
    post(hooks, conditions("object.data.deny == 'yes'", "request.operation == 'CREATE' && oldObject == null")),
    post(core(NS, 'configmaps', '?dryRun=All'), configMap('asked'), asked),
    mergePatch(`${hooks}/c-rules`, { webhooks: null }),
    remove(`${hooks}/c-rules`),
    post(hooks, conditions("object.data.deny == 'yes'", "object.metadata.name == 'asked'")),
    post(core(NS, 'configmaps', '?dryRun=All'), configMap('asked'), asked),
    post(core(NS, 'configmaps', '?dryRun=All'), configMap('other')),
    remove(`${hooks}/c-rules`),
  ],
};
