import { describe, expect, test } from 'vitest';
import { groupVersionsOf } from '../../src/discovery/groups.ts';
import { discoveryRoutes } from '../../src/discovery/index.ts';
import { aggregatedFormat, groupDiscoveryList, plainFormat, written } from '../../src/discovery/routes.ts';
import { readAccept } from '../../src/http/negotiation.ts';
import { builtInResources, createCatalog } from '../../src/registry/catalog.ts';
import { ask, counted, customResource, jsonOf, widgets } from './support.ts';

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const fromClientGo = { accept: `${aggregated},application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json` };

const served = (): ReturnType<typeof createCatalog> => createCatalog([...builtInResources(), widgets('v1'), widgets('v1beta1')]);
const routes = () => discoveryRoutes({ catalog: served() });

describe('discovery paths', () => {
  test.each([
    ['/api', 'APIVersions'],
    ['/api/', 'APIVersions'],
    ['/apis', 'APIGroupList'],
    ['/apis/', 'APIGroupList'],
    ['/api/v1', 'APIResourceList'],
    ['/api/v1/', 'APIResourceList'],
    ['/apis/discovery.k8s.io', 'APIGroup'],
    ['/apis/example.com/', 'APIGroup'],
    ['/apis/discovery.k8s.io/v1', 'APIResourceList'],
    ['/apis/example.com/v1beta1', 'APIResourceList'],
  ])('%s answers with %s', async (path, kind) => {
    const answer = await ask(routes(), path);
    expect(answer).toMatchObject({ code: 200, headers: { 'Content-Type': 'application/json' } });
    expect(jsonOf(answer)).toMatchObject({ kind });
    expect(answer?.body).toMatch(/\}\n$/);
  });

  test.each([
    '/',
    '/api/v2',
    '/apis/nope',
    '/apis/nope/v1',
    '/apis/example.com/v3',
    '/apis/example.com/v1/widgets',
    '/api/v1/pods',
    '/apiserver',
    '/apis/__proto__',
    '/version',
  ])('%s is not answered', async (path) => {
    expect(await ask(routes(), path)).toBeUndefined();
  });

  test('/apis does not list the core group', async () => {
    const { groups } = jsonOf(await ask(routes(), '/apis')) as { groups: { name: string }[] };
    expect(groups.map(({ name }) => name)).toEqual([
      'events.k8s.io',
      'admissionregistration.k8s.io',
      'coordination.k8s.io',
      'discovery.k8s.io',
      'example.com',
    ]);
  });
});

describe('serverAddress', () => {
  test('is the Host of the request', async () => {
    expect(jsonOf(await ask(routes(), '/api', { host: '127.0.0.1:6443' }))).toEqual({
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1:6443' }],
    });
  });

  test('can be configured', async () => {
    const route = discoveryRoutes({ catalog: served(), serverAddress: () => '192.0.2.1:443' });
    expect(jsonOf(await ask(route, '/api', { host: 'x' }))).toMatchObject({
      serverAddressByClientCIDRs: [{ serverAddress: '192.0.2.1:443' }],
    });
  });
});

