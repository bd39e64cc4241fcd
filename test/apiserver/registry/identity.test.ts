import { expect, it } from 'vitest';
import { idOf } from '../../../src/apiserver/registry/identity.ts';
import { resources } from '../../../src/port/index.ts';

it('tells groups and versions apart', () => {
  const { endpointSlices, events } = resources;
  const all = [endpointSlices, { ...endpointSlices, version: 'v2' }, events, { ...events, group: 'events.k8s.io' }];
  expect(new Set(all.map(idOf)).size).toBe(4);
  expect(idOf({ ...endpointSlices })).toBe(idOf(endpointSlices));
});
