import { resources } from 'kube-endpoints/port';
import { expect, it } from 'vitest';
import { createContext, lookUp, storedOnce, storeOf, strategyFor } from '../../src/registry/context.ts';
import { idOf } from '../../src/registry/identity.ts';
import { plainStrategy } from '../../src/registry/plain.ts';
import type { ResourceStrategy } from '../../src/registry/strategy.ts';
import { createStore } from '../../src/store/index.ts';
import { statusOf } from '../store/support.ts';
import { at, configMaps, object } from './support.ts';

const strategy = plainStrategy({ resource: configMaps });
const newer = { ...configMaps, version: 'v2' };
const other: ResourceStrategy = {
  ...plainStrategy({ resource: newer }),
  storedAs: { resource: configMaps, toStored: (given) => given, fromStored: (given) => ({ ...given, apiVersion: 'v2' }) },
};
const strategies = new Map([other, strategy].map((each) => [idOf(each.resource), each]));
const context = createContext({ store: createStore(), strategies });

it('finds strategies by group, version and plural', () => {
  expect(strategyFor(context, configMaps)).toBe(strategy);
  expect(strategyFor(context, newer)).toBe(other);
  expect(statusOf(() => strategyFor(context, { ...configMaps, version: 'v3' }))).toMatchObject({ code: 404, reason: 'NotFound' });
  expect(statusOf(() => strategyFor(context, resources.pods))).toMatchObject({ code: 404, reason: 'NotFound' });
});

it('counts what is served in several forms once, in its own form if there is that', () => {
  expect(storedOnce(context)).toEqual([strategy]);
  expect(storedOnce({ ...context, strategies: new Map([['', other]]) })).toEqual([other]);
});

it('looks up what may not be there, in the form that is asked for', () => {
  expect(lookUp(context, strategy, at('a'))).toBeUndefined();
  const stored = context.store.create(configMaps, at('a'), object('a', { apiVersion: 'v1' }));
  expect(lookUp(context, strategy, at('a'))).toBe(stored);
  expect(lookUp(context, other, at('a'))).toEqual({ ...stored, apiVersion: 'v2' });
});

it('reads what is stored in its own form from the store itself', () => {
  expect(storeOf(context, strategy)).toBe(context.store);
  expect(storeOf(context, other)).toBe(storeOf(context, other));
});
