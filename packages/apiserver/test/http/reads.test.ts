import { beforeEach, expect, test } from 'vitest';
import { createSchemalessStrategy } from '../../src/registry/index.ts';
import { configMap, createFixture, type Fixture } from './support.ts';

const configMapsUrl = '/api/v1/namespaces/shop/configmaps';
const acceptAs = (kind: string, format = 'json', version = 'v1'): object => ({
  headers: { accept: `application/${format};as=${kind};v=${version};g=meta.k8s.io` },
});

let fixture: Fixture;
beforeEach(async () => {
  fixture = await createFixture();
  for (const name of ['a', 'b']) await fixture.send('POST', configMapsUrl, { body: configMap(name, { data: { key: name } }) });
});

test('a single object carries kind and apiVersion, the items of a list do not', async () => {
  const { json: object } = await fixture.send('GET', `${configMapsUrl}/a`);
  expect(object).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a', namespace: 'shop' }, data: { key: 'a' } });
  const { json: list } = await fixture.send('GET', configMapsUrl);
  const { kind: _, apiVersion: __, ...item } = object;
  expect(list).toMatchObject({ kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: String(fixture.store.revision) } });
  expect(list.items[0]).toEqual(item);
  expect(list.items).toHaveLength(2);
});

test('custom resources carry kind and apiVersion in lists, too', async () => {
  const widgetsUrl = '/apis/example.io/v1/namespaces/shop/widgets';
  await fixture.send('POST', widgetsUrl, { body: { kind: 'Widget', apiVersion: 'example.io/v1', metadata: { name: 'w' } } });
  const { json: list } = await fixture.send('GET', widgetsUrl);
  expect(list).toMatchObject({
    kind: 'WidgetList',
    metadata: { continue: '' },
    items: [{ kind: 'Widget', apiVersion: 'example.io/v1', metadata: { name: 'w' } }],
  });
});

test('a list without objects has empty items', async () => {
  expect((await fixture.send('GET', '/api/v1/namespaces/default/secrets')).json.items).toEqual([]);
});

test('lists support pages and field selectors', async () => {
  const firstPage = (await fixture.send('GET', `${configMapsUrl}?limit=1`)).json;
  expect([firstPage.items.length, firstPage.metadata.remainingItemCount]).toEqual([1, 1]);
  const secondPage = (await fixture.send('GET', `${configMapsUrl}?limit=1&continue=${firstPage.metadata.continue}`)).json;
  expect(secondPage.items[0].metadata.name).toBe('b');
  const { json: selectedList } = await fixture.send('GET', `${configMapsUrl}?fieldSelector=metadata.name%3Db`);
  expect(selectedList.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(['b']);
});

test.each([
  ['limit=abc', 400, 'strconv.ParseInt: parsing "abc": invalid syntax'],
  ['labelSelector=a%20in', 400, "unable to parse requirement: found '' expected: '('"],
  ['fieldSelector=x', 400, "invalid selector: 'x'; can't understand 'x'"],
  [
    'resourceVersion=x',
    400,
    'invalid resource version: resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
  ],
  [
    'resourceVersion=1&resourceVersionMatch=Foo',
    422,
    'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Unsupported value: "Foo": supported values: "Exact", "NotOlderThan", ""',
  ],
  [
    'sendInitialEvents=true',
    422,
    'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
  ],
])('a list with %s is refused', async (query, code, message) => {
  const answer = await fixture.send('GET', `${configMapsUrl}?${query}`);
  expect([answer.code, answer.json.message]).toEqual([code, message]);
});

test('a list at a future resourceVersion times out with 504', async () => {
  const pendingList = fixture.send('GET', `${configMapsUrl}?resourceVersion=999`);
  fixture.clock.advance(3000);
  const { code, headers, json: status } = await pendingList;
  expect([code, headers['Retry-After'], status.reason]).toEqual([504, '1', 'Timeout']);
});

test('a get with an invalid resourceVersion fails with 500', async () => {
  const { code, json: status } = await fixture.send('GET', `${configMapsUrl}/a?resourceVersion=x`);
  expect([code, status.reason]).toEqual([500, undefined]);
});

test('the export parameter is refused', async () => {
  expect((await fixture.send('GET', `${configMapsUrl}/a?export=true`)).json.message).toBe(
    'the export parameter, deprecated since v1.14, is no longer supported',
  );
  expect((await fixture.send('GET', `${configMapsUrl}/a?export=0`)).code).toBe(200);
});

test('objects are written as YAML or indented JSON on request', async () => {
  const yamlAnswer = await fixture.send('GET', `${configMapsUrl}/a`, { headers: { accept: 'application/yaml' } });
  expect(yamlAnswer.headers['Content-Type']).toBe('application/yaml');
  expect(yamlAnswer.text).toMatch(/^apiVersion: v1\ndata:\n {2}key: a\nkind: ConfigMap\nmetadata:\n/);
  for (const [query, headers] of [
    ['?pretty=true', {}],
    ['', { 'user-agent': 'curl/8.5.0' }],
    ['', { accept: 'application/json;pretty=1' }],
  ] as const) {
    expect((await fixture.send('GET', `${configMapsUrl}/a${query}`, { headers })).text).toMatch(/^\{\n {2}"kind": "ConfigMap",\n/);
  }
  expect((await fixture.send('GET', `${configMapsUrl}/a?pretty=0`, { headers: { 'user-agent': 'curl/8.5.0' } })).text).not.toMatch(/\n./);
});

test('errors are written as YAML on request', async () => {
  const { code, text } = await fixture.send('GET', `${configMapsUrl}/nope`, { headers: { accept: 'application/yaml' } });
  expect(code).toBe(404);
  expect(text).toContain('message: configmaps "nope" not found\n');
});

test('unsupported media types are refused with 406', async () => {
  const refusedText = await fixture.send('GET', `${configMapsUrl}/a`, { headers: { accept: 'text/plain' } });
  expect([refusedText.code, refusedText.json.message, refusedText.json.details]).toEqual([
    406,
    '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    {},
  ]);
  const refusedTransform = await fixture.send('GET', `${configMapsUrl}/a`, acceptAs('Other'));
  expect([refusedTransform.code, refusedTransform.json.message, refusedTransform.json.details]).toEqual([
    406,
    'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    undefined,
  ]);
});

test('a Table has a row for each object; includeObject selects how much of the object a row includes', async () => {
  fixture.clock.advance(90_000);
  const { json: table } = await fixture.send('GET', `${configMapsUrl}/a`, acceptAs('Table'));
  expect(table).toMatchObject({
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    columnDefinitions: [
      { name: 'Name', type: 'string', format: 'name', priority: 0 },
      { name: 'Data', type: 'string', format: '', priority: 0 },
      { name: 'Age', type: 'string', format: '', priority: 0 },
    ],
    rows: [{ cells: ['a', 1, '90s'], object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { name: 'a' } } }],
  });
  expect(table.rows[0].object.data).toBeUndefined();
  expect(table.metadata.resourceVersion).toBe(table.rows[0].object.metadata.resourceVersion);
  const tableWithObjects = (await fixture.send('GET', `${configMapsUrl}?includeObject=Object`, acceptAs('Table'))).json;
  expect(tableWithObjects.rows.map(({ object }: { object: { kind: string } }) => object.kind)).toEqual(['ConfigMap', 'ConfigMap']);
  expect((await fixture.send('GET', `${configMapsUrl}?includeObject=None`, acceptAs('Table', 'json', 'v1beta1'))).json).toMatchObject({
    apiVersion: 'meta.k8s.io/v1beta1',
    rows: [{ object: null }, { object: null }],
  });
  const rejectedAnswer = await fixture.send('GET', `${configMapsUrl}?includeObject=x`, acceptAs('Table'));
  expect([rejectedAnswer.code, rejectedAnswer.json.message]).toEqual([
    400,
    "Unable to convert to Table as requested: includeObject: Invalid value: \"x\": must be 'Metadata', 'Object', 'None', or empty",
  ]);
});

test('objects and lists can be limited to PartialObjectMetadata', async () => {
  const { json: partialObject } = await fixture.send('GET', `${configMapsUrl}/a`, acceptAs('PartialObjectMetadata'));
  expect(Object.keys(partialObject)).toEqual(['kind', 'apiVersion', 'metadata']);
  const { json: list } = await fixture.send('GET', configMapsUrl, acceptAs('PartialObjectMetadataList'));
  expect(list).toMatchObject({ kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1' });
  expect(list.items[1]).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'b' } });
  expect((await fixture.send('GET', `${configMapsUrl}/a`, acceptAs('PartialObjectMetadataList'))).json.message).toBe(
    'you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)',
  );
  expect((await fixture.send('GET', configMapsUrl, acceptAs('PartialObjectMetadata'))).json.message).toBe(
    'you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)',
  );
});

