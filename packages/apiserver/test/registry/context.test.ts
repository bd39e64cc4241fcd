import { resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { serviceAccount } from '../../src/registry/caller.ts';
import {
  createContext,
  createTimestampFormatter,
  lookUp,
  randomnessFrom,
  runSteps,
  storedStrategies,
  storeOf,
  strategyFor,
  systemRandomness,
  timestampOf,
} from '../../src/registry/context.ts';
import { createSchemalessStrategy } from '../../src/registry/schemaless.ts';
import { idOf, type ResourceStrategy } from '../../src/registry/strategy.ts';
import { createStore } from '../../src/store/index.ts';
import { createClock, statusOf } from '../store/support.ts';
import { configMaps, keyInShop, object, seeded } from './support.ts';

const strategy = createSchemalessStrategy({ resource: configMaps });
const newerResource = { ...configMaps, version: 'v2' };
const newerStrategy: ResourceStrategy = {
  ...createSchemalessStrategy({ resource: newerResource }),
  storedAs: { resource: configMaps, toStored: (served) => served, fromStored: (stored) => ({ ...stored, apiVersion: 'v2' }) },
};
const strategies = new Map([newerStrategy, strategy].map((each) => [idOf(each.resource), each]));
const context = createContext({ store: createStore(), strategies });

it('strategyFor finds strategies by group, version and plural', () => {
  expect(strategyFor(context, configMaps)).toBe(strategy);
  expect(strategyFor(context, newerResource)).toBe(newerStrategy);
  expect(statusOf(() => strategyFor(context, { ...configMaps, version: 'v3' }))).toMatchObject({ code: 404, reason: 'NotFound' });
  expect(statusOf(() => strategyFor(context, resources.pods))).toMatchObject({ code: 404, reason: 'NotFound' });
});

it('storedStrategies lists a resource that is served in several versions once, in its stored version if that is served', () => {
  expect(storedStrategies(context)).toEqual([strategy]);
  expect(storedStrategies({ ...context, strategies: new Map([['', newerStrategy]]) })).toEqual([newerStrategy]);
});

it('lookUp returns an object in the requested form, or undefined', () => {
  expect(lookUp(context, strategy, keyInShop('a'))).toBeUndefined();
  const stored = context.store.create(configMaps, keyInShop('a'), object('a', { apiVersion: 'v1' }));
  expect(lookUp(context, strategy, keyInShop('a'))).toBe(stored);
  expect(lookUp(context, newerStrategy, keyInShop('a'))).toEqual({ ...stored, apiVersion: 'v2' });
});

it('storeOf returns the store itself for a resource in its stored version', () => {
  expect(storeOf(context, strategy)).toBe(context.store);
  expect(storeOf(context, newerStrategy)).toBe(storeOf(context, newerStrategy));
});

it('idOf distinguishes groups and versions', () => {
  const { endpointSlices, events } = resources;
  const all = [endpointSlices, { ...endpointSlices, version: 'v2' }, events, { ...events, group: 'events.k8s.io' }];
  expect(new Set(all.map(idOf)).size).toBe(4);
  expect(idOf({ ...endpointSlices })).toBe(idOf(endpointSlices));
});

it('timestampOf returns RFC 3339 in whole seconds', () =>
  expect(timestampOf(Date.UTC(2026, 0, 2, 3, 4, 5, 999))).toBe('2026-01-02T03:04:05Z'));

it('createTimestampFormatter follows the clock', () => {
  const clock = createClock(Date.UTC(2026, 0, 2, 3, 4, 5, 500));
  const timestamp = createTimestampFormatter(clock);
  expect([timestamp(), timestamp()]).toEqual(['2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z']);
  clock.advance(499);
  expect(timestamp()).toBe('2026-01-02T03:04:05Z');
  clock.advance(1);
  expect(timestamp()).toBe('2026-01-02T03:04:06Z');
});

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('randomnessFrom', () => {
  it('creates version 4 UUIDs, the same for the same seed', () => {
    const uuids = Array.from({ length: 50 }, () => 0).map((_, seed) => randomnessFrom(seeded(seed)).uuid());
    for (const uuid of uuids) expect(uuid).toMatch(uuidPattern);
    expect(new Set(uuids).size).toBe(50);
    expect(randomnessFrom(seeded(7)).uuid()).toBe(randomnessFrom(seeded(7)).uuid());
  });
});

describe('systemRandomness', () => {
  it('draws numbers below the bound', () => {
    for (let i = 0; i < 100; i++) expect([0, 1, 2]).toContain(systemRandomness.draw(3));
    expect(systemRandomness.uuid()).toMatch(uuidPattern);
  });
});

it('serviceAccount returns a user of kube-system', () => {
  expect(serviceAccount('namespace-controller')).toEqual({
    username: 'system:serviceaccount:kube-system:namespace-controller',
    groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'],
  });
});

it('runSteps in a dry run answers as if the steps had been executed, and stores nothing', () => {
  const store = createStore();
  const before = store.revision;
  expect(runSteps(store, true, () => store.create(configMaps, keyInShop('a'), object('a')).metadata.name)).toBe('a');
  expect([store.revision, store.list(configMaps).items]).toEqual([before, []]);
  runSteps(store, false, () => store.create(configMaps, keyInShop('a'), object('a')));
  expect(store.list(configMaps).items).toHaveLength(1);
});

it('runSteps rethrows the error of a step', () => {
  const steps = (): never => {
    throw new Error('oh');
  };
  for (const dryRun of [true, false]) expect(() => runSteps(createStore(), dryRun, steps)).toThrow('oh');
});
