import { expect, it } from 'vitest';
import { graphOf, type Node } from '../../../src/apiserver/registry/garbage-graph.ts';
import { plainStrategy } from '../../../src/apiserver/registry/plain.ts';
import { systemRandomness } from '../../../src/apiserver/registry/randomness.ts';
import { createStore, systemClock } from '../../../src/apiserver/store/index.ts';
import { resources } from '../../../src/port/index.ts';
import { at, configMaps, object } from './support.ts';

it('knows dependents, and how owners stand', () => {
  const store = createStore();
  const strategies = [
    plainStrategy({ resource: configMaps }),
    { ...plainStrategy({ resource: resources.events }), collectsGarbage: false },
  ];
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'ua' };
  const going = { deletionTimestamp: 'now', finalizers: ['foregroundDeletion'] };
  store.create(configMaps, at('a'), object('a', { metadata: { uid: 'ua' } }));
  store.create(configMaps, at('b'), object('b', { metadata: { uid: 'ub', ...going, ownerReferences: [owner] } }));
  store.create(resources.events, at('e'), object('e', { metadata: { uid: 'ue', ownerReferences: [owner] } }));
  const byId = new Map([
    ['configmaps.', strategies[0]],
    ['events.', strategies[1]],
  ]) as ReadonlyMap<string, (typeof strategies)[0]>;
  const graph = graphOf({ store, strategies: byId, clock: systemClock, randomness: systemRandomness, admission: {}, managesFields: false });
  const [a, b] = graph.nodes as [Node, Node];
  expect(graph.nodes).toHaveLength(2);
  expect(graph.dependentsOf(a)).toEqual([b]);
  expect(graph.standingOf(b, owner)).toBe('solid');
  expect(graph.standingOf(a, { ...owner, name: 'b', uid: 'ub' })).toBe('waiting');
  expect(graph.standingOf(b, { ...owner, name: 'other' })).toBe('absent');
  expect(graph.standingOf(b, { ...owner, apiVersion: 'apps/v1' })).toBe('unknown');
});
