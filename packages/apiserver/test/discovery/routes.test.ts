import { describe, expect, test } from 'vitest';
import { groupByVersion } from '../../src/discovery/groups.ts';
import { createDiscoveryRoutes } from '../../src/discovery/index.ts';
import { createApiGroupDiscoveryList, encode, findAggregatedFormat, findPlainFormat } from '../../src/discovery/routes.ts';
import { parseAccept } from '../../src/http/negotiation.ts';
import { readProtobuf } from '../../src/protobuf/index.ts';
import { builtInResources, createCatalog } from '../../src/registry/catalog.ts';
import { countReads, createCustomResource, createWidgetResource, jsonOf, sendRequest } from './support.ts';

const aggregatedMediaType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const clientGoHeaders = {
  accept: `${aggregatedMediaType},application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json`,
};

const createTestCatalog = (): ReturnType<typeof createCatalog> =>
  createCatalog([...builtInResources(), createWidgetResource('v1'), createWidgetResource('v1beta1')]);
const createRoutes = () => createDiscoveryRoutes({ catalog: createTestCatalog() });

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
    const answer = await sendRequest(createRoutes(), path);
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
    expect(await sendRequest(createRoutes(), path)).toBeUndefined();
  });

  test('/apis does not list the core group', async () => {
    const { groups } = jsonOf(await sendRequest(createRoutes(), '/apis')) as { groups: { name: string }[] };
    const names = groups.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['apps', 'events.k8s.io', 'discovery.k8s.io', 'example.com']));
    expect(names).not.toContain('');
  });
});

describe('server address', () => {
  test('is the Host header of the request', async () => {
    expect(jsonOf(await sendRequest(createRoutes(), '/api', { host: '127.0.0.1:6443' }))).toEqual({
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1:6443' }],
    });
  });

  test('can be set by serverAddress', async () => {
    const route = createDiscoveryRoutes({ catalog: createTestCatalog(), serverAddress: () => '192.0.2.1:443' });
    expect(jsonOf(await sendRequest(route, '/api', { host: 'x' }))).toMatchObject({
      serverAddressByClientCIDRs: [{ serverAddress: '192.0.2.1:443' }],
    });
  });
});

