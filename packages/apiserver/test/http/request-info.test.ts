import { expect, test } from 'vitest';
import { decodePath, requestInfoOf } from '../../src/http/request-info.ts';

const pods = { group: '', version: 'v1', namespace: undefined, plural: 'pods', name: '', subresource: '', tooLong: false, watch: false };
const inShop = { ...pods, namespace: 'shop' };

test.each([
  ['/api/v1/pods', pods],
  ['/api/v1/pods/', pods],
  ['/api/v1/namespaces/shop/pods', inShop],
  ['/api/v1/namespaces/shop/pods/web', { ...inShop, name: 'web' }],
  ['/api/v1/namespaces/shop/pods/web/status', { ...inShop, name: 'web', subresource: 'status' }],
  ['/api/v1/namespaces/shop/pods/web/status/more', { ...inShop, name: 'web', subresource: 'status', tooLong: true }],
  ['/api/v1/namespaces//pods', pods],
  ['/api/v1//pods', { ...pods, plural: '', name: 'pods', tooLong: true }],
  ['/apis/apps/v1', { ...pods, group: 'apps', plural: '' }],
  ['/api/v2', { ...pods, version: 'v2', plural: '' }],
  ['/api/v1/', { ...pods, plural: '' }],
  ['/api/v1/namespaces', { ...pods, plural: 'namespaces' }],
  ['/api/v1/namespaces/shop', { ...pods, plural: 'namespaces', name: 'shop' }],
  ['/api/v1/namespaces/shop/finalize', { ...pods, plural: 'namespaces', name: 'shop', subresource: 'finalize' }],
  ['/apis/discovery.k8s.io/v1/endpointslices', { ...pods, group: 'discovery.k8s.io', plural: 'endpointslices' }],
  ['/apis/a.io/v2/namespaces/shop/widgets/web', { ...inShop, group: 'a.io', version: 'v2', plural: 'widgets', name: 'web' }],
  ['/api/v1/watch/namespaces/shop/pods/web', { ...inShop, name: 'web', watch: true }],
])('%s', (path, info) => {
  expect(requestInfoOf(path)).toEqual(info);
});

test.each(['/', '/api', '/apis', '/apis/apps', '//api/v1/pods', '/healthz', '/api2/v1/pods'])('%s is for no resource', (path) => {
  expect(requestInfoOf(path)).toBeUndefined();
});

test('a path is decoded as UTF-8, and not where a per cent sign stands alone', () => {
  expect(decodePath('/a%2Fb%20c%C3%A9')).toBe('/a/b cé');
  expect(decodePath('/a%zz')).toBeUndefined();
  expect(decodePath('/a%2')).toBeUndefined();
});
