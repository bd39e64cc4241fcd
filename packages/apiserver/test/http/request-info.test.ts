import { expect, test } from 'vitest';
import { parseRequestInfo } from '../../src/http/request-info.ts';

const pods = {
  group: '',
  version: 'v1',
  namespace: undefined,
  resource: 'pods',
  name: '',
  subresource: '',
  isTooLong: false,
  isWatchPath: false,
};
const inShop = { ...pods, namespace: 'shop' };
const list = { apiPrefix: 'api', verb: 'list', scope: 'cluster' };
const listInShop = { ...list, scope: 'namespace' };
const get = { ...list, verb: 'get', scope: 'resource' };
const noResource = { ...get, scope: '' };

test.each([
  ['/api/v1/pods', { ...pods, ...list }],
  ['/api/v1/pods/', { ...pods, ...list }],
  ['/api/v1/namespaces/shop/pods', { ...inShop, ...listInShop }],
  ['/api/v1/namespaces/shop/pods/web', { ...inShop, ...get, name: 'web' }],
  ['/api/v1/namespaces/shop/pods/web/status', { ...inShop, ...get, name: 'web', subresource: 'status' }],
  ['/api/v1/namespaces/shop/pods/web/status/more', { ...inShop, ...get, name: 'web', subresource: 'status', isTooLong: true }],
  ['/api/v1/namespaces//pods', { ...pods, ...list }],
  ['/api/v1//pods', { ...pods, ...noResource, resource: '', name: 'pods', isTooLong: true }],
  ['/apis/apps/v1', { ...pods, ...noResource, apiPrefix: 'apis', group: 'apps', resource: '' }],
  ['/api/v2', { ...pods, ...noResource, version: 'v2', resource: '' }],
  ['/api/v1/', { ...pods, ...noResource, resource: '' }],
  ['/api/v1/namespaces', { ...pods, ...list, resource: 'namespaces' }],
  ['/api/v1/namespaces/shop', { ...pods, ...get, resource: 'namespaces', name: 'shop' }],
  ['/api/v1/namespaces/shop/finalize', { ...pods, ...get, resource: 'namespaces', name: 'shop', subresource: 'finalize' }],
  [
    '/apis/discovery.k8s.io/v1/endpointslices',
    { ...pods, ...list, apiPrefix: 'apis', group: 'discovery.k8s.io', resource: 'endpointslices' },
  ],
  [
    '/apis/a.io/v2/namespaces/shop/widgets/web',
    { ...inShop, ...get, apiPrefix: 'apis', group: 'a.io', version: 'v2', resource: 'widgets', name: 'web' },
  ],
  ['/api/v1/watch/namespaces/shop/pods/web', { ...inShop, ...get, verb: 'watch', name: 'web', isWatchPath: true }],
])('parseRequestInfo parses GET %s', (path, info) => {
  expect(parseRequestInfo('GET', path, () => false)).toStrictEqual({ ...info, path });
});

test.each(['/', '/api', '/apis', '/apis/apps', '//api/v1/pods', '/healthz', '/api2/v1/pods'])(
  'parseRequestInfo finds no API version in %s',
  (path) => {
    expect(parseRequestInfo('POST', path, () => false)).toStrictEqual({
      path,
      apiPrefix: '',
      verb: 'post',
      group: '',
      version: '',
      namespace: undefined,
      resource: '',
      name: '',
      subresource: '',
      scope: '',
      isTooLong: false,
      isWatchPath: false,
    });
  },
);

test('parseRequestInfo decodes the path as UTF-8 before splitting it', () => {
  expect(parseRequestInfo('GET', '/api/v1/n%6Fdes/%C3%A9%2Fstatus', () => false)).toStrictEqual({
    ...pods,
    ...get,
    path: '/api/v1/nodes/é/status',
    resource: 'nodes',
    name: 'é',
    subresource: 'status',
  });
});

test.each(['/api/v1/%zz', '/api/v1/%2'])('parseRequestInfo returns no path for the malformed percent encoding of %s', (path) => {
  expect(parseRequestInfo('GET', path, () => false)).toMatchObject({ path: undefined, apiPrefix: '', resource: '' });
});

const summaryOf = (method: string, target: string): string => {
  const { verb, group, version, resource, subresource, scope } = parseRequestInfo(method, target.replace(/\?.*/, ''), () =>
    target.includes('?'),
  );
  return [verb, group, version, resource, subresource, scope].join(' ');
};

test.each([
  ['GET', '/api/v1/pods', 'list  v1 pods  cluster'],
  ['HEAD', '/api/v1/pods', 'list  v1 pods  cluster'],
  ['GET', '/api/v1/pods?watch', 'watch  v1 pods  cluster'],
  ['GET', '/api/v1/namespaces/a/pods', 'list  v1 pods  namespace'],
  ['GET', '/api/v1/namespaces/a/pods/b', 'get  v1 pods  resource'],
  ['GET', '/api/v1/namespaces/a/pods/b?watch', 'get  v1 pods  resource'],
  ['PATCH', '/api/v1/namespaces/a/pods/b/status', 'patch  v1 pods status resource'],
  ['DELETE', '/api/v1/namespaces/a/pods', 'deletecollection  v1 pods  namespace'],
  ['DELETE', '/api/v1/nodes/a', 'delete  v1 nodes  resource'],
  ['POST', '/apis/discovery.k8s.io/v1/namespaces/a/endpointslices', 'create discovery.k8s.io v1 endpointslices  resource'],
  ['PUT', '/api/v1/namespaces/a', 'update  v1 namespaces  resource'],
  ['PUT', '/api/v1/namespaces/a/finalize', 'update  v1 namespaces finalize resource'],
  ['GET', '/api/v1/watch/namespaces/a/pods', 'watch  v1 pods  namespace'],
  ['GET', '/api/v1', 'get  v1   '],
  ['GET', '/apis/a', 'get     '],
  ['POST', '/healthz', 'post     '],
  ['GET', '/', 'get     '],
])('parseRequestInfo derives the verb, the resource and the scope of %s %s', (method, target, expected) =>
  expect(summaryOf(method, target)).toBe(expected),
);
