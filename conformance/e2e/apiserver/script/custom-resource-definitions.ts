import {
  editedAnswer,
  get,
  jsonPatch,
  mergePatch,
  post,
  put,
  remove,
  type Step,
  strategicPatch,
  type Topic,
  watch,
} from '../compare/step.ts';
import {
  CUSTOM_GROUP,
  DEFINITIONS,
  definition,
  gadgets,
  type ObjectWithConditions,
  untilEstablished,
  version,
  WIDGET_SCHEMA,
  widgets,
} from './definitions.ts';

const path = (plural: string, rest = ''): string => `${DEFINITIONS}/${plural}.${CUSTOM_GROUP}${rest}`;
const STRUCTURAL = { type: 'object', properties: { spec: { type: 'object' } } };

const getUntilEstablished = (plural: string): Step => get(path(plural), { saveAs: plural, until: untilEstablished });

/**
 * Creates a step that posts an invalid definition. The definition's name contains `n`, so that definitions that are accepted do not
 * conflict.
 */
type StepFactory = (n: number) => Step;

const invalidDefinition =
  (fields: object, names: object = {}): StepFactory =>
  (n) =>
    post(DEFINITIONS, definition(`refused${n}`, `Refused${n}`, fields, names));
const invalidSchema = (schema: object | undefined, fields: object = {}): StepFactory =>
  invalidDefinition({ versions: [version(schema, fields)] });
const property = (schema: object): object => ({ type: 'object', properties: { a: schema } });

const INVALID_DEFINITIONS: readonly StepFactory[] = [
  invalidDefinition({ versions: [] }),
  invalidDefinition({ scope: 'Everywhere' }),
  invalidDefinition({ group: '' }),
  invalidDefinition({ group: 'nodots' }),
  invalidDefinition({}, { kind: '' }),
  invalidDefinition({}, { plural: 'UPPER' }),
  invalidDefinition({}, { plural: 'others' }),
  invalidDefinition({}, { singular: 'A B', shortNames: ['UPPER'], categories: ['A B'], listKind: '1' }),
  invalidDefinition({ versions: [version(STRUCTURAL, { storage: false })] }),
  invalidDefinition({ versions: [version(STRUCTURAL), version(STRUCTURAL)] }),
  invalidDefinition({ versions: [version(STRUCTURAL, { name: 'V.1' })] }),
  invalidSchema(undefined),
  invalidSchema({}),
  invalidSchema({ type: 'string' }),
  invalidSchema(property({})),
  invalidSchema(property({ type: 'thing' })),
  invalidSchema(property({ type: 'array' })),
  invalidSchema(property({ type: 'array', items: [{ type: 'string' }] })),
  invalidSchema(property({ type: 'object', properties: { b: { type: 'string' } }, additionalProperties: { type: 'string' } })),
  invalidSchema(property({ type: 'object', additionalProperties: false })),
  invalidSchema(property({ type: 'string', pattern: '(' })),
  invalidSchema(property({ type: 'string', default: 5 })),
  invalidSchema(property({ $ref: '#/definitions/x' })),
  invalidSchema(property({ type: 'string', nullable: true, default: null })),
  invalidSchema(property({ type: 'object', anyOf: [{ type: 'object', description: 'x' }] })),
  invalidSchema(property({ type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'map' })),
  invalidSchema(
    property({ type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['id'] }),
  ),
  invalidSchema(property({ type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'heap' })),
  invalidSchema(
    property({ type: 'array', items: { type: 'object', properties: { b: { type: 'string' } } }, 'x-kubernetes-list-type': 'set' }),
  ),
  invalidSchema(property({ type: 'array', uniqueItems: true, items: { type: 'string' } })),
  invalidSchema(property({ type: 'object', 'x-kubernetes-preserve-unknown-fields': false })),
  invalidSchema(property({ type: 'string', 'x-kubernetes-int-or-string': true })),
  invalidSchema(property({ type: 'string', 'x-kubernetes-embedded-resource': true })),
  invalidSchema({ type: 'object', properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } } }),
  invalidSchema({ type: 'object', properties: { kind: { type: 'integer' } } }),
  invalidSchema(STRUCTURAL, { subresources: { scale: { specReplicasPath: 'spec.replicas', statusReplicasPath: '.spec.replicas' } } }),
  invalidSchema(STRUCTURAL, { additionalPrinterColumns: [{ name: '', type: 'thing', jsonPath: 'spec.a' }] }),
  invalidSchema(STRUCTURAL, { selectableFields: [{ jsonPath: '.spec.none' }] }),
  invalidSchema(STRUCTURAL, { deprecationWarning: 'not deprecated' }),
  invalidDefinition({ preserveUnknownFields: true, versions: [version(STRUCTURAL)] }),
  invalidDefinition({ conversion: { strategy: 'Webhook' }, versions: [version(STRUCTURAL)] }),
  invalidDefinition({ conversion: { strategy: 'Magic' }, versions: [version(STRUCTURAL)] }),
  invalidSchema(property({ type: 'string', 'x-kubernetes-validations': [{ rule: '' }] })),
];

