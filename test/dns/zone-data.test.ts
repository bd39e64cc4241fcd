import { expect, it } from 'vitest';
import { parseConfig } from '../../src/dns/settings.ts';
import { createStore } from '../../src/dns/store.ts';
import { explainHiddenNamespace, nodata, nxdomain } from '../../src/dns/zone-data.ts';

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

it('nodata means that the name exists, nxdomain that it does not', () => {
  const reason = { code: 'NameHasNoRecords', values: {} } as const;
  expect([nodata(reason), nxdomain(reason)].map(({ exists, itemSet }) => [exists, itemSet.items.length])).toEqual([
    [true, 0],
    [false, 0],
  ]);
});
