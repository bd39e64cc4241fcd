import { expect, it } from 'vitest';
import { idOf, lookUp, strategyFor } from '../../../src/apiserver/registry/context.ts';
import { plainStrategy } from '../../../src/apiserver/registry/plain.ts';
import { systemRandomness } from '../../../src/apiserver/registry/randomness.ts';
import { createStore, systemClock } from '../../../src/apiserver/store/index.ts';
import { resources } from '../../../src/port/index.ts';
import { statusOf } from '../store/support.ts';
import { at, configMaps, object } from './support.ts';

const strategy = plainStrategy({ resource: configMaps });
const context = {
  store: createStore(),
  clock: systemClock,
  randomness: systemRandomness,
  strategies: new Map([[idOf(configMaps), strategy]]),
  admission: {},
  managesFields: false,
};

it('finds strategies by group and plural', () => {
  expect(strategyFor(context, { ...configMaps, version: 'v2' })).toBe(strategy);
  expect(statusOf(() => strategyFor(context, resources.pods))).toMatchObject({ code: 404, reason: 'NotFound' });
});

it('looks up what may not be there', () => {
  expect(lookUp(context, configMaps, at('a'))).toBeUndefined();
  const stored = context.store.create(configMaps, at('a'), object('a'));
  expect(lookUp(context, configMaps, at('a'))).toBe(stored);
});
