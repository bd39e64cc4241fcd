import { beforeAll, expect, test } from 'vitest';
import { createFixture, type Fixture } from './support.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});

const shopUrl = '/api/v1/namespaces/shop';
const widgetsUrl = '/apis/example.io/v1/namespaces/shop/widgets';

test.each([
  ['GET', '/api/v1/foos'],
  ['GET', '/api/v2'],
  ['GET', '/apis/discovery.k8s.io/v9'],
  ['GET', '/api/v2/pods'],
  ['GET', '/apis/discovery.k8s.io/v1/nothing'],
  ['GET', '/apis/discovery.k8s.io/v9/endpointslices'],
  ['GET', `${shopUrl}/pods/web/nothing`],
  ['GET', `${shopUrl}/pods/web/status/more`],
  ['GET', '/api/v1//pods'],
  ['GET', `${shopUrl}/pods/a%2Fb`],
  ['GET', '/api/v1/pods/web'],
  ['GET', `${shopUrl}/nodes`],
  ['GET', `${shopUrl}/nodes/one`],
  ['GET', '/api/v1/proxy/x'],
  ['GET', `${shopUrl}/foo/bar`],
  ['GET', `/api/v1/watch/namespaces/shop/pods/web/status`],
])('%s %s is answered with 404', async (method, url) => {
  const { code, json } = await fixture.send(method, url);
  expect(code).toBe(404);
  expect(json).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'the server could not find the requested resource',
    reason: 'NotFound',
    details: {},
    code: 404,
  });
});

test.each([
  ['POST', '/api/v1/pods'],
  ['DELETE', '/api/v1/pods'],
  ['DELETE', '/api/v1/namespaces'],
  ['PUT', `${shopUrl}/pods`],
  ['PATCH', `${shopUrl}/pods`],
  ['POST', `${shopUrl}/pods/web`],
  ['OPTIONS', '/api/v1/pods'],
  ['HEAD', '/api/v1/pods'],
  ['FOO', '/api/v1/pods'],
  ['toString', '/api/v1/pods'],
  ['POST', '/api/v1/watch/pods'],
  ['GET', `${shopUrl}/pods/web/binding`],
  ['GET', `${shopUrl}/bindings`],
  ['GET', `${shopUrl}/finalize`],
  ['PATCH', `${shopUrl}/finalize`],
  ['DELETE', `${shopUrl}/status`],
  ['POST', `${shopUrl}/status`],
])('%s %s is answered with 405', async (method, url) => {
  const { code, json } = await fixture.send(method, url);
  expect(code).toBe(405);
  expect(json).toMatchObject({
    message: 'the server does not allow this method on the requested resource',
    reason: 'MethodNotAllowed',
    details: {},
  });
});

test.each([
  ['GET', '/apis/nothing.io/v1/things'],
  ['GET', '/apis/example.io/v1/others'],
  ['GET', '/apis/example.io/v9/widgets'],
  ['GET', '/apis/example.io/v1/widgets/web'],
  ['POST', '/apis/example.io/v1/widgets'],
  ['GET', '/api'],
  ['GET', '/api/v1'],
  ['GET', '/apis/discovery.k8s.io/v1'],
  ['GET', '/openapi/v2'],
])('%s %s is not handled by the resource routes', async (method, url) => {
  expect(await fixture.ask(method, url)).toBeUndefined();
});

test.each([
  ['..', "may not be '..'"],
  ['%2e%2e', "may not be '..'"],
  ['.', "may not be '.'"],
  ['a%25', "may not contain '%'"],
])('%s is refused as a name', async (name, problem) => {
  const { code, json } = await fixture.send('GET', `${shopUrl}/pods/${name}`);
  expect(code).toBe(400);
  expect(json.message).toBe(`Name parameter invalid: ${JSON.stringify(decodeURIComponent(name))}: ${problem}`);
});

test('a path with malformed percent encoding is answered with 400', async () => {
  const { code, text, headers } = await fixture.send('GET', `${shopUrl}/pods/%zz`);
  expect([code, text, headers['Content-Type']]).toEqual([400, '400 Bad Request', 'text/plain; charset=utf-8']);
});

test('a name may contain any other character', async () => {
  const { code, json } = await fixture.send('GET', `${shopUrl}/pods/a%20b`);
  expect([code, json.details]).toEqual([404, { name: 'a b', kind: 'pods' }]);
});

test('a trailing slash is ignored', async () => {
  expect((await fixture.send('GET', `${shopUrl}/pods/`)).json.kind).toBe('PodList');
  expect((await fixture.send('GET', `${shopUrl}/pods/web/`)).json.details).toEqual({ name: 'web', kind: 'pods' });
});

test.each([
  ['PUT', widgetsUrl, 400, 'name must be provided'],
  ['OPTIONS', widgetsUrl, 405, ' is not supported on resources of kind "widgets.example.io"'],
  ['DELETE', `${widgetsUrl}/a/status`, 405, 'delete is not supported on resources of kind "widgets.example.io"'],
  ['POST', `${widgetsUrl}/a/status`, 405, 'create is not supported on resources of kind "widgets.example.io"'],
  ['GET', `${widgetsUrl}/a/nothing`, 404, 'widgets.example.io "a" not found'],
  ['GET', `${widgetsUrl}/a/b/c`, 404, 'widgets.example.io "a" not found'],
  ['GET', `${widgetsUrl}/a%2Fb`, 404, 'widgets.example.io "a" not found'],
])('for custom resources, %s %s is answered with a different Status', async (method, url, code, message) => {
  const answer = await fixture.send(method, url);
  expect([answer.code, answer.json.message]).toEqual([code, message]);
});

test('every answer disables caching', async () => {
  const { headers } = await fixture.send('GET', `${shopUrl}/pods`);
  expect(headers).toEqual({ 'Content-Type': 'application/json', 'Cache-Control': 'no-cache, private' });
});

test('a resource is served as long as it is in the catalog', async () => {
  const { catalog, registry, ask, send } = await createFixture();
  const { resource } = catalog.find('example.io', 'v1', 'widgets') as { resource: Parameters<typeof registry.withdraw>[0] };
  expect((await send('GET', widgetsUrl)).code).toBe(200);
  catalog.remove(resource);
  expect(await ask('GET', widgetsUrl)).toBeUndefined();
});
