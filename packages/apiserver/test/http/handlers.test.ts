import { beforeEach, expect, test } from 'vitest';
import type { Admission } from '../../src/registry/index.ts';
import { configMap, createFixture, type Fixture } from './support.ts';

const configMapsUrl = '/api/v1/namespaces/shop/configmaps';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await createFixture();
});

test('a create is answered with the stored object', async () => {
  const { code, json } = await fixture.send('POST', configMapsUrl, { body: configMap('a') });
  expect(code).toBe(201);
  expect(json).toEqual((await fixture.send('GET', `${configMapsUrl}/a`)).json);
  expect((await fixture.send('POST', configMapsUrl, { body: configMap('a') })).json).toMatchObject({ code: 409, reason: 'AlreadyExists' });
});

test('a dry run stores nothing', async () => {
  const { code, json } = await fixture.send('POST', `${configMapsUrl}?dryRun=All`, { body: configMap('a') });
  expect([code, json.metadata.resourceVersion]).toEqual([201, undefined]);
  expect((await fixture.send('GET', `${configMapsUrl}/a`)).code).toBe(404);
});

test('an update replaces the stored object', async () => {
  await fixture.send('POST', configMapsUrl, { body: configMap('a', { data: { x: '1' } }) });
  const { code, json } = await fixture.send('PUT', `${configMapsUrl}/a`, { body: configMap('a', { data: { y: '2' } }) });
  expect([code, json.data]).toEqual([200, { y: '2' }]);
});

test('an update creates the object if its resource allows create on update', async () => {
  const lease = { metadata: { name: 'a' }, spec: {} };
  const { code } = await fixture.send('PUT', '/apis/coordination.k8s.io/v1/namespaces/shop/leases/a', { body: lease });
  expect(code).toBe(201);
  expect((await fixture.send('PUT', `${configMapsUrl}/nope`, { body: configMap('nope') })).json).toMatchObject({
    code: 404,
    reason: 'NotFound',
  });
});

test.each([
  [configMap('b'), 400, 'the name of the object (b) does not match the name on the URL (a)'],
  [{ metadata: {} }, 400, 'the name of the object (a based on URL) was undeterminable: name must be provided'],
  [
    { metadata: { name: 'a', namespace: 'x' } },
    400,
    'the namespace of the provided object does not match the namespace sent on the request',
  ],
  [
    { metadata: 5 },
    400,
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.metadata of type v1.ObjectMeta',
  ],
])('an update with %j is refused, whether or not the object exists', async (body, code, message) => {
  const answerIfAbsent = await fixture.send('PUT', `${configMapsUrl}/a`, { body });
  expect([answerIfAbsent.code, answerIfAbsent.json.message]).toEqual([code, message]);
  await fixture.send('POST', configMapsUrl, { body: configMap('a') });
  const answerIfPresent = await fixture.send('PUT', `${configMapsUrl}/a`, { body });
  expect([answerIfPresent.code, answerIfPresent.json.message]).toEqual([code, message]);
});

test('an update with a different uid is a conflict', async () => {
  await fixture.send('POST', configMapsUrl, { body: configMap('a') });
  const { code, json } = await fixture.send('PUT', `${configMapsUrl}/a`, { body: { metadata: { name: 'a', uid: 'x' } } });
  expect(code).toBe(409);
  expect(json.message).toContain('Precondition failed: UID in precondition: x');
});

test('an update with an old resourceVersion is a conflict', async () => {
  const { json: first } = await fixture.send('POST', configMapsUrl, { body: configMap('a') });
  await fixture.send('PUT', `${configMapsUrl}/a`, { body: configMap('a', { data: { x: '1' } }) });
  expect((await fixture.send('PUT', `${configMapsUrl}/a`, { body: first })).json).toMatchObject({ code: 409, reason: 'Conflict' });
});

test('unknown fields cause warnings, are refused or ignored, depending on fieldValidation', async () => {
  await fixture.send('POST', configMapsUrl, { body: configMap('a') });
  const body = configMap('a', { extra: 1 });
  const answerWithWarning = await fixture.send('PUT', `${configMapsUrl}/a`, { body });
  expect(answerWithWarning.headers['Warning']).toEqual([String.raw`299 - "unknown field \"extra\""`]);
  expect((await fixture.send('PUT', `${configMapsUrl}/a?fieldValidation=Strict`, { body })).json.message).toBe(
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "extra"',
  );
  expect((await fixture.send('PUT', `${configMapsUrl}/a?fieldValidation=Ignore`, { body })).headers['Warning']).toBeUndefined();
});

