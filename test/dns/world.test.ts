import { expect, it } from 'vitest';
import { readConfig } from '../../src/dns/settings.ts';
import { createStore } from '../../src/dns/store.ts';
import { empty, hiddenNamespace, missing } from '../../src/dns/world.ts';

it('hiddenNamespace reports namespaces that are not configured or do not exist', () => {
  const store = createStore();
  store.setNamespace('shop', true);
  const world = { settings: readConfig({ namespaces: ['shop', 'gone'] }), store };
  expect(['shop', 'back', 'gone'].map((name) => hiddenNamespace(world, name)?.code)).toEqual([
    undefined,
    'NamespaceNotVisible',
    'NamespaceNotFound',
  ]);
});

it('empty exists, missing does not', () => {
  const reason = { code: 'NameHoldsOthers', values: {} } as const;
  expect([empty(reason), missing(reason)].map(({ exists, found }) => [exists, found.items.length])).toEqual([
    [true, 0],
    [false, 0],
  ]);
});
