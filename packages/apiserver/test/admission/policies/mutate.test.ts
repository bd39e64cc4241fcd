import type { ApiError, ApiObject } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { configMap, createPolicyFixture, type PolicyFixture } from './fixture.ts';

const applying = (expression: string): object => ({ patchType: 'ApplyConfiguration', applyConfiguration: { expression } });
const patching = (expression: string): object => ({ patchType: 'JSONPatch', jsonPatch: { expression } });

async function createWithMutations(mutations: readonly object[], spec: object = {}): Promise<PolicyFixture> {
  const fixture = await createPolicyFixture();
  await fixture.createMutatingPolicy('p', { mutations, ...spec });
  return fixture;
}

test('an apply configuration is merged into the object', async () => {
  const { send } = await createWithMutations(
    [
      applying('Object{metadata: Object.metadata{labels: Object.metadata.labels{env: "prod"}}}'),
      applying('Object{data: {"a": string(object.metadata.labels.env), "size": string(variables.size)}}'),
    ],
    { variables: [{ name: 'size', expression: 'size(object.data)' }] },
  );
  const { object } = await send({ metadata: { name: 'web', labels: { team: 'blue' } }, data: { x: 'y' } });
  expect(object).toMatchObject({
    metadata: { name: 'web', labels: { team: 'blue', env: 'prod' } },
    data: { x: 'y', a: 'prod', size: '1' },
  });
});

test('a JSON patch is applied', async () => {
  const { send } = await createWithMutations([
    patching(`[
      JSONPatch{op: "test", path: "/data/x", value: "y"}, // only such objects
      JSONPatch{op: "add", path: "/metadata/labels", value: {"a/b": "c"}},
      JSONPatch{op: "replace", path: "/metadata/labels/" + jsonpatch.escapeKey("a/b"), value: "d"},
      JSONPatch{op: "move", from: "/data/x", path: "/data/z"},
      JSONPatch{op: "add", path: "/metadata/annotations", value: Object.metadata.annotations{note: "}"}}
    ]`),
  ]);
  expect((await send(configMap('web', { x: 'y' }))).object).toMatchObject({
    metadata: { labels: { 'a/b': 'd' }, annotations: { note: '}' } },
    data: { z: 'y' },
  });
  expect((await send(configMap('other', { x: 'z' }))).object).toMatchObject({ data: { x: 'z' } });
});

test.each([
  [applying('Object{revision: 9007199254740993}'), { revision: 9007199254740993n }],
  [
    patching('[JSONPatch{op: "replace", path: "/revision", value: 9007199254740993}]'),
    { code: 500, message: expect.stringMatching('cannot unmarshal string into Go struct field ControllerRevision.revision of type int64') },
  ],
])('integers beyond the safe range are exact in configurations, and strings in JSON patches: %j', async (mutation, result) => {
  const fixture = await createPolicyFixture();
  const rule = { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['controllerrevisions'] };
  await fixture.createMutatingPolicy('p', { mutations: [mutation], matchConstraints: { resourceRules: [rule] } });
  const revisions = { group: 'apps', version: 'v1', plural: 'controllerrevisions', kind: 'ControllerRevision', namespaced: true };
  const created = fixture.registry.create(revisions, 'default', {
    metadata: { name: 'web' },
    data: {},
    revision: 1,
  } as unknown as ApiObject);
  expect(await created.catch((error: ApiError) => error.status)).toMatchObject(result);
});

test('optional fields without a value are omitted', async () => {
  const { send } = await createWithMutations([
    applying('Object{metadata: Object.metadata{?labels: object.?data.?none, ?annotations: object.?data}}'),
  ]);
  const { object } = await send(configMap('web', { x: 'y' }));
  expect(object?.metadata).toMatchObject({ annotations: { x: 'y' } });
  expect(object?.metadata).not.toHaveProperty('labels');
});

const denial = (problem: string): string => `policy 'p' with binding 'p' denied request: ${problem}`;

test.each([
  [
    applying('Object{nothing: 1}'),
    'error applying patch: failed to convert patch object to typed object: .nothing: field not declared in schema',
  ],
  [
    applying('Object{metadata: Object.data{}}'),
    'type mismatch: unexpected type name "Object.data", expected "Object.metadata", which matches field name path from root Object type',
  ],
  [
    applying('Object{data: {"a": string(object.nothing)}}'),
    'expression \'Object{data: {"a": string(object.nothing)}}\' resulted in error: no such key: nothing',
  ],
  [
    patching('[JSONPatch{op: "remove", path: "/data/none"}]'),
    'JSON Patch: remove operation does not apply: doc is missing path: "/data/none": missing value',
  ],
])('a mutation that cannot be applied denies the request: %j', async (mutation, problem) => {
  const { send } = await createWithMutations([mutation]);
  expect((await send(configMap('web'))).error?.status).toMatchObject({
    code: 403,
    reason: 'Invalid',
    message: denial(problem),
    details: { name: 'web', kind: 'configmaps', causes: [{ message: denial(problem) }] },
  });
  const ignoring = await createWithMutations([mutation], { failurePolicy: 'Ignore' });
  expect((await ignoring.send(configMap('web'))).error).toBeUndefined();
});

test('a JSON patch with an unknown field is an internal error', async () => {
  const { send } = await createWithMutations([patching('[JSONPatch{op: "add", path: "/nothing", value: 1}]')]);
  expect((await send(configMap('web'))).error?.status).toMatchObject({
    code: 500,
    message: 'Internal error occurred: strict decoding error: unknown field "nothing"',
  });
});

test('atomic lists cannot be applied', async () => {
  const { send } = await createWithMutations([applying('Object{metadata: Object.metadata{finalizers: ["a.example.com/b"]}}')]);
  expect((await send(configMap('web'))).object?.metadata).toMatchObject({ finalizers: ['a.example.com/b'] });
});

test('match conditions select requests', async () => {
  const { send } = await createWithMutations([applying('Object{data: {"a": "b"}}')], {
    matchConditions: [{ name: 'a', expression: 'object.metadata.name != "web"' }],
  });
  expect((await send(configMap('web'))).object).not.toHaveProperty('data');
  expect((await send(configMap('other'))).object).toMatchObject({ data: { a: 'b' } });
});

test.each([
  ['Never', 'xb'],
  ['IfNeeded', 'xxb'],
])('a policy with reinvocationPolicy %s', async (reinvocationPolicy, value) => {
  const fixture = await createPolicyFixture({
    functions: [
      {
        operations: ['CREATE'],
        resources: ['configmaps'],
        mutate({ object }) {
          const { a } = (object as unknown as { readonly data: { readonly a: string } }).data;
          return [{ op: 'replace', path: '/data/a', value: `${a}b` }];
        },
      },
    ],
  });
  await fixture.createMutatingPolicy('p', { mutations: [applying('Object{data: {"a": "x" + object.data.a}}')], reinvocationPolicy });
  expect((await fixture.send(configMap('web', { a: '' }))).object).toMatchObject({ data: { a: value } });
});