describe('aggregated discovery', () => {
  test.each(['/api', '/apis'])('%s serves the aggregated list if it is accepted', async (path) => {
    const answer = await ask(routes(), path, fromClientGo);
    expect(answer?.code).toBe(200);
    expect(answer?.headers).toEqual({
      'Cache-Control': 'public',
      'Content-Type': aggregated,
      ETag: expect.stringMatching(/^"[0-9A-F]{128}"$/),
      Vary: 'Accept',
    });
    expect(jsonOf(answer)).toMatchObject({ kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2' });
  });

  test('a matching If-None-Match is answered with 304', async () => {
    const route = routes();
    const first = await ask(route, '/apis', fromClientGo);
    const tag = String(first?.headers['ETag']);
    const second = await ask(route, '/apis', { ...fromClientGo, 'if-none-match': tag });
    expect(second).toEqual({ code: 304, headers: { 'Cache-Control': 'public', ETag: tag, Vary: 'Accept' }, body: '' });
    expect((await ask(route, '/apis', { ...fromClientGo, 'if-none-match': '*' }))?.code).toBe(200);
    expect((await ask(route, '/api', { ...fromClientGo, 'if-none-match': tag }))?.code).toBe(200);
  });

  test('the documents of groups and versions have no aggregated form', async () => {
    expect(jsonOf(await ask(routes(), '/apis/example.com', fromClientGo))).toMatchObject({ kind: 'APIGroup' });
    await expect(ask(routes(), '/api/v1', { accept: aggregated })).rejects.toMatchObject({ status: { code: 406 } });
  });

  test('v2beta1 is no longer supported', async () => {
    const beta = aggregated.replace('v=v2', 'v=v2beta1');
    expect(jsonOf(await ask(routes(), '/apis', { accept: `${beta},application/json` }))).toMatchObject({ kind: 'APIGroupList' });
    await expect(ask(routes(), '/apis', { accept: beta })).rejects.toMatchObject({
      status: {
        code: 406,
        reason: 'NotAcceptable',
        message: 'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
      },
    });
  });
});

describe('formats', () => {
  test('clients that prefer protobuf get JSON', async () => {
    const answer = await ask(routes(), '/api/v1', { accept: 'application/vnd.kubernetes.protobuf,application/json' });
    expect(answer?.headers).toEqual({ 'Content-Type': 'application/json' });
  });

  test('YAML is served on request', async () => {
    const answer = await ask(routes(), '/apis/example.com', { accept: 'application/yaml' });
    expect(answer?.headers).toEqual({ 'Content-Type': 'application/yaml' });
    expect(answer?.body).toMatch(/^apiVersion: v1\nkind: APIGroup\nname: example\.com\n/);
  });

  test('answers are indented for curl and on request', async () => {
    expect((await ask(routes(), '/api', { 'user-agent': 'curl/8.5.0' }))?.body).toMatch(/^\{\n {2}"kind": "APIVersions",\n/);
    expect((await ask(routes(), '/apis?pretty=true', fromClientGo))?.body).toMatch(/^\{\n {2}"kind": "APIGroupDiscoveryList",\n/);
  });

  test.each([
    [
      '/api/v1',
      '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    ],
    [
      '/apis/example.com/v1',
      'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    ],
  ])('%s refuses other media types', async (path, message) => {
    await expect(ask(routes(), path, { accept: 'text/html' })).rejects.toMatchObject({
      status: { code: 406, reason: 'NotAcceptable', message },
    });
  });
});

describe('methods', () => {
  test.each(['/api', '/api/v1', '/apis/discovery.k8s.io/v1'])('%s refuses methods other than GET', async (path) => {
    for (const method of ['POST', 'DELETE', 'HEAD']) {
      await expect(ask(routes(), path, {}, method)).rejects.toMatchObject({
        status: {
          code: 405,
          reason: 'MethodNotAllowed',
          message: 'the server does not allow this method on the requested resource',
          details: {},
        },
      });
    }
  });

  test.each(['/apis', '/apis/discovery.k8s.io', '/apis/example.com/v1'])('%s accepts any method', async (path) => {
    expect(await ask(routes(), path, {}, 'POST')).toMatchObject({ code: 200 });
  });
});

describe('a catalog change', () => {
  test('updates paths and the ETag', async () => {
    const catalog = served();
    const route = discoveryRoutes({ catalog });
    const before = await ask(route, '/apis', fromClientGo);
    expect(await ask(route, '/apis/zoo.example.com/v1')).toBeUndefined();

    const cages = customResource('zoo.example.com', 'v1', 'cages', 'Cage');
    catalog.add(cages);
    expect(jsonOf(await ask(route, '/apis/zoo.example.com/v1'))).toMatchObject({ resources: [{ name: 'cages', namespaced: false }] });
    const between = await ask(route, '/apis', fromClientGo);
    expect(between?.headers['ETag']).not.toBe(before?.headers['ETag']);

    catalog.remove(cages.resource);
    expect(await ask(route, '/apis/zoo.example.com/v1')).toBeUndefined();
    const after = await ask(route, '/apis', fromClientGo);
    expect(after?.headers['ETag']).toBe(before?.headers['ETag']);
  });

  test('is the only reason to read the catalog again', async () => {
    const { catalog, reads } = counted(served());
    const route = discoveryRoutes({ catalog });
    for (let i = 0; i < 5; i++) await ask(route, '/apis', fromClientGo);
    await ask(route, '/apis/example.com/v1');
    expect(reads()).toBe(1);
    expect(await ask(route, '/api/v1/namespaces/default/pods')).toBeUndefined();
    expect(reads()).toBe(1);
  });
});

describe('accept', () => {
  const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const beta = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';

  test('a missing or empty header accepts anything', () => {
    expect(plainFormat(readAccept(undefined))).toEqual({ name: 'json', pretty: false, parameters: '' });
    expect(plainFormat(readAccept(''))).toEqual({ name: 'json', pretty: false, parameters: '' });
  });

  test.each([
    ['application/vnd.kubernetes.protobuf, application/json', 'json'],
    ['application/vnd.kubernetes.protobuf,*/*', 'json'],
    ['application/yaml', 'yaml'],
    ['application/*', 'json'],
    ['application/json;as=Table;g=meta.k8s.io;v=v1, application/yaml;q=0.1', 'yaml'],
    ['application/json;stream=watch', 'json'],
  ])('%s is answered with %s', (header, name) => {
    expect(plainFormat(readAccept(header))?.name).toBe(name);
  });

  test.each(['text/html', 'application/json;as=Table;g=meta.k8s.io;v=v1', 'application/json;sv=1', aggregated, 'nonsense', ',,;'])(
    'plain discovery is not acceptable for %s',
    (header) => {
      expect(plainFormat(readAccept(header))).toBeUndefined();
    },
  );

  test.each([
    [`${aggregated},${beta},application/json`, 'json'],
    [`application/json, ${aggregated};q=0.1`, 'json'],
    ['*/*;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList', 'json'],
    ['application/yaml;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList', 'yaml'],
    [`${aggregated};profile=nopeer`, 'json'],
  ])('%s asks for aggregated discovery in %s', (header, name) => {
    expect(aggregatedFormat(readAccept(header))?.name).toBe(name);
  });

  test.each([beta, 'application/json', 'application/vnd.kubernetes.protobuf;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'])(
    '%s does not ask for aggregated discovery',
    (header) => {
      expect(aggregatedFormat(readAccept(header))).toBeUndefined();
    },
  );

  test('documents are written in the chosen format', async () => {
    const json = '{"b":1,"a":["x"]}';
    expect(await written(json, { name: 'json', pretty: false, parameters: '' })).toBe('{"b":1,"a":["x"]}\n');
    expect(await written(json, { name: 'json', pretty: true, parameters: '' })).toBe('{\n  "b": 1,\n  "a": [\n    "x"\n  ]\n}');
    expect(await written(json, { name: 'yaml', pretty: true, parameters: '' })).toMatch(/^a:\n *- x\nb: 1\n$/);
  });
});

const versionsOf = (group: string, resources = builtInResources()) => groupVersionsOf(resources).filter((each) => each.group === group);

// The exact answer of kube-apiserver 1.36.3.
test('a built-in group is listed exactly as by kube-apiserver', () => {
  expect(JSON.stringify(groupDiscoveryList([versionsOf('events.k8s.io')]))).toBe(
    '{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","metadata":{},"items":[{"metadata":{"name":"events.k8s.io"},"versions":[{"version":"v1","resources":[{"resource":"events","responseKind":{"group":"","version":"","kind":"Event"},"scope":"Namespaced","singularResource":"event","verbs":["create","delete","deletecollection","get","list","patch","update","watch"],"shortNames":["ev"]}],"freshness":"Current"}]}]}',
  );
});

test('a custom resource is listed with the group and version of its kind', () => {
  const list = groupDiscoveryList([versionsOf('example.com', [widgets('v1'), widgets('v1beta1')])]);
  const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
  const widget = (version: string): object => ({
    resource: 'widgets',
    responseKind: { group: 'example.com', version, kind: 'Widget' },
    scope: 'Namespaced',
    singularResource: 'widget',
    verbs,
    shortNames: ['wd'],
    categories: ['all'],
    subresources: [
      { subresource: 'status', responseKind: { group: 'example.com', version, kind: 'Widget' }, verbs: ['get', 'patch', 'update'] },
      { subresource: 'scale', responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' }, verbs: ['get', 'patch', 'update'] },
    ],
  });
  expect(list['items']).toEqual([
    {
      metadata: { name: 'example.com' },
      versions: [
        { version: 'v1', resources: [widget('v1')], freshness: 'Current' },
        { version: 'v1beta1', resources: [widget('v1beta1')], freshness: 'Current' },
      ],
    },
  ]);
});

test('the core group has no name, and subresources carry the group of their kind', () => {
  const [core] = groupDiscoveryList([versionsOf('')])['items'] as { metadata: object; versions: { resources: { resource: string }[] }[] }[];
  expect(core?.metadata).toEqual({});
  expect(core?.versions[0]?.resources.find(({ resource }) => resource === 'pods')).toMatchObject({
    categories: ['all'],
    subresources: expect.arrayContaining([
      { subresource: 'binding', responseKind: { group: '', version: '', kind: 'Binding' }, verbs: ['create'] },
      { subresource: 'eviction', responseKind: { group: 'policy', version: 'v1', kind: 'Eviction' }, verbs: ['create'] },
    ]),
  });
  expect(core?.versions[0]?.resources.find(({ resource }) => resource === 'nodes')).toMatchObject({ scope: 'Cluster' });
});
