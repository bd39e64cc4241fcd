import { createDefinition, differingVersions, plainSchema } from './body-parts.ts';
import { createChoiceSteps } from './choices.ts';
import { definitionBodies, definitionUpdates } from './definition-bodies.ts';
import { createConflictSteps, createDeletionSteps, createUnapprovedSteps } from './endings.ts';
import { objectSteps, scaleWithoutReplicasSteps } from './life.ts';
import {
  acceptTable,
  create,
  createAndWait,
  definitionPathOf,
  definitionsPath,
  type Json,
  jsonPatch,
  mergePatch,
  patch,
  read,
  remove,
  replace,
  type Scenario,
  type Step,
  strategicPatch,
  withValueAt,
} from './steps.ts';
import { widgetDefinition, widgetsPath } from './widget.ts';
import { formatBodies, widgetBodies } from './widget-bodies.ts';

const dryRun = '?dryRun=All';

const definitionScenarios: readonly Scenario[] = [
  ...definitionBodies.map((body, i) => ({ name: `definition ${i}`, steps: [create(`${definitionsPath}${dryRun}`, body)] })),
  ...definitionBodies
    .filter((body) => JSON.stringify(body).includes('nonesuch'))
    .map((body, i) => ({ name: `strict definition ${i}`, steps: [create(`${definitionsPath}${dryRun}&fieldValidation=Strict`, body)] })),
  {
    name: 'updates of a definition',
    steps: [
      ...createAndWait(differingVersions),
      read(definitionPathOf('checks.checks.example.com')),
      ...definitionUpdates.map((body) => replace(`${definitionPathOf('checks.checks.example.com')}${dryRun}`, withResourceVersion(body))),
      ...definitionUpdates.map((body) =>
        replace(`${definitionPathOf('checks.checks.example.com')}/status${dryRun}`, withResourceVersion(body)),
      ),
      patch(definitionPathOf('checks.checks.example.com'), mergePatch, { spec: { names: { shortNames: ['ck'], categories: ['all'] } } }),
      { await: 'conditions', name: 'checks.checks.example.com' },
      read(definitionPathOf('checks.checks.example.com')),
      read(definitionPathOf('checks.checks.example.com'), acceptTable),
      patch(definitionPathOf('checks.checks.example.com'), strategicPatch, { metadata: { annotations: { a: 'b' } } }),
      remove(`${definitionPathOf('checks.checks.example.com')}${dryRun}`),
    ],
  },
];

const objectScenarios: readonly Scenario[] = [
  {
    name: 'objects',
    steps: [
      ...createAndWait(widgetDefinition),
      ...[...widgetBodies, ...formatBodies].map((body) => create(`${widgetsPath}${dryRun}`, body)),
      ...widgetBodies
        .filter((body) => JSON.stringify(body).includes('nonesuch') || JSON.stringify(body).includes('"b":2'))
        .flatMap((body) => [
          create(`${widgetsPath}${dryRun}&fieldValidation=Strict`, body),
          create(`${widgetsPath}${dryRun}&fieldValidation=Ignore`, body),
        ]),
    ],
  },
  { name: 'the life of an object', steps: [...createAndWait(withGroup(widgetDefinition, 'life.example.com')), ...objectSteps] },
  {
    name: 'a scale without replicas',
    steps: [...createAndWait(withGroup(widgetDefinition, 'life.example.com')), ...scaleWithoutReplicasSteps],
  },
  { name: 'alternatives', steps: createChoiceSteps() },
  { name: 'rules', steps: createRuleSteps() },
  { name: 'versions', steps: createVersionSteps() },
  { name: 'schemas that change', steps: createSchemaSteps() },
  { name: 'without status', steps: createStepsWithoutStatus() },
  { name: 'names in conflict', steps: createConflictSteps() },
  { name: 'the end of a definition', steps: createDeletionSteps() },
  { name: 'definitions that never come to be', steps: createUnapprovedSteps() },
];