test('status and finalize are written only through their subresources', async () => {
  const { json: namespace } = await fixture.send('GET', '/api/v1/namespaces/shop');
  const body = { ...namespace, spec: { finalizers: ['a.io/b'] } };
  expect((await fixture.send('PUT', '/api/v1/namespaces/shop', { body })).json.spec.finalizers).toEqual(['kubernetes']);
  const { metadata } = (await fixture.send('GET', '/api/v1/namespaces/shop')).json;
  const finalizedAnswer = await fixture.send('PUT', '/api/v1/namespaces/shop/finalize', { body: { ...body, metadata } });
  expect(finalizedAnswer.json.spec.finalizers).toEqual(['a.io/b']);
  expect(
    (
      await fixture.send('PATCH', '/api/v1/namespaces/shop/status', {
        headers: { 'content-type': 'application/merge-patch+json' },
        body: {},
      })
    ).code,
  ).toBe(200);
});

test('a create can be answered with a Table', async () => {
  const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
  const { code, json } = await fixture.send('POST', configMapsUrl, { headers, body: configMap('a') });
  expect([code, json.kind, json.rows.length]).toEqual([201, 'Table', 1]);
});

test('both Event APIs serve the same objects, each with its own fields', async () => {
  const event = {
    metadata: { name: 'e' },
    involvedObject: { kind: 'Pod', name: 'web', namespace: 'shop' },
    message: 'hello',
    reason: 'Started',
    type: 'Normal',
  };
  expect((await fixture.send('POST', '/api/v1/namespaces/shop/events', { body: event })).code).toBe(201);
  const { json } = await fixture.send('GET', '/apis/events.k8s.io/v1/namespaces/shop/events/e');
  expect(json).toMatchObject({ apiVersion: 'events.k8s.io/v1', note: 'hello', regarding: { name: 'web' } });
  expect((await fixture.send('GET', '/apis/events.k8s.io/v1/events')).json.items).toHaveLength(1);
});

test('the field manager is the parameter fieldManager or, without it, derived from User-Agent', async () => {
  const { send } = await createFixture({}, { managesFields: true });
  const managerOf = async (name: string, query: string, headers: Readonly<Record<string, string>>): Promise<string> =>
    (await send('POST', `${configMapsUrl}${query}`, { headers, body: configMap(name, { data: { a: '1' } }) })).json.metadata
      .managedFields[0].manager;
  expect(await managerOf('a', '', { 'user-agent': 'kubectl/v1.36.3 (linux/amd64)' })).toBe('kubectl');
  expect(await managerOf('b', '?fieldManager=me', { 'user-agent': 'kubectl/v1.36.3 (linux/amd64)' })).toBe('me');
  expect(await managerOf('c', '', {})).toBe('unknown');
});

test('admission receives the user, and its warnings reach the client', async () => {
  const seenWrites: unknown[] = [];
  const admission: Admission = {
    validate({ operation, key, user, warn }) {
      seenWrites.push([operation, key.name, user?.username]);
      warn?.('mind the gap');
    },
  };
  const { send } = await createFixture({}, { admission });
  const merge = { 'content-type': 'application/merge-patch+json' };
  // Drops the writes of the fixture.
  seenWrites.length = 0;
  expect((await send('POST', configMapsUrl, { body: configMap('a') })).headers['Warning']).toEqual(['299 - "mind the gap"']);
  await send('PUT', `${configMapsUrl}/a`, { body: configMap('a', { data: { x: '1' } }) });
  await send('PATCH', `${configMapsUrl}/a`, { headers: merge, body: { data: { y: '1' } } });
  await send('DELETE', `${configMapsUrl}/a`);
  expect(seenWrites).toEqual([
    ['CREATE', 'a', 'tester'],
    ['UPDATE', 'a', 'tester'],
    ['UPDATE', 'a', 'tester'],
    ['DELETE', 'a', 'tester'],
  ]);
});

test('an error that is not an ApiError is passed on unchanged', async () => {
  const { ask } = await createFixture(
    {},
    {
      admission: {
        validate({ key }) {
          if (key.name === 'a') throw new TypeError('broken');
        },
      },
    },
  );
  await expect(ask('POST', configMapsUrl, { body: configMap('a') })).rejects.toThrow(TypeError);
});

