import { resources } from 'kube-endpoints/port';
import { expect, it } from 'vitest';
import { idOf } from '../../src/registry/identity.ts';

it('tells groups and versions apart', () => {
  const { endpointSlices, events } = resources;
  const all = [endpointSlices, { ...endpointSlices, version: 'v2' }, events, { ...events, group: 'events.k8s.io' }];
  expect(new Set(all.map(idOf)).size).toBe(4);
  expect(idOf({ ...endpointSlices })).toBe(idOf(endpointSlices));
});
