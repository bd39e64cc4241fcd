import { beforeEach, expect, test } from 'vitest';
import { type Answer, configMap, createFixture, type Fixture, pod } from './support.ts';

const configMapsUrl = '/api/v1/namespaces/shop/configmaps';
const podsUrl = '/api/v1/namespaces/shop/pods';
const json = { 'content-type': 'application/json' };

let fixture: Fixture;
beforeEach(async () => {
  fixture = await createFixture();
  await fixture.send('POST', configMapsUrl, { body: configMap('a') });
});

const remove = (query = '', body?: unknown): Promise<Answer> =>
  fixture.send('DELETE', `${configMapsUrl}/a${query}`, { headers: json, body });
const objectExists = async (): Promise<boolean> => (await fixture.send('GET', `${configMapsUrl}/a`)).code === 200;

test('a deletion is answered with a Status that identifies the object', async () => {
  const { uid } = (await fixture.send('GET', `${configMapsUrl}/a`)).json.metadata;
  const { code, json: status } = await remove();
  expect(code).toBe(200);
  expect(status).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name: 'a', kind: 'configmaps', uid },
  });
  expect(await objectExists()).toBe(false);
  expect((await remove()).json).toMatchObject({ code: 404, details: { name: 'a', kind: 'configmaps' } });
});

test('the Status of a deletion names the API group', async () => {
  const leasesUrl = '/apis/coordination.k8s.io/v1/namespaces/shop/leases';
  await fixture.send('POST', leasesUrl, { body: { metadata: { name: 'l' } } });
  expect((await fixture.send('DELETE', `${leasesUrl}/l`)).json.details).toMatchObject({ group: 'coordination.k8s.io', kind: 'leases' });
});

test.each([
  ['services', { metadata: { name: 'x' }, spec: { ports: [{ port: 80 }] } }, 'Service'],
  ['serviceaccounts', { metadata: { name: 'x' } }, 'ServiceAccount'],
  ['pods', pod('x'), 'Pod'],
])('a deletion of %s is answered with the object', async (plural, body, kind) => {
  await fixture.send('POST', `/api/v1/namespaces/shop/${plural}`, { body });
  const answer = await fixture.send('DELETE', `/api/v1/namespaces/shop/${plural}/x?gracePeriodSeconds=0`);
  expect([answer.code, answer.json.kind]).toEqual([200, kind]);
});

test.each([
  ['?dryRun=All', undefined],
  ['', { dryRun: ['All'] }],
])('a dry run deletes nothing: %s %j', async (query, body) => {
  expect((await remove(query, body)).json.status).toBe('Success');
  expect(await objectExists()).toBe(true);
});

test('a body overrides the query parameters', async () => {
  await remove('?dryRun=All', '{}');
  expect(await objectExists()).toBe(false);
});

