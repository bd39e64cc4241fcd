import { edit, get, jsonPatch, mergePatch, post, put, remove, type Step, strategic, type Topic, watch } from '../compare/step.ts';
import { DEFINITIONS, definition, GROUP, gadgets, version, WIDGET_SCHEMA, widgets } from './definitions.ts';

const path = (plural: string, rest = ''): string => `${DEFINITIONS}/${plural}.${GROUP}${rest}`;
const STRUCTURAL = { type: 'object', properties: { spec: { type: 'object' } } };

interface WithConditions {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

const established = (plural: string): Step =>
  get(path(plural), {
    as: plural,
    until: ({ body }) =>
      (body as WithConditions).status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') === true,
  });

/** Creates a step from a number. Most of the definitions are refused; each has its own name in case it is accepted. */
type Numbered = (n: number) => Step;

const refused =
  (fields: object, names: object = {}): Numbered =>
  (n) =>
    post(DEFINITIONS, definition(`refused${n}`, `Refused${n}`, fields, names));
const refusedSchema = (schema: object | undefined, fields: object = {}): Numbered => refused({ versions: [version(schema, fields)] });
const property = (schema: object): object => ({ type: 'object', properties: { a: schema } });

const REFUSED: readonly Numbered[] = [
  refused({ versions: [] }),
  refused({ scope: 'Everywhere' }),
  refused({ group: '' }),
  refused({ group: 'nodots' }),
  refused({}, { kind: '' }),
  refused({}, { plural: 'UPPER' }),
  refused({}, { plural: 'others' }),
  refused({}, { singular: 'A B', shortNames: ['UPPER'], categories: ['A B'], listKind: '1' }),
  refused({ versions: [version(STRUCTURAL, { storage: false })] }),
  refused({ versions: [version(STRUCTURAL), version(STRUCTURAL)] }),
  refused({ versions: [version(STRUCTURAL, { name: 'V.1' })] }),
  refusedSchema(undefined),
  refusedSchema({}),
  refusedSchema({ type: 'string' }),
  refusedSchema(property({})),
  refusedSchema(property({ type: 'thing' })),
  refusedSchema(property({ type: 'array' })),
  refusedSchema(property({ type: 'array', items: [{ type: 'string' }] })),
  refusedSchema(property({ type: 'object', properties: { b: { type: 'string' } }, additionalProperties: { type: 'string' } })),
  refusedSchema(property({ type: 'object', additionalProperties: false })),
  refusedSchema(property({ type: 'string', pattern: '(' })),
  refusedSchema(property({ type: 'string', default: 5 })),
  refusedSchema(property({ $ref: '#/definitions/x' })),
  refusedSchema(property({ type: 'string', nullable: true, default: null })),
  refusedSchema(property({ type: 'object', anyOf: [{ type: 'object', description: 'x' }] })),
  refusedSchema(property({ type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'map' })),
  refusedSchema(
    property({ type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['id'] }),
  ),
  refusedSchema(property({ type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'heap' })),
  refusedSchema(
    property({ type: 'array', items: { type: 'object', properties: { b: { type: 'string' } } }, 'x-kubernetes-list-type': 'set' }),
  ),
  refusedSchema(property({ type: 'array', uniqueItems: true, items: { type: 'string' } })),
  refusedSchema(property({ type: 'object', 'x-kubernetes-preserve-unknown-fields': false })),
  refusedSchema(property({ type: 'string', 'x-kubernetes-int-or-string': true })),
  refusedSchema(property({ type: 'string', 'x-kubernetes-embedded-resource': true })),
  refusedSchema({ type: 'object', properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } } }),
  refusedSchema({ type: 'object', properties: { kind: { type: 'integer' } } }),
  refusedSchema(STRUCTURAL, { subresources: { scale: { specReplicasPath: 'spec.replicas', statusReplicasPath: '.spec.replicas' } } }),
  refusedSchema(STRUCTURAL, { additionalPrinterColumns: [{ name: '', type: 'thing', jsonPath: 'spec.a' }] }),
  refusedSchema(STRUCTURAL, { selectableFields: [{ jsonPath: '.spec.none' }] }),
  refusedSchema(STRUCTURAL, { deprecationWarning: 'not deprecated' }),
  refused({ preserveUnknownFields: true, versions: [version(STRUCTURAL)] }),
  refused({ conversion: { strategy: 'Webhook' }, versions: [version(STRUCTURAL)] }),
  refused({ conversion: { strategy: 'Magic' }, versions: [version(STRUCTURAL)] }),
  refusedSchema(property({ type: 'string', 'x-kubernetes-validations': [{ rule: '' }] })),
];