test('a create with a resourceVersion is refused, but passes as a dry run', async () => {
  const body = { ...configMap('a'), metadata: { name: 'a', resourceVersion: '5' } };
  const dryRun = await fixture.send('POST', `${configMapsUrl}?dryRun=All`, { body });
  expect([dryRun.code, dryRun.json.metadata.resourceVersion]).toEqual([201, '5']);
  const { code, json } = await fixture.send('POST', configMapsUrl, { body });
  expect([code, json.message]).toEqual([500, 'resourceVersion should not be set on objects to be created']);
});

test.each([
  ['application/json;', 201],
  ['application/JSON ; charset="utf-8"', 201],
  ['application/json; a', 415],
  ['application/json; a=', 415],
  ['application/json; a=b; A=c', 415],
  ['application/json; a b=c', 415],
  [';', 415],
])('a body of the type %s is answered with %i', async (type, code) => {
  const answer = await fixture.send('POST', configMapsUrl, { body: JSON.stringify(configMap('a')), headers: { 'content-type': type } });
  expect(answer.code).toBe(code);
});

test('an answer ends with a line feed unless it is indented', async () => {
  for (const [path, end] of [
    [configMapsUrl, '}\n'],
    [`${configMapsUrl}/nope`, '}\n'],
    [`${configMapsUrl}?pretty=true`, '\n}'],
  ] as const) {
    expect((await fixture.send('GET', path)).text.slice(-2)).toBe(end);
  }
});

const createServiceWithPort = (text: string): string => `{"metadata":{"name":"s"},"spec":{"ports":[{"port":${text}}]}}`;

test.each([
  [createServiceWithPort('80'), undefined],
  [createServiceWithPort('80 '), undefined],
  [createServiceWithPort('80.0'), 'number 80.0 into Go struct field ServicePort.spec.ports.port of type int32'],
  [createServiceWithPort('8e1'), 'number 8e1 into Go struct field ServicePort.spec.ports.port of type int32'],
  [
    createServiceWithPort('9223372036854775808'),
    'number 9223372036854775808 into Go struct field ServicePort.spec.ports.port of type int32',
  ],
  [createServiceWithPort('80,"targetPort":80.0'), 'number 80.0 into Go struct field ServicePort.spec.ports.targetPort of type int32'],
])('an integer field accepts only integer notation: %s', async (body, problem) => {
  const { code, json } = await fixture.send('POST', '/api/v1/namespaces/shop/services', { body });
  const message = `Service in version "v1" cannot be handled as a Service: json: cannot unmarshal ${problem}`;
  expect([code, json.message]).toEqual(problem === undefined ? [201, undefined] : [400, message]);
});

const createWidget = (n: string): string => `{"apiVersion":"example.io/v1","kind":"Widget","metadata":{"name":"w"},"spec":{"n":${n}}}`;
const tooLarge = 'json: cannot unmarshal number 1e400 into';

test('a number in a custom resource is kept, or refused if it is too large for a float', async () => {
  const path = '/apis/example.io/v1/namespaces/shop/widgets';
  for (const n of ['1.0', '1e3', '18446744073709551615', '9007199254740992', '0.10000000000000000555']) {
    expect((await fixture.send('POST', `${path}?dryRun=All`, { body: createWidget(n) })).json).toMatchObject({ spec: { n: Number(n) } });
  }
  const prefix = 'Widget in version "v1" cannot be handled as a Widget: ';
  const { code: refusedCode, json: refusal } = await fixture.send('POST', path, { body: createWidget('1e400') });
  expect([refusedCode, refusal.message]).toEqual([400, `${prefix}${tooLarge} Go value of type float64`]);
  await fixture.send('POST', path, { body: createWidget('1') });
  for (const [type, body, problem] of [
    ['merge', '{"spec":{"n":1e400}}', `${tooLarge} Go value of type float64`],
    ['json', '[{"op":"add","path":"/spec/n","value":1e400}]', `${tooLarge} Go struct field jsonPatchOp.value of type float64`],
  ]) {
    const headers = { 'content-type': `application/${type}-patch+json` };
    const { code, json } = await fixture.send('PATCH', `${path}/w`, { body, headers });
    expect([code, json.message]).toEqual([400, `error decoding patch: ${problem}`]);
  }
});
