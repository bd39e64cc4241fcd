import { expect, it } from 'vitest';
import { nftablesRules } from '../../../src/proxy/index.ts';
import { replaceTable, tableOf } from '../../../src/proxy/nftables/model.ts';
import { makeNodeView, makeWebService, node } from '../fixtures.ts';
import { apply } from './fake-nft.ts';

it('the commands of replaceTable yield the rules, whether or not a table existed before', () => {
  const rules = nftablesRules(makeNodeView(makeWebService({ sessionAffinity: 'ClientIP' }), [{ ip: '10.0.0.1', node: 'n1' }]), node);
  const otherRules = nftablesRules(makeNodeView(makeWebService({ clusterIP: '10.96.0.9' }), []), {
    ...node,
    nodePortAddresses: ['primary'],
  });
  expect(apply(undefined, replaceTable(rules))).toEqual(rules);
  expect(apply(otherRules, replaceTable(rules))).toEqual(rules);
});

it('each family has its own table', () => {
  expect([tableOf('IPv4').family, tableOf('IPv6').family]).toEqual(['ip', 'ip6']);
});