export const scenarios: readonly Scenario[] = [...definitionScenarios, ...objectScenarios];

/** Sets the current resourceVersion unless the body has one. */
function withResourceVersion(body: unknown): unknown {
  const { metadata } = body as { metadata: Json };
  return withValueAt(body as Json, ['metadata', 'resourceVersion'], metadata['resourceVersion'] ?? '@current');
}

function withGroup(body: Json, group: string): Json {
  const { spec } = body as { spec: { names: { plural: string } } };
  return withValueAt(withValueAt(body, ['metadata', 'name'], `${spec.names.plural}.${group}`), ['spec', 'group'], group);
}

/** Creates steps for a schema with a CEL rule. If the object has other errors, the rule is not checked and the answer says so. */
function createRuleSteps(): readonly Step[] {
  const schema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        required: ['a'],
        properties: { a: { type: 'integer' }, b: { type: 'string', pattern: '^x' } },
        'x-kubernetes-validations': [{ rule: 'self.a > 0', message: 'must be positive' }],
      },
    },
  };
  const body = createDefinition({ group: 'rules.example.com', kind: 'Ruled' }, { schema: { openAPIV3Schema: schema } });
  const path = '/apis/rules.example.com/v1/namespaces/default/ruleds';
  const createBody = (spec: unknown): Json => ({ apiVersion: 'rules.example.com/v1', kind: 'Ruled', metadata: { name: 'one' }, spec });
  return [
    ...createAndWait(body),
    create(path, createBody({})),
    create(path, createBody({ a: 'x' })),
    create(path, createBody({ a: 1, b: 'y' })),
    create(path, createBody({ a: 1, b: 'x' })),
    read(path, acceptTable),
  ];
}

function createVersionSteps(): readonly Step[] {
  const group = 'versions.example.com';
  const schema = (fields: Json): Json => ({
    openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: fields } } },
  });
  const body = createDefinition(
    { group, kind: 'Thing', scope: 'Cluster' },
    { schema: schema({ old: { type: 'string', default: 'o' }, both: { type: 'string' } }), deprecated: true, subresources: { status: {} } },
    {
      schema: schema({ next: { type: 'string', default: 'n' }, both: { type: 'string' } }),
      selectableFields: [{ jsonPath: '.spec.both' }],
    },
    { served: false },
    { name: 'v1beta1', deprecated: true, deprecationWarning: 'v1beta1 goes' },
    { name: 'v2alpha1', deprecated: true, schema: schema({ both: { type: 'integer' } }) },
  );
  const path = (version: string): string => `/apis/${group}/${version}/things`;
  const createBody = (version: string, name: string, spec: Json): Json => ({
    apiVersion: `${group}/${version}`,
    kind: 'Thing',
    metadata: { name },
    spec,
  });
  return [
    ...createAndWait(body),
    create(path('v1'), createBody('v1', 'one', { old: 'x', both: 'b', next: 'dropped' })),
    create(path('v2'), createBody('v2', 'two', { old: 'dropped', both: 'b' })),
    create(path('v3'), createBody('v3', 'three', {})),
    create(path('v1beta1'), createBody('v1beta1', 'four', { both: 'x' })),
    create(path('v2alpha1'), createBody('v2alpha1', 'five', { both: 5 })),
    create(path('v1'), createBody('v2', 'six', {})),
    read(`${path('v1')}/two`),
    read(`${path('v2')}/one`),
    read(path('v1')),
    read(path('v2')),
    read(`${path('v2')}?fieldSelector=spec.both%3Db`),
    read(`${path('v1')}?fieldSelector=spec.both%3Db`),
    patch(`${path('v2')}/one`, mergePatch, { spec: { next: 'kept?' } }),
    read(`${path('v1')}/one`),
    replace(
      `${path('v2')}/two`,
      withValueAt(createBody('v2', 'two', { both: 'c', next: 'z' }), ['metadata', 'resourceVersion'], '@current'),
    ),
    read(`${path('v1')}/two`),
    read(`${path('v1')}/two/status`),
    read(`${path('v2')}/two/status`),
    remove(`${path('v2')}/two`),
  ];
}

