import { beforeEach, describe, expect, test } from 'vitest';
import type { HttpAnswer } from '../../src/http/exchange.ts';
import { createProtobufEncoder, encodeProtobuf, encodeWatchEvent, readProtobuf } from '../../src/protobuf/index.ts';
import { configMap, createFixture, type Fixture, type Json, pod } from './support.ts';

const mediaType = 'application/vnd.kubernetes.protobuf';
const accept = { headers: { accept: mediaType } };
const acceptAs = (kind: string, version = 'v1'): typeof accept => ({
  headers: { accept: `${mediaType};as=${kind};v=${version};g=meta.k8s.io` },
});
const configMapsUrl = '/api/v1/namespaces/shop/configmaps';
const widgetsUrl = '/apis/example.io/v1/namespaces/shop/widgets';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await createFixture();
  for (const name of ['a', 'b']) await fixture.send('POST', configMapsUrl, { body: configMap(name, { data: { key: name } }) });
  const widget = { apiVersion: 'example.io/v1', kind: 'Widget', metadata: { name: 'one' }, spec: { replicas: 2 } };
  await fixture.send('POST', widgetsUrl, { body: widget });
});

const jsonOf = async (url: string): Promise<Json> => (await fixture.send('GET', url)).json;
const base64 = (bytes: unknown): string => Buffer.from(bytes as Uint8Array).toString('base64');

/** Sends a request and decodes an answer in protobuf. */
async function send(method: string, url: string, options: object = accept): Promise<{ code: number; type: unknown; body: Json }> {
  const { code, headers, body } = await fixture.send(method, url, options);
  if (!(body instanceof Uint8Array)) throw new Error(`not protobuf: ${String(body)}`);
  const decodedBody = readProtobuf(body, { apiVersion: '', kind: '' }) as Json;
  return { code, type: headers['Content-Type'], body: decodedBody.value };
}

/** Opens a watch and returns its Content-Type and its first chunk. */
async function watch(url: string, options: { readonly headers: Record<string, string> } = accept): Promise<[unknown, Uint8Array]> {
  const { headers, body } = (await fixture.ask('GET', url, options)) as HttpAnswer;
  const chunks = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  const chunk = (await chunks.next()).value as Uint8Array;
  await chunks.return?.();
  return [headers['Content-Type'], chunk];
}

const eventsOf = (type: string, objects: readonly Json[]): Uint8Array =>
  Buffer.concat(objects.map((each) => encodeWatchEvent(type, encodeProtobuf(each))));

