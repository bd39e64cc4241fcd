import { resources } from 'kube-endpoints/port';
import { expect, it } from 'vitest';
import { createContext } from '../../src/registry/context.ts';
import { graphOf, type Node } from '../../src/registry/garbage-graph.ts';
import { idOf } from '../../src/registry/identity.ts';
import { plainStrategy } from '../../src/registry/plain.ts';
import { createStore } from '../../src/store/index.ts';
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
  const graph = graphOf(createContext({ store, strategies: new Map(strategies.map((each) => [idOf(each.resource), each])) }));
  const [a, b] = graph.nodes as [Node, Node];
  expect(graph.nodes).toHaveLength(2);
  expect(graph.dependentsOf(a)).toEqual([b]);
  expect(graph.standingOf(b, owner)).toBe('solid');
  expect(graph.standingOf(a, { ...owner, name: 'b', uid: 'ub' })).toBe('waiting');
  expect(graph.standingOf(b, { ...owner, name: 'other' })).toBe('absent');
  expect(graph.standingOf(b, { ...owner, apiVersion: 'apps/v1' })).toBe('unknown');
});
