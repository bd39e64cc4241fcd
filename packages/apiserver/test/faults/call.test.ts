import { resources } from 'kube-endpoints/port';
import { expect, it } from 'vitest';
import { type Call, callOfRequest, createCallMatcher, formatCall } from '../../src/faults/call.ts';
import { boolOf } from '../../src/http/parameters.ts';
import { requestInfoOf } from '../../src/http/request-info.ts';

const bind: Call = { verb: 'create', resource: resources.pods, subresource: 'binding', namespace: 'shop', name: 'web' };
const slices: Call = { verb: 'list', resource: resources.endpointSlices };

it.each([
  [{}, bind, true],
  [{ verbs: ['create'] }, bind, true],
  [{ verbs: ['update'] }, bind, false],
  [{ resources: ['pods'] }, bind, true],
  [{ resources: ['services', 'pods'] }, bind, true],
  [{ resources: ['pods.'] }, bind, true],
  [{ resources: ['pods.apps'] }, bind, false],
  [{ resources: ['pods/binding'] }, bind, true],
  [{ resources: ['pods/status'] }, bind, false],
  [{ resources: [resources.pods] }, bind, true],
  [{ namespaces: ['shop'] }, bind, true],
  [{ namespaces: ['default'] }, bind, false],
  [{ namespaces: ['shop'], verbs: ['list'] }, bind, false],
  [{ resources: ['endpointslices'] }, slices, true],
  [{ resources: ['endpointslices.discovery.k8s.io'] }, slices, true],
  [{ resources: [{ group: '', plural: 'endpointslices' }] }, slices, false],
  [{ namespaces: ['shop'] }, slices, false],
] as const)('the scope %j for the call %j matches: %j', (scope, call, expected) => {
  expect(createCallMatcher(scope)(call)).toBe(expected);
});

it('describes a call by verb, resource and name', () => {
  expect(formatCall(bind)).toBe('create pods/binding shop/web');
  expect(formatCall(slices)).toBe('list endpointslices.discovery.k8s.io');
  expect(formatCall({ verb: 'get', resource: resources.nodes, name: 'n' })).toBe('get nodes n');
});

const callOf = (line: string) => {
  const [method = '', url = ''] = line.split(' ');
  const [path = '', query] = url.split('?');
  const parameters = new URLSearchParams(query);
  const watch = parameters.get('watch');
  const info = requestInfoOf(method, path, () => watch !== null && boolOf(watch));
  return callOfRequest({ info, query: parameters });
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
])('reads %s', (line, said) => {
  const call = callOf(line);
  expect(call && formatCall(call)).toBe(said);
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
])('finds no resource in %s', (line) => {
  expect(callOf(line)).toBeUndefined();
});

it('reads the resourceVersion of a watch', () => {
  expect(callOf('GET /api/v1/pods?watch=1&resourceVersion=7')?.resourceVersion).toBe('7');
});