describe('in protobuf', () => {
  test('an object has the same content as in JSON', async () => {
    expect(await send('GET', `${configMapsUrl}/a`)).toStrictEqual({ code: 200, type: mediaType, body: await jsonOf(`${configMapsUrl}/a`) });
  });

  test('a list has the same items as in JSON', async () => {
    const { metadata, items } = await jsonOf(configMapsUrl);
    const { headers, body } = await fixture.send('GET', configMapsUrl, accept);
    const kind = { apiVersion: 'v1', kind: 'ConfigMap' };
    const expected = createProtobufEncoder().encodeList(
      { ...kind, kind: 'ConfigMapList' },
      metadata,
      items.map((each: object) => ({ ...kind, ...each })),
    );
    expect(headers['Content-Type']).toBe(mediaType);
    expect(base64(body)).toBe(base64(expected));
  });

  test('writes are answered with the written object', async () => {
    const headers = { ...accept.headers, 'content-type': mediaType };
    const created = await send('POST', configMapsUrl, { headers, body: encodeProtobuf(configMap('c')) });
    expect(created).toMatchObject({ code: 201, type: mediaType, body: { kind: 'ConfigMap', metadata: { name: 'c' } } });
    const { body: updated } = await send('PUT', `${configMapsUrl}/c`, {
      headers,
      body: encodeProtobuf({ ...created.body, data: { x: '1' } }),
    });
    expect(updated).toStrictEqual(await jsonOf(`${configMapsUrl}/c`));
  });

  test('a deletion is answered with a Status or the object, and its options are read', async () => {
    const options = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid: 'other' } };
    const headers = { ...accept.headers, 'content-type': mediaType };
    expect(await send('DELETE', `${configMapsUrl}/a`, { headers, body: encodeProtobuf(options) })).toMatchObject({ code: 409 });
    expect(await send('DELETE', `${configMapsUrl}/a`)).toMatchObject({ code: 200, body: { kind: 'Status', status: 'Success' } });
    const { headers: listHeaders } = await fixture.send('DELETE', configMapsUrl, accept);
    expect(listHeaders['Content-Type']).toBe(mediaType);
  });

  test('Bindings, Evictions and DeleteOptions in bodies are read', async () => {
    const podsUrl = '/api/v1/namespaces/shop/pods';
    const headers = { 'content-type': mediaType };
    await fixture.send('POST', podsUrl, { headers, body: encodeProtobuf(pod('web') as Json) });
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'web' }, target: { kind: 'Node', name: 'node-1' } };
    expect((await fixture.send('POST', `${podsUrl}/web/binding`, { headers, body: encodeProtobuf(binding) })).code).toBe(201);
    expect(await jsonOf(`${podsUrl}/web`)).toMatchObject({ spec: { nodeName: 'node-1' } });
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'web' }, deleteOptions: { gracePeriodSeconds: 5 } };
    expect((await fixture.send('POST', `${podsUrl}/web/eviction`, { headers, body: encodeProtobuf(eviction) })).code).toBe(201);
    expect(await jsonOf(`${podsUrl}/web`)).toMatchObject({ metadata: { deletionGracePeriodSeconds: 5 } });
  });

  test('errors are a Status', async () => {
    expect(await send('GET', `${configMapsUrl}/none`)).toStrictEqual({
      code: 404,
      type: mediaType,
      body: (await fixture.send('GET', `${configMapsUrl}/none`)).json,
    });
    expect(await send('GET', '/api/v1/namespaces/shop/none')).toMatchObject({ code: 404, type: mediaType });
  });

  test('there is no Table: the next format is used', async () => {
    const [table] = [acceptAs('Table').headers.accept];
    expect((await fixture.send('GET', configMapsUrl, { headers: { accept: table } })).json).toMatchObject({ code: 406 });
    const jsonTable = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    expect((await fixture.send('GET', configMapsUrl, { headers: { accept: `${table},${jsonTable}` } })).json).toMatchObject({
      kind: 'Table',
    });
    const { headers } = await fixture.send('GET', configMapsUrl, { headers: { accept: `${table},${mediaType}` } });
    expect(headers['Content-Type']).toBe(mediaType);
  });

  test('a patch is refused', async () => {
    expect(await send('PATCH', `${configMapsUrl}/a`, { headers: { ...accept.headers, 'content-type': mediaType } })).toMatchObject({
      code: 415,
      body: { message: '415: Unsupported Media Type' },
    });
  });
});

describe('metadata in protobuf', () => {
  test.each([configMapsUrl, widgetsUrl])('is served for %s', async (url) => {
    const { metadata, items } = await jsonOf(url);
    const [{ metadata: objectMetadata }] = items;
    const typeMeta = { apiVersion: 'meta.k8s.io/v1beta1', kind: 'PartialObjectMetadata' };
    expect(await send('GET', `${url}/${objectMetadata.name}`, acceptAs('PartialObjectMetadata', 'v1beta1'))).toStrictEqual({
      code: 200,
      type: mediaType,
      body: { ...typeMeta, metadata: objectMetadata },
    });
    const { body } = await fixture.send('GET', url, acceptAs('PartialObjectMetadataList'));
    const kind = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadataList' };
    expect(base64(body)).toBe(base64(createProtobufEncoder().encodeList(kind, { resourceVersion: metadata.resourceVersion }, items)));
    const [type, chunk] = await watch(`${url}?watch=1`, acceptAs('PartialObjectMetadata'));
    expect(type).toBe(`${mediaType};stream=watch`);
    expect(base64(chunk)).toBe(
      base64(
        eventsOf(
          'ADDED',
          items.map((each: Json) => ({ ...typeMeta, apiVersion: 'meta.k8s.io/v1', metadata: each.metadata })),
        ),
      ),
    );
  });

  test('of a list is not that of an object', async () => {
    expect((await fixture.send('GET', configMapsUrl, acceptAs('PartialObjectMetadata'))).json).toMatchObject({ code: 406 });
    expect((await fixture.send('GET', `${configMapsUrl}/a`, acceptAs('PartialObjectMetadataList'))).json).toMatchObject({ code: 406 });
  });
});

