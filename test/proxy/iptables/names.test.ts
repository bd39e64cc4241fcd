import { expect, it } from 'vitest';
import { createChainNamer } from '../../../src/proxy/iptables/traffic.ts';

it('createChainNamer names chains as kube-proxy does', () => {
  const chains = createChainNamer()('default/s2:p2', 'TCP');
  expect({ ...chains, endpoint: chains.endpoint('10.1.0.29:8080') }).toEqual({
    balancer: 'KUBE-XLB-GX2HEKG5PKFJDE4H',
    cluster: 'KUBE-SVC-GX2HEKG5PKFJDE4H',
    local: 'KUBE-SVL-GX2HEKG5PKFJDE4H',
    external: 'KUBE-EXT-GX2HEKG5PKFJDE4H',
    firewall: 'KUBE-FW-GX2HEKG5PKFJDE4H',
    endpoint: 'KUBE-SEP-FL7Z3TS3F2Y3UNTS',
  });
});

it("createChainNamer stays within iptables' limit of 28 characters", () => {
  const { external, endpoint } = createChainNamer()(`${'n'.repeat(63)}/${'s'.repeat(63)}:${'p'.repeat(15)}`, 'SCTP');
  expect(external.length).toBeLessThanOrEqual(28);
  expect(endpoint('[fd00:1111:2222:3333:4444:5555:6666:7777]:65535').length).toBeLessThanOrEqual(28);
});