describe('aggregated discovery', () => {
  test.each(['/api', '/apis'])('%s serves the aggregated list if it is accepted', async (path) => {
    const answer = await sendRequest(createRoutes(), path, clientGoHeaders);
    expect(answer?.code).toBe(200);
    expect(answer?.headers).toEqual({
      'Cache-Control': 'public',
      'Content-Type': aggregatedMediaType,
      ETag: expect.stringMatching(/^"[0-9A-F]{128}"$/),
      Vary: 'Accept',
    });
    expect(jsonOf(answer)).toMatchObject({ kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2' });
  });

  test('a matching If-None-Match is answered with 304', async () => {
    const route = createRoutes();
    const firstAnswer = await sendRequest(route, '/apis', clientGoHeaders);
    const tag = String(firstAnswer?.headers['ETag']);
    const secondAnswer = await sendRequest(route, '/apis', { ...clientGoHeaders, 'if-none-match': tag });
    expect(secondAnswer).toEqual({ code: 304, headers: { 'Cache-Control': 'public', ETag: tag, Vary: 'Accept' }, body: '' });
    expect((await sendRequest(route, '/apis', { ...clientGoHeaders, 'if-none-match': '*' }))?.code).toBe(200);
    expect((await sendRequest(route, '/api', { ...clientGoHeaders, 'if-none-match': tag }))?.code).toBe(200);
  });

  test('paths of groups and versions have no aggregated list', async () => {
    expect(jsonOf(await sendRequest(createRoutes(), '/apis/example.com', clientGoHeaders))).toMatchObject({ kind: 'APIGroup' });
    await expect(sendRequest(createRoutes(), '/api/v1', { accept: aggregatedMediaType })).rejects.toMatchObject({ status: { code: 406 } });
  });

  test('v2beta1 is no longer supported', async () => {
    const betaMediaType = aggregatedMediaType.replace('v=v2', 'v=v2beta1');
    expect(jsonOf(await sendRequest(createRoutes(), '/apis', { accept: `${betaMediaType},application/json` }))).toMatchObject({
      kind: 'APIGroupList',
    });
    await expect(sendRequest(createRoutes(), '/apis', { accept: betaMediaType })).rejects.toMatchObject({
      status: {
        code: 406,
        reason: 'NotAcceptable',
        message: 'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
      },
    });
  });
});

describe('discovery formats', () => {
  test.each(['/api', '/api/v1', '/apis', '/apis/example.com', '/apis/example.com/v1'])(
    '%s is served in protobuf on request',
    async (path) => {
      const answer = await sendRequest(createRoutes(), path, { accept: 'application/vnd.kubernetes.protobuf,application/json' });
      expect(answer?.headers).toEqual({ 'Content-Type': 'application/vnd.kubernetes.protobuf' });
      const { apiVersion = '', ...page } = jsonOf(await sendRequest(createRoutes(), path)) as Record<string, unknown>;
      const { value } = readProtobuf(answer?.body as Uint8Array, { apiVersion: '', kind: '' }) as { readonly value: object };
      expect(value).toMatchObject({ apiVersion, ...page });
    },
  );

  test('aggregated discovery is served in protobuf on request', async () => {
    const mediaType = 'application/vnd.kubernetes.protobuf;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    const answer = await sendRequest(createRoutes(), '/apis', { accept: mediaType });
    expect(answer?.headers['Content-Type']).toBe(mediaType);
    const { value } = readProtobuf(answer?.body as Uint8Array, { apiVersion: '', kind: '' }) as { readonly value: object };
    expect(value).toMatchObject({ apiVersion: 'apidiscovery.k8s.io/v2', kind: 'APIGroupDiscoveryList' });
  });

  test('YAML is served on request', async () => {
    const answer = await sendRequest(createRoutes(), '/apis/example.com', { accept: 'application/yaml' });
    expect(answer?.headers).toEqual({ 'Content-Type': 'application/yaml' });
    expect(answer?.body).toMatch(/^apiVersion: v1\nkind: APIGroup\nname: example\.com\n/);
  });

  test('answers are indented for curl and with pretty=true', async () => {
    expect((await sendRequest(createRoutes(), '/api', { 'user-agent': 'curl/8.5.0' }))?.body).toMatch(/^\{\n {2}"kind": "APIVersions",\n/);
    expect((await sendRequest(createRoutes(), '/apis?pretty=true', clientGoHeaders))?.body).toMatch(
      /^\{\n {2}"kind": "APIGroupDiscoveryList",\n/,
    );
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
    await expect(sendRequest(createRoutes(), path, { accept: 'text/html' })).rejects.toMatchObject({
      status: { code: 406, reason: 'NotAcceptable', message },
    });
  });
});

describe('discovery methods', () => {
  test.each(['/api', '/api/v1', '/apis/discovery.k8s.io/v1'])('%s refuses methods other than GET', async (path) => {
    for (const method of ['POST', 'DELETE', 'HEAD']) {
      await expect(sendRequest(createRoutes(), path, {}, method)).rejects.toMatchObject({
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
    expect(await sendRequest(createRoutes(), path, {}, 'POST')).toMatchObject({ code: 200 });
  });
});

describe('a catalog change', () => {
  test('updates paths and the ETag', async () => {
    const catalog = createTestCatalog();
    const route = createDiscoveryRoutes({ catalog });
    const answerBefore = await sendRequest(route, '/apis', clientGoHeaders);
    expect(await sendRequest(route, '/apis/zoo.example.com/v1')).toBeUndefined();

    const cages = createCustomResource('zoo.example.com', 'v1', 'cages', 'Cage');
    catalog.add(cages);
    expect(jsonOf(await sendRequest(route, '/apis/zoo.example.com/v1'))).toMatchObject({
      resources: [{ name: 'cages', namespaced: false }],
    });
    const answerWithCages = await sendRequest(route, '/apis', clientGoHeaders);
    expect(answerWithCages?.headers['ETag']).not.toBe(answerBefore?.headers['ETag']);

    catalog.remove(cages.resource);
    expect(await sendRequest(route, '/apis/zoo.example.com/v1')).toBeUndefined();
    const answerAfter = await sendRequest(route, '/apis', clientGoHeaders);
    expect(answerAfter?.headers['ETag']).toBe(answerBefore?.headers['ETag']);
  });

  test('makes the route read the catalog again; requests alone do not', async () => {
    const { catalog, readCount } = countReads(createTestCatalog());
    const route = createDiscoveryRoutes({ catalog });
    for (let i = 0; i < 5; i++) await sendRequest(route, '/apis', clientGoHeaders);
    await sendRequest(route, '/apis/example.com/v1');
    expect(readCount()).toBe(1);
    expect(await sendRequest(route, '/api/v1/namespaces/default/pods')).toBeUndefined();
    expect(readCount()).toBe(1);
  });
});

describe('discovery formats by Accept header', () => {
  const betaMediaType = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';

  test('a missing or empty header accepts anything', () => {
    expect(findPlainFormat(parseAccept(undefined))).toEqual({ format: 'json', pretty: false, parameters: '' });
    expect(findPlainFormat(parseAccept(''))).toEqual({ format: 'json', pretty: false, parameters: '' });
  });

  test.each([
    ['application/vnd.kubernetes.protobuf, application/json', 'protobuf'],
    ['application/json, application/vnd.kubernetes.protobuf', 'json'],
    ['application/vnd.kubernetes.protobuf,*/*', 'protobuf'],
    ['application/cbor, application/json', 'json'],
    ['application/yaml', 'yaml'],
    ['application/*', 'json'],
    ['application/json;as=Table;g=meta.k8s.io;v=v1, application/yaml;q=0.1', 'yaml'],
    ['application/json;stream=watch', 'json'],
  ])('%s is answered with %s', (header, format) => {
    expect(findPlainFormat(parseAccept(header))?.format).toBe(format);
  });

  test.each(['text/html', 'application/json;as=Table;g=meta.k8s.io;v=v1', 'application/json;sv=1', aggregatedMediaType, 'nonsense', ',,;'])(
    'plain discovery is not acceptable for %s',
    (header) => {
      expect(findPlainFormat(parseAccept(header))).toBeUndefined();
    },
  );

  test.each([
    [`${aggregatedMediaType},${betaMediaType},application/json`, 'json'],
    [`application/json, ${aggregatedMediaType};q=0.1`, 'json'],
    ['*/*;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList', 'json'],
    ['application/yaml;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList', 'yaml'],
    [`${aggregatedMediaType};profile=nopeer`, 'json'],
    ['application/vnd.kubernetes.protobuf;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList', 'protobuf'],
  ])('%s asks for aggregated discovery in %s', (header, format) => {
    expect(findAggregatedFormat(parseAccept(header))?.format).toBe(format);
  });

  test.each([betaMediaType, 'application/json', 'application/vnd.kubernetes.protobuf'])(
    '%s does not ask for aggregated discovery',
    (header) => {
      expect(findAggregatedFormat(parseAccept(header))).toBeUndefined();
    },
  );

  test('encode converts JSON to the requested format', async () => {
    const json = '{"b":1,"a":["x"]}';
    expect(await encode(json, { format: 'json', pretty: false, parameters: '' })).toBe('{"b":1,"a":["x"]}\n');
    expect(await encode(json, { format: 'json', pretty: true, parameters: '' })).toBe('{\n  "b": 1,\n  "a": [\n    "x"\n  ]\n}');
    expect(await encode(json, { format: 'yaml', pretty: true, parameters: '' })).toMatch(/^a:\n *- x\nb: 1\n$/);
  });
});

const groupVersionsIn = (group: string, resources = builtInResources()) => groupByVersion(resources).filter((each) => each.group === group);

// The exact answer of kube-apiserver 1.36.3.
test('the aggregated list of a group is byte for byte that of kube-apiserver', () => {
  expect(JSON.stringify(createApiGroupDiscoveryList([groupVersionsIn('events.k8s.io')]))).toBe(
    '{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","metadata":{},"items":[{"metadata":{"name":"events.k8s.io"},"versions":[{"version":"v1","resources":[{"resource":"events","responseKind":{"group":"","version":"","kind":"Event"},"scope":"Namespaced","singularResource":"event","verbs":["create","delete","deletecollection","get","list","patch","update","watch"],"shortNames":["ev"]}],"freshness":"Current"}]}]}',
  );
});

test('the aggregated list contains group and version of the kind of a custom resource', () => {
  const list = createApiGroupDiscoveryList([groupVersionsIn('example.com', [createWidgetResource('v1'), createWidgetResource('v1beta1')])]);
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

test('in the aggregated list the core group has no name, and subresources have the group of their kind', () => {
  const [core] = createApiGroupDiscoveryList([groupVersionsIn('')])['items'] as {
    metadata: object;
    versions: { resources: { resource: string }[] }[];
  }[];
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