describe('a watch in protobuf', () => {
  test('sends objects that are ready at the same time in one chunk', async () => {
    const { items } = await jsonOf(configMapsUrl);
    const [type, chunk] = await watch(`${configMapsUrl}?watch=1`);
    expect(type).toBe(`${mediaType};stream=watch`);
    expect(base64(chunk)).toBe(
      base64(
        eventsOf(
          'ADDED',
          items.map((each: Json) => ({ apiVersion: 'v1', kind: 'ConfigMap', ...each })),
        ),
      ),
    );
  });

  test('ends with an ERROR event if its resourceVersion is too old', async () => {
    fixture.store.compact(fixture.store.revision);
    const [, chunk] = await watch(`${configMapsUrl}?watch=1&resourceVersion=1`);
    const message = `too old resource version: 1 (${fixture.store.revision})`;
    const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason: 'Expired', code: 410 };
    expect(base64(chunk)).toBe(base64(encodeWatchEvent('ERROR', encodeProtobuf(status))));
  });

  test('sends the same bytes for an event as other watches', async () => {
    const url = `${configMapsUrl}?watch=1&resourceVersion=${fixture.store.revision}`;
    await fixture.send('DELETE', `${configMapsUrl}/a`);
    const [[, first], [, second]] = [await watch(url), await watch(url)];
    expect(first).toBe(second);
  });
});

describe('a custom resource', () => {
  test('is answered in JSON if the client accepts JSON as well, but errors are in protobuf', async () => {
    const headers = { accept: `${mediaType},application/json` };
    expect((await fixture.send('GET', `${widgetsUrl}/one`, { headers })).json).toMatchObject({ kind: 'Widget' });
    expect(await send('GET', `${widgetsUrl}/none`, { headers })).toMatchObject({ code: 404, type: mediaType });
  });

  test.each(['', '/one', '/one/scale', '?watch=1'])('is not acceptable in protobuf only: GET %s', async (rest) => {
    expect(await send('GET', `${widgetsUrl}${rest}`)).toMatchObject({ code: 406, type: mediaType, body: { reason: 'NotAcceptable' } });
  });

  test('is refused in a protobuf body, but its Scale is not', async () => {
    const headers = { 'content-type': mediaType };
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'one', namespace: 'shop' }, spec: { replicas: 3 } };
    expect((await fixture.send('POST', widgetsUrl, { headers, body: encodeProtobuf(scale) })).code).toBe(415);
    expect((await fixture.send('PUT', `${widgetsUrl}/one/scale`, { headers, body: encodeProtobuf(scale) })).json).toMatchObject({
      kind: 'Scale',
      spec: { replicas: 3 },
    });
  });
});

describe('CBOR', () => {
  test('is refused in bodies, and ignored in Accept', async () => {
    for (const method of ['POST', 'PATCH']) {
      const url = method === 'POST' ? configMapsUrl : `${configMapsUrl}/a`;
      expect((await fixture.send(method, url, { headers: { 'content-type': 'application/cbor' }, body: 'x' })).code).toBe(415);
    }
    expect((await fixture.send('GET', configMapsUrl, { headers: { accept: 'application/cbor,application/json' } })).code).toBe(200);
    for (const type of ['application/cbor', 'application/cbor-seq'])
      expect((await fixture.send('GET', `${configMapsUrl}?watch=1`, { headers: { accept: type } })).json).toMatchObject({ code: 406 });
  });
});