test('requests for Endpoints get a deprecation warning that names EndpointSlice', async () => {
  const { headers } = await fixture.send('GET', '/api/v1/namespaces/shop/endpoints');
  expect(headers['Warning']).toEqual(['299 - "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"']);
});

test('a subresource is served as the object or as its own kind', async () => {
  const widgetsUrl = '/apis/example.io/v1/namespaces/shop/widgets';
  const widget = { kind: 'Widget', apiVersion: 'example.io/v1', metadata: { name: 'w' }, spec: { replicas: 3 } };
  await fixture.send('POST', widgetsUrl, { body: widget });
  expect((await fixture.send('GET', `${widgetsUrl}/w/status`)).json.kind).toBe('Widget');
  expect((await fixture.send('GET', `${widgetsUrl}/w/scale`)).json).toMatchObject({ kind: 'Scale', spec: { replicas: 3 } });
});

test('list items omit kind and apiVersion, in whatever order they are stored', async () => {
  const { catalog, registry, send } = fixture;
  const secrets = catalog.find('', 'v1', 'secrets');
  if (!secrets) throw new Error('no secrets');
  registry.serve(createSchemalessStrategy({ resource: secrets.resource }));
  await send('POST', '/api/v1/namespaces/shop/secrets', { body: { data: { a: 'eA==' }, metadata: { name: 's' } } });
  const [item] = (await send('GET', '/api/v1/secrets')).json.items;
  expect(Object.keys(item).sort()).toEqual(['data', 'metadata']);
});

test('a watch of a resource without the verb watch is refused with 405', async () => {
  const { catalog, send } = fixture;
  const secrets = catalog.find('', 'v1', 'secrets');
  if (!secrets) throw new Error('no secrets');
  catalog.add({ ...secrets, verbs: ['list'] });
  const { code, json } = await send('GET', '/api/v1/secrets?watch=1');
  expect([code, json.message, json.details]).toEqual([405, 'watch is not supported on resources of kind "secrets"', { kind: 'secrets' }]);
});

test('a watch of lists of metadata ends at its first event, without sending it', async () => {
  const accept = { headers: { accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' } };
  await fixture.send('POST', configMapsUrl, { body: configMap('first') });
  const { code, text } = await fixture.send('GET', `${configMapsUrl}?watch=1`, accept);
  expect([code, text]).toEqual([200, '']);
});
