import { resources } from 'kube-endpoints/port';
import { expect, it } from 'vitest';
import { type Call, createCallMatcher, formatCall, toCall } from '../../src/faults/call.ts';
import { parseBool } from '../../src/http/parameters.ts';
import { parseRequestInfo } from '../../src/http/request-info.ts';

const bindPod: Call = { verb: 'create', resource: resources.pods, subresource: 'binding', namespace: 'shop', name: 'web' };
const listSlices: Call = { verb: 'list', resource: resources.endpointSlices };

it.each([
  [{}, bindPod, true],
  [{ verbs: ['create'] }, bindPod, true],
  [{ verbs: ['update'] }, bindPod, false],
  [{ resources: ['pods'] }, bindPod, true],
  [{ resources: ['services', 'pods'] }, bindPod, true],
  [{ resources: ['pods.'] }, bindPod, true],
  [{ resources: ['pods.apps'] }, bindPod, false],
  [{ resources: ['pods/binding'] }, bindPod, true],
  [{ resources: ['pods/status'] }, bindPod, false],
  [{ resources: [resources.pods] }, bindPod, true],
  [{ namespaces: ['shop'] }, bindPod, true],
  [{ namespaces: ['default'] }, bindPod, false],
  [{ namespaces: ['shop'], verbs: ['list'] }, bindPod, false],
  [{ resources: ['endpointslices'] }, listSlices, true],
  [{ resources: ['endpointslices.discovery.k8s.io'] }, listSlices, true],
  [{ resources: [{ group: '', plural: 'endpointslices' }] }, listSlices, false],
  [{ namespaces: ['shop'] }, listSlices, false],
] as const)('createCallMatcher for the scope %j and the call %j returns %j', (scope, call, expected) => {
  expect(createCallMatcher(scope)(call)).toBe(expected);
});

it('formatCall prints verb, resource and name', () => {
  expect(formatCall(bindPod)).toBe('create pods/binding shop/web');
  expect(formatCall(listSlices)).toBe('list endpointslices.discovery.k8s.io');
  expect(formatCall({ verb: 'get', resource: resources.nodes, name: 'n' })).toBe('get nodes n');
});

const parseRequest = (line: string) => {
  const [method = '', url = ''] = line.split(' ');
  const [path = '', query] = url.split('?');
  const parameters = new URLSearchParams(query);
  const watch = parameters.get('watch');
  const info = parseRequestInfo(method, path, () => watch !== null && parseBool(watch));
  return toCall({ info, query: parameters });
};

it.each([
  ['GET /api/v1/pods', 'list pods'],
  ['HEAD /api/v1/pods', 'list pods'],
  ['GET /api/v1/namespaces/shop/pods?watch=1', 'watch pods shop'],
  ['GET /api/v1/pods?watch', 'watch pods'],
  ['GET /api/v1/pods?watch=False', 'list pods'],
  ['GET /api/v1/pods?watch=0', 'list pods'],
  ['GET /api/v1/watch/namespaces/shop/pods', 'watch pods shop'],
  ['GET /api/v1/namespaces/shop/pods/web', 'get pods shop/web'],
  ['POST /api/v1/namespaces/shop/pods/web/binding', 'create pods/binding shop/web'],
  ['PUT /apis/discovery.k8s.io/v1/namespaces/shop/endpointslices/a', 'update endpointslices.discovery.k8s.io shop/a'],
  ['PATCH /api/v1/nodes/n%31/status', 'patch nodes/status n1'],
  ['DELETE /api/v1/namespaces/shop/pods', 'deletecollection pods shop'],
  ['DELETE /api/v1/namespaces/shop', 'delete namespaces shop'],
  ['PUT /api/v1/namespaces/shop/finalize', 'update namespaces/finalize shop'],
])('toCall converts %s to the call %s', (line, expected) => {
  const call = parseRequest(line);
  expect(call && formatCall(call)).toBe(expected);
});

it.each([
  'GET /',
  'GET /version',
  'GET /api',
  'GET /api/v1',
  'GET /apis/apps/v1',
  'GET /healthz/etcd',
  'TRACE /api/v1/pods',
  'GET /api/v1/%zz',
])('toCall returns undefined for %s, which is not for a resource', (line) => {
  expect(parseRequest(line)).toBeUndefined();
});

it('toCall keeps the resourceVersion of a watch', () => {
  expect(parseRequest('GET /api/v1/pods?watch=1&resourceVersion=7')?.resourceVersion).toBe('7');
});