/** Also creates the definitions that later topics use. */
export const customResourceDefinitions: Topic = {
  name: 'custom resource definitions',
  steps: [
    post(DEFINITIONS, widgets(), { as: 'made' }),
    post(DEFINITIONS, widgets()),
    established('widgets'),
    get(`/apis/${GROUP}/v1/widgets`, { until: ({ code }) => code === 200 }),
    post(DEFINITIONS, gadgets()),
    established('gadgets'),
    get(`/apis/${GROUP}/v1beta1/gadgets`, { until: ({ code }) => code === 200 }),
    get(`${DEFINITIONS}?fieldSelector=metadata.name%3Dwidgets.${GROUP}`),
    put(path('widgets'), edit('widgets', { metadata: { labels: { a: 'b' } } }), { as: 'widgets-2' }),
    put(path('widgets'), edit('widgets', { metadata: { labels: { a: 'c' } } })),
    mergePatch(path('widgets'), { spec: { scope: 'Cluster' } }),
    mergePatch(path('widgets'), { spec: { group: 'other.example.com' } }),
    mergePatch(path('widgets'), { spec: { names: { kind: 'Gizmo' } } }),
    mergePatch(path('widgets'), { spec: { versions: [] } }),
    mergePatch(path('widgets'), { status: { storedVersions: ['v9'] } }),
    mergePatch(path('widgets', '/status'), { status: { storedVersions: [] } }),
    get(path('widgets', '/status')),
    strategic(path('widgets'), { metadata: { annotations: { strategic: 'yes' } } }),
    jsonPatch(path('widgets'), [{ op: 'add', path: '/spec/names/shortNames/-', value: 'wdg' }]),
    get(path('widgets'), {
      until: ({ body }) =>
        ((body as { status?: { acceptedNames?: { shortNames?: unknown[] } } }).status?.acceptedNames?.shortNames?.length ?? 0) > 1,
    }),
    post(DEFINITIONS, definition('widgetry', 'Widget', { versions: [version(STRUCTURAL)] })),
    get(path('widgetry'), {
      until: ({ body }) => ((body as WithConditions).status?.conditions?.length ?? 0) > 1,
    }),
    remove(path('widgetry')),
    ...REFUSED.map((make, n) => make(n)),
    post(`${DEFINITIONS}?dryRun=All`, definition('dry', 'Dry', { versions: [version(WIDGET_SCHEMA)] })),
    get(path('dry')),
    post(DEFINITIONS, { ...definition('wrong', 'Wrong'), metadata: { name: 'wrong' } }),
    watch(`${DEFINITIONS}?watch=1&fieldSelector=metadata.name%3Dshort.${GROUP}`, 1, [
      post(DEFINITIONS, definition('short', 'Short', { versions: [version(STRUCTURAL)] })),
    ]),
    established('short'),
    remove(path('short')),
    get(path('short'), { until: ({ code }) => code === 404 }),
    get(`/apis/${GROUP}/v1/short`, { until: ({ code }) => code === 404 }),
    get('/apis/apiextensions.k8s.io/v1beta1/customresourcedefinitions'),
  ],
};