const formatInvalid = (problem: string): string => `DeleteOptions.meta.k8s.io "" is invalid: ${problem}`;
const policies = 'supported values: "Foreground", "Background", "Orphan", "nil"';
test.each([
  ['?dryRun=x', undefined, 422, formatInvalid('dryRun: Unsupported value: ["x"]: supported values: "All"')],
  ['?propagationPolicy=Foo', undefined, 422, formatInvalid(`propagationPolicy: Unsupported value: "Foo": ${policies}`)],
  ['?propagationPolicy=', undefined, 422, formatInvalid(`propagationPolicy: Unsupported value: "": ${policies}`)],
  [
    '?orphanDependents=true&propagationPolicy=Orphan',
    undefined,
    422,
    formatInvalid('propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set'),
  ],
  ['?gracePeriodSeconds=x', undefined, 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
  ['', '{', 400, "couldn't get version/kind; json parse error: unexpected end of JSON input"],
  ['', { kind: 'Pod', apiVersion: 'v1' }, 400, 'no kind "Pod" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"'],
  ['', { kind: 'Pod' }, 400, 'no kind "Pod" is registered for version "meta.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"'],
  ['', { dryRun: 'All' }, 400, 'json: cannot unmarshal string into Go struct field DeleteOptions.dryRun of type []string'],
  [
    '',
    { gracePeriodSeconds: 'x' },
    400,
    'json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64',
  ],
])('a deletion with %s %j is refused', async (query, body, code, message) => {
  const answer = await remove(query, body);
  expect([answer.code, answer.json.message]).toEqual([code, message]);
  expect(await objectExists()).toBe(true);
});

test.each([
  ['?uid=abc', undefined],
  ['?resourceVersion=1', undefined],
  ['', { preconditions: { uid: 'abc' } }],
  ['', { preconditions: { resourceVersion: '1' } }],
])('a deletion with failed preconditions keeps the object: %s %j', async (query, body) => {
  expect((await remove(query, body)).json).toMatchObject({ code: 409, reason: 'Conflict' });
  expect(await objectExists()).toBe(true);
});

test.each([
  ['', { kind: 'DeleteOptions', apiVersion: 'v1' }],
  ['', { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1' }],
  ['', { unknown: 1 }],
  ['?orphanDependents=false', undefined],
  ['?gracePeriodSeconds=-1', undefined],
])('a deletion with %s %j succeeds', async (query, body) => {
  expect((await remove(query, body)).code).toBe(200);
  expect(await objectExists()).toBe(false);
});

test('DeleteOptions may be YAML, but not text/plain', async () => {
  const headers = { 'content-type': 'application/yaml' };
  const answer = await fixture.send('DELETE', `${configMapsUrl}/a`, { headers, body: 'propagationPolicy: Orphan\n' });
  expect([answer.code, answer.json.metadata.finalizers]).toEqual([200, ['orphan']]);
  expect((await fixture.send('DELETE', `${configMapsUrl}/a`, { headers: { 'content-type': 'text/plain' }, body: '{}' })).code).toBe(415);
});

test('a deletion of an object with finalizers is answered with the object', async () => {
  await fixture.send('POST', configMapsUrl, { body: { metadata: { name: 'f', finalizers: ['a.io/b'] } } });
  const answer = await fixture.send('DELETE', `${configMapsUrl}/f`);
  expect([answer.code, answer.json.metadata.deletionGracePeriodSeconds]).toEqual([200, 0]);
  expect((await fixture.send('DELETE', `${configMapsUrl}/f?orphanDependents=false`)).code).toBe(202);
});

test('deletecollection is answered with the deleted objects', async () => {
  await fixture.send('POST', configMapsUrl, { body: configMap('b', { data: { x: '1' } }) });
  const dryRunAnswer = await fixture.send('DELETE', `${configMapsUrl}?dryRun=All`);
  expect([dryRunAnswer.code, dryRunAnswer.json.kind, dryRunAnswer.json.items.length]).toEqual([200, 'ConfigMapList', 2]);
  expect((await fixture.send('DELETE', `${configMapsUrl}?fieldSelector=metadata.name%3Db`)).json.items[0].data).toEqual({ x: '1' });
  const { items } = (await fixture.send('GET', configMapsUrl)).json;
  expect(items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(['a']);
  expect((await fixture.send('DELETE', `${configMapsUrl}?limit=x`)).code).toBe(400);
  expect((await fixture.send('DELETE', configMapsUrl, { headers: json, body: '{' })).code).toBe(400);
  expect((await fixture.send('DELETE', configMapsUrl, { headers: json, body: { dryRun: ['All'] } })).json.items).toHaveLength(1);
  expect(await objectExists()).toBe(true);
});

const createBinding = (name: string, more: object = {}): object => ({ metadata: { name, ...more }, target: { kind: 'Node', name: 'one' } });
const successStatus = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };

test('a pod is bound through its binding subresource or through bindings', async () => {
  for (const name of ['p', 'q']) await fixture.send('POST', podsUrl, { body: pod(name) });
  const bySubresource = await fixture.send('POST', `${podsUrl}/p/binding`, { body: createBinding('p') });
  expect([bySubresource.code, bySubresource.json]).toEqual([201, successStatus]);
  const byCollection = await fixture.send('POST', '/api/v1/namespaces/shop/bindings', { body: createBinding('q', { zz: 1 }) });
  expect([byCollection.code, byCollection.json, byCollection.headers['Warning']]).toEqual([
    201,
    successStatus,
    [String.raw`299 - "unknown field \"metadata.zz\""`],
  ]);
  for (const name of ['p', 'q']) expect((await fixture.send('GET', `${podsUrl}/${name}`)).json.spec.nodeName).toBe('one');
});

test.each([
  ['pods/p/binding', createBinding('other'), 400, 'name in URL does not match name in Binding object'],
  [
    'pods/p/binding',
    { kind: 'Pod' },
    400,
    'Pod in version "v1" cannot be handled as a Binding: converting (v1.Pod) to (core.Binding): unknown conversion',
  ],
  [
    'pods/p/binding?dryRun=x',
    createBinding('p'),
    422,
    'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["x"]: supported values: "All"',
  ],
  [
    'bindings',
    createBinding('p', { namespace: 'zz' }),
    400,
    'the namespace of the provided object does not match the namespace sent on the request',
  ],
  ['bindings', { metadata: {}, target: { name: 'one' } }, 400, 'Name parameter required.'],
  ['bindings', createBinding('nope'), 404, 'pods "nope" not found'],
  [
    'bindings?fieldValidation=Strict',
    createBinding('p', { zz: 1 }),
    400,
    'Binding in version "v1" cannot be handled as a Binding: strict decoding error: unknown field "metadata.zz"',
  ],
  ['pods/p/eviction', { metadata: { name: 'other' } }, 400, 'name in URL does not match name in Eviction object'],
  ['pods/nope/eviction', { metadata: { name: 'nope' } }, 404, 'pods "nope" not found'],
  [
    'pods/p/eviction',
    { metadata: { name: 'p' }, deleteOptions: { dryRun: ['x'] } },
    422,
    'DeleteOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["x"]: supported values: "All"',
  ],
])('a POST to %s with %j is refused', async (path, body, code, message) => {
  await fixture.send('POST', podsUrl, { body: pod('p') });
  const answer = await fixture.send('POST', `/api/v1/namespaces/shop/${path}`, { body });
  expect([answer.code, answer.json.message]).toEqual([code, message]);
});

test.each(['policy/v1', 'policy/v1beta1', undefined])('an Eviction of %s deletes a pod', async (apiVersion) => {
  await fixture.send('POST', podsUrl, { body: pod('p') });
  const body = { ...(apiVersion && { apiVersion, kind: 'Eviction' }), metadata: { name: 'p' }, deleteOptions: { gracePeriodSeconds: 0 } };
  const dryRunAnswer = await fixture.send('POST', `${podsUrl}/p/eviction?dryRun=All`, { body });
  expect([dryRunAnswer.code, dryRunAnswer.json]).toEqual([201, successStatus]);
  expect((await fixture.send('GET', `${podsUrl}/p`)).code).toBe(200);
  expect((await fixture.send('POST', `${podsUrl}/p/eviction`, { body })).json).toEqual(successStatus);
  expect((await fixture.send('GET', `${podsUrl}/p`)).code).toBe(404);
});
