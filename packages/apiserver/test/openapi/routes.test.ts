import { describe, expect, test } from 'vitest';
import type { Route } from '../../src/http/exchange.ts';
import { createOpenApiRoute } from '../../src/openapi/index.ts';
import { builtInResources, createCatalog } from '../../src/registry/catalog.ts';
import type { Clock } from '../../src/store/index.ts';
import { createWidgetResource, jsonOf, sendRequest } from '../discovery/support.ts';

const clock: Clock = {
  now: () => Date.UTC(2026, 1, 3, 4, 5, 6),
  schedule: () => {
    throw new Error('nothing is scheduled');
  },
};
const createRoute = (): Route => createOpenApiRoute({ catalog: createCatalog([...builtInResources(), createWidgetResource('v1')]), clock });

async function urlOf(route: Route, path: string): Promise<string> {
  const { paths } = jsonOf(await sendRequest(route, '/openapi/v3')) as { paths: Record<string, { serverRelativeURL: string }> };
  return paths[path]?.serverRelativeURL ?? '';
}

describe('route /openapi/v3', () => {
  test('serves the index and answers 304 if it is unchanged', async () => {
    const route = createRoute();
    const answer = await sendRequest(route, '/openapi/v3', { accept: 'application/json, */*' });
    expect(answer).toMatchObject({ code: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8', ETag: expect.any(String) } });
    const secondAnswer = await sendRequest(route, '/openapi/v3', { 'if-none-match': String(answer?.headers['ETag']) });
    expect(secondAnswer).toEqual({ code: 304, headers: { ETag: answer?.headers['ETag'] }, body: '' });
  });

  test('serves documents with the current hash as immutable for a year', async () => {
    const route = createRoute();
    const url = await urlOf(route, 'apis/example.com/v1');
    const hash = url.split('hash=')[1];
    const answer = await sendRequest(route, url, { accept: 'application/json' });
    expect(answer?.code).toBe(200);
    expect(answer?.headers).toEqual({
      'Cache-Control': 'public, immutable',
      'Content-Type': 'application/json',
      ETag: `"${hash}"`,
      Expires: 'Wed, 03 Feb 2027 04:05:06 GMT',
      Vary: 'Accept',
    });
    expect(jsonOf(answer)).toMatchObject({ openapi: '3.0.0' });
  });

  test('answers 304 for a document without a hash if its ETag matches', async () => {
    const route = createRoute();
    const answer = await sendRequest(route, '/openapi/v3/api/v1');
    expect(answer?.headers).toEqual({ 'Content-Type': 'application/json', ETag: expect.any(String), Vary: 'Accept' });
    const tag = String(answer?.headers['ETag']);
    for (const tags of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      expect(await sendRequest(route, '/openapi/v3/api/v1', { 'if-none-match': tags })).toEqual({
        code: 304,
        headers: { ETag: tag, Vary: 'Accept' },
        body: '',
      });
    }
    expect((await sendRequest(route, '/openapi/v3/api/v1', { 'if-none-match': '"other"' }))?.code).toBe(200);
    expect((await sendRequest(route, '/openapi/v3/api/v1', { 'if-none-match': tag }, 'POST'))?.code).toBe(200);
  });

  test('redirects an outdated hash to the current one', async () => {
    const route = createRoute();
    const url = await urlOf(route, 'apis/example.com/v1');
    expect(await sendRequest(route, '/openapi/v3/apis/example.com/v1?hash=ABC')).toEqual({
      code: 301,
      headers: {
        'Content-Type': 'application/json',
        ETag: `"${url.split('hash=')[1]}"`,
        Location: url,
        Vary: 'Accept',
      },
      body: '',
    });
  });

  test.each(['/openapi/v3/', '/openapi/v3/apis/nope/v1', '/openapi/v3/apis/example.com', '/openapi/v3/apis/example.com/v1/'])(
    'answers 404 for %s',
    async (path) => {
      expect(await sendRequest(createRoute(), path)).toEqual({ code: 404, headers: {}, body: '' });
    },
  );
});

describe('route /openapi/v2', () => {
  test.each([
    undefined,
    '*/*',
    'application/json',
    'text/html, application/com.github.proto-openapi.spec.v2@v1.0+protobuf;q=0.1, application/json',
  ])('serves JSON for the Accept header %s', async (accept) => {
    const answer = await sendRequest(createRoute(), '/openapi/v2', accept === undefined ? {} : { accept });
    expect(answer).toMatchObject({
      code: 200,
      headers: { 'Content-Type': 'application/json', ETag: expect.any(String), Vary: 'Accept' },
    });
    expect(jsonOf(answer)).toMatchObject({ swagger: '2.0', info: { title: 'Kubernetes', version: '1.36' } });
  });

  test.each([
    'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
    'application/com.github.proto-openapi.spec.v2.v1.0+protobuf, application/json;q=0.5',
  ])('serves protobuf for the Accept header %s', async (accept) => {
    const route = createRoute();
    const answer = await sendRequest(route, '/openapi/v2', { accept });
    expect(answer?.headers).toEqual({
      'Content-Type': 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
      ETag: (await sendRequest(route, '/openapi/v2'))?.headers['ETag'],
      Vary: 'Accept',
    });
    // Field 1 with three bytes: the version.
    const start = [...Buffer.from((answer?.body ?? '') as Uint8Array)].slice(0, 5);
    expect(start).toEqual([0x0a, 3, ...Buffer.from('2.0')]);
    expect((await sendRequest(route, '/openapi/v2', { accept, 'if-none-match': String(answer?.headers['ETag']) }))?.code).toBe(304);
  });

  test.each(['text/html', 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf'])(
    'answers 406, as do documents of OpenAPI 3, for the Accept header %s',
    async (accept) => {
      expect(await sendRequest(createRoute(), '/openapi/v2', { accept })).toEqual({ code: 406, headers: { Vary: 'Accept' }, body: '' });
      expect(await sendRequest(createRoute(), '/openapi/v3/api/v1', { accept })).toEqual({
        code: 406,
        headers: { Vary: 'Accept' },
        body: '',
      });
    },
  );
});

test.each(['/openapi', '/openapi/v2/', '/openapi/v4', '/openapi/v3x', '/api/v1'])('%s is not answered', async (path) => {
  expect(await sendRequest(createRoute(), path)).toBeUndefined();
});

test('documents are updated when the catalog changes', async () => {
  const catalog = createCatalog([createWidgetResource('v1')]);
  const route = createOpenApiRoute({ catalog, clock });
  const oldUrl = await urlOf(route, 'apis/example.com/v1');
  catalog.add(createWidgetResource('v1', { schema: { structural: { type: 'object', properties: { spec: { type: 'string' } } } } }));
  const answer = await sendRequest(route, oldUrl);
  expect(answer).toMatchObject({ code: 301, headers: { Location: await urlOf(route, 'apis/example.com/v1') } });
  catalog.remove(createWidgetResource('v1').resource);
  expect(await sendRequest(route, oldUrl)).toMatchObject({ code: 404 });
});