/** Also creates the definitions that later topics use. */
export const customResourceDefinitions: Topic = {
  name: 'custom resource definitions',
  steps: [
    post(DEFINITIONS, widgets(), { saveAs: 'made' }),
    // Fails because the definition already exists.
    post(DEFINITIONS, widgets()),
    getUntilEstablished('widgets'),
    get(`/apis/${CUSTOM_GROUP}/v1/widgets`, { until: ({ code }) => code === 200 }),
    post(DEFINITIONS, gadgets()),
    getUntilEstablished('gadgets'),
    get(`/apis/${CUSTOM_GROUP}/v1beta1/gadgets`, { until: ({ code }) => code === 200 }),
    get(`${DEFINITIONS}?fieldSelector=metadata.name%3Dwidgets.${CUSTOM_GROUP}`),
    put(path('widgets'), editedAnswer('widgets', { metadata: { labels: { a: 'b' } } }), { saveAs: 'widgets-2' }),
    // Fails because the resourceVersion is outdated.
    put(path('widgets'), editedAnswer('widgets', { metadata: { labels: { a: 'c' } } })),
    // Changes of immutable fields, of required fields and of the status.
    mergePatch(path('widgets'), { spec: { scope: 'Cluster' } }),
    mergePatch(path('widgets'), { spec: { group: 'other.example.com' } }),
    mergePatch(path('widgets'), { spec: { names: { kind: 'Gizmo' } } }),
    mergePatch(path('widgets'), { spec: { versions: [] } }),
    mergePatch(path('widgets'), { status: { storedVersions: ['v9'] } }),
    mergePatch(path('widgets', '/status'), { status: { storedVersions: [] } }),
    get(path('widgets', '/status')),
    strategicPatch(path('widgets'), { metadata: { annotations: { strategic: 'yes' } } }),
    jsonPatch(path('widgets'), [{ op: 'add', path: '/spec/names/shortNames/-', value: 'wdg' }]),
    get(path('widgets'), {
      until: ({ body }) =>
        ((body as { status?: { acceptedNames?: { shortNames?: unknown[] } } }).status?.acceptedNames?.shortNames?.length ?? 0) > 1,
    }),
    // The kind Widget is already in use.
    post(DEFINITIONS, definition('widgetry', 'Widget', { versions: [version(STRUCTURAL)] })),
    get(path('widgetry'), {
      until: ({ body }) => ((body as ObjectWithConditions).status?.conditions?.length ?? 0) > 1,
    }),
    remove(path('widgetry')),
    ...INVALID_DEFINITIONS.map((createStep, n) => createStep(n)),
    // A dry run stores nothing.
    post(`${DEFINITIONS}?dryRun=All`, definition('dry', 'Dry', { versions: [version(WIDGET_SCHEMA)] })),
    get(path('dry')),
    // The name is not PLURAL.GROUP.
    post(DEFINITIONS, { ...definition('wrong', 'Wrong'), metadata: { name: 'wrong' } }),
    // A deleted definition is no longer served.
    watch(`${DEFINITIONS}?watch=1&fieldSelector=metadata.name%3Dshort.${CUSTOM_GROUP}`, { events: 1 }, [
      post(DEFINITIONS, definition('short', 'Short', { versions: [version(STRUCTURAL)] })),
    ]),
    getUntilEstablished('short'),
    remove(path('short')),
    get(path('short'), { until: ({ code }) => code === 404 }),
    get(`/apis/${CUSTOM_GROUP}/v1/short`, { until: ({ code }) => code === 404 }),
    get('/apis/apiextensions.k8s.io/v1beta1/customresourcedefinitions'),
  ],
};