/** Creates steps that change a schema while objects are stored. */
function createSchemaSteps(): readonly Step[] {
  const group = 'schemas.example.com';
  const schema = (fields: Json): Json => ({ type: 'object', properties: { spec: { type: 'object', properties: fields } } });
  const firstSchema = schema({ size: { type: 'integer' }, gone: { type: 'string' }, list: { type: 'array', items: { type: 'string' } } });
  const secondSchema = schema({
    size: { type: 'integer', maximum: 3 },
    added: { type: 'string', default: 'new' },
    list: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    map: { type: 'object', additionalProperties: { type: 'integer', maximum: 1 } },
  });
  const body = createDefinition({ group, kind: 'Item' }, { schema: { openAPIV3Schema: firstSchema } });
  const path = `/apis/${group}/v1/namespaces/default/items`;
  const createBody = (spec: Json): Json => ({ apiVersion: `${group}/v1`, kind: 'Item', metadata: { name: 'one' }, spec });
  const updateBody = (spec: Json): Json => withValueAt(createBody(spec), ['metadata', 'resourceVersion'], '@current');
  return [
    ...createAndWait(body),
    create(path, createBody({ size: 9, gone: 'x', list: ['a', 'a'] })),
    patch(definitionPathOf(`items.${group}`), jsonPatch, [
      { op: 'replace', path: '/spec/versions/0/schema/openAPIV3Schema', value: secondSchema },
    ]),
    { await: 'conditions', name: `items.${group}` },
    read(`${path}/one`),
    read(path),
    // An update may keep invalid values, but not replace them by other invalid values.
    replace(`${path}/one${dryRun}`, updateBody({ size: 9, list: ['a', 'a'], added: 'x' })),
    replace(`${path}/one${dryRun}`, updateBody({ size: 8, list: ['a', 'a'] })),
    replace(`${path}/one${dryRun}`, updateBody({ size: 9, list: ['b', 'b'] })),
    replace(`${path}/one${dryRun}`, updateBody({ size: 2, list: ['b', 'b'] })),
    replace(`${path}/one${dryRun}`, updateBody({ size: 9, map: { a: 5 } })),
    create(`${path}${dryRun}`, createBody({ list: ['b', 'b'] })),
    patch(`${path}/one`, mergePatch, { spec: { list: ['c'] } }),
    read(`${path}/one`),
    replace(`${path}/one${dryRun}`, updateBody({ size: 9, list: ['b', 'b'] })),
  ];
}

function createStepsWithoutStatus(): readonly Step[] {
  const group = 'plain.example.com';
  const schema = { type: 'object', properties: { spec: plainSchema, status: { type: 'object', properties: { ok: { type: 'boolean' } } } } };
  const body = createDefinition({ group, kind: 'Plain', scope: 'Cluster' }, { schema: { openAPIV3Schema: schema } });
  const path = `/apis/${group}/v1/plains`;
  const createBody = (more: Json): Json => ({ apiVersion: `${group}/v1`, kind: 'Plain', metadata: { name: 'one' }, ...more });
  return [
    ...createAndWait(body),
    create(path, createBody({ status: { ok: true } })),
    replace(`${path}/one`, withValueAt(createBody({ status: { ok: false } }), ['metadata', 'resourceVersion'], '@current')),
    replace(`${path}/one`, withValueAt(createBody({ status: { ok: 'x' } }), ['metadata', 'resourceVersion'], '@current')),
    replace(`${path}/one/status`, createBody({ status: { ok: true } })),
    read(`${path}/one/scale`),
    read(path, acceptTable),
    read(`${path}?fieldSelector=metadata.namespace%3Dx`),
    create(path, withValueAt(createBody({}), ['metadata', 'namespace'], 'default')),
  ];
}
