import { expect, test } from 'vitest';
import { isUnordered, sharedChains } from '../../../src/proxy/iptables/model.ts';

test('isUnordered holds for the four shared chains of Service ports only', () => {
  const chains = Object.values(sharedChains).filter(isUnordered);
  expect(chains.sort()).toEqual(['KUBE-EXTERNAL-SERVICES', 'KUBE-NODEPORTS', 'KUBE-PROXY-FIREWALL', 'KUBE-SERVICES']);
  expect(['PREROUTING', 'KUBE-SVC-2MKV6NSQXBKVHLKW'].filter(isUnordered)).toEqual([]);
});
