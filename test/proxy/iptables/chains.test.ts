import { expect, test } from 'vitest';
import { isUnordered, sharedChains } from '../../../src/proxy/iptables/model.ts';

test('ports of Services put rules in any order into four chains, and into no other', () => {
  const chains = Object.values(sharedChains).filter(isUnordered);
  expect(chains.sort()).toEqual(['KUBE-EXTERNAL-SERVICES', 'KUBE-NODEPORTS', 'KUBE-PROXY-FIREWALL', 'KUBE-SERVICES']);
  expect(['PREROUTING', 'KUBE-SVC-2MKV6NSQXBKVHLKW'].filter(isUnordered)).toEqual([]);
});
