import { expect, it } from 'vitest';
import { parseConfig } from '../../src/dns/settings.ts';
import { createStore } from '../../src/dns/store.ts';
import { createNodata, createNxdomain, explainHiddenNamespace } from '../../src/dns/zone-data.ts';

it('explainHiddenNamespace reports namespaces that are not configured or do not exist', () => {
  const store = createStore();
  store.setNamespace('shop', true);
  const zoneData = { settings: parseConfig({ namespaces: ['shop', 'gone'] }), store };
  expect(['shop', 'back', 'gone'].map((name) => explainHiddenNamespace(zoneData, name)?.code)).toEqual([
    undefined,
    'NamespaceNotVisible',
    'NamespaceNotFound',
  ]);
});

it('createNodata returns a lookup of an existing name, createNxdomain of a missing name', () => {
  const reason = { code: 'NameHasNoRecords', values: {} } as const;
  expect([createNodata(reason), createNxdomain(reason)].map(({ exists, itemSet }) => [exists, itemSet.items.length])).toEqual([
    [true, 0],
    [false, 0],
  ]);
});
