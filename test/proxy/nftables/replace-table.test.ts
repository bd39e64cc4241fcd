import { expect, it } from 'vitest';
import { nftablesRules } from '../../../src/proxy/index.ts';
import { tableOf, wholeTable } from '../../../src/proxy/nftables/model.ts';
import { node, view, web } from '../worlds.ts';
import { apply } from './fake-nft.ts';

it('wholeTable replaces any table, and reproduces the rules', () => {
  const rules = nftablesRules(view(web({ sessionAffinity: 'ClientIP' }), [{ ip: '10.0.0.1', node: 'n1' }]), node);
  const other = nftablesRules(view(web({ clusterIP: '10.96.0.9' }), []), { ...node, nodePortAddresses: ['primary'] });
  expect(apply(undefined, wholeTable(rules))).toEqual(rules);
  expect(apply(other, wholeTable(rules))).toEqual(rules);
});

it('each family has its own table', () => {
  expect([tableOf('IPv4').family, tableOf('IPv6').family]).toEqual(['ip', 'ip6']);
});
