import { expect, it } from 'vitest';
import { sayCall } from '../../src/faults/call.ts';
import { callOfRequest } from '../../src/faults/request.ts';

const callOf = (line: string) => {
  const [method = '', url = ''] = line.split(' ');
  const [path = '', query] = url.split('?');
  return callOfRequest({ method, path, query: new URLSearchParams(query) });
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
  expect(call && sayCall(call)).toBe(said);
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

it('knows where a watch goes on', () => {
  expect(callOf('GET /api/v1/pods?watch=1&resourceVersion=7')?.resourceVersion).toBe('7');
});
