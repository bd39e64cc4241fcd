import { resources } from 'kube-endpoints/port';
import { expect, it } from 'vitest';
import { type Call, matcherOf, sayCall } from '../../src/faults/call.ts';

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
] as const)('of %j, %j: %j', (scope, call, expected) => {
  expect(matcherOf(scope)(call)).toBe(expected);
});

it('says what a call is', () => {
  expect(sayCall(bind)).toBe('create pods/binding shop/web');
  expect(sayCall(slices)).toBe('list endpointslices.discovery.k8s.io');
  expect(sayCall({ verb: 'get', resource: resources.nodes, name: 'n' })).toBe('get nodes n');
});
