import { expect, it } from 'vitest';
import { runSteps } from '../../src/registry/dry-run.ts';
import { createStore } from '../../src/store/index.ts';
import { at, configMaps, object } from './support.ts';

it('answers as if the steps had been done', () => {
  const store = createStore();
  const before = store.revision;
  expect(runSteps(store, true, () => store.create(configMaps, at('a'), object('a')).metadata.name)).toBe('a');
  expect([store.revision, store.list(configMaps).items]).toEqual([before, []]);
  runSteps(store, false, () => store.create(configMaps, at('a'), object('a')));
  expect(store.list(configMaps).items).toHaveLength(1);
});

it('fails as the steps would', () => {
  const steps = (): never => {
    throw new Error('oh');
  };
  for (const dryRun of [true, false]) expect(() => runSteps(createStore(), dryRun, steps)).toThrow('oh');
});
