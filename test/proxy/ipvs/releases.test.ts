import { expect, it } from 'vitest';
import { proxyGatesFor } from '../../../src/proxy/gates.ts';
import { createNodeView, formatDummyAddresses, formatIptables, formatVirtualServers, type IpvsRules } from '../../../src/proxy/index.ts';
import { ipvsRulesFor } from '../../../src/proxy/ipvs/rules.ts';
import { makeSlice, makeWebService, node } from '../fixtures.ts';

/** The rules of a Service with an address of the node, source ranges and the policy Local. */
function rulesIn(version: string): IpvsRules {
  const service = makeWebService(
    {
      type: 'LoadBalancer',
      externalTrafficPolicy: 'Local',
      healthCheckNodePort: 32_000,
      externalIPs: ['192.168.0.1'],
      loadBalancerSourceRanges: ['10.0.0.0/8'],
    },
    { loadBalancer: { ingress: [{ ip: '203.0.113.1' }] } },
  );
  const proxyNode = { ...node, ipvsScheduler: 'mh' };
  const view = createNodeView({ services: [service], endpointSlices: [makeSlice([{ ip: '10.0.0.1' }])] }, proxyNode, { version });
  return ipvsRulesFor(view, proxyNode, proxyGatesFor({ version }));
}

it.each([
  ['sourceRangesInFilter', '1.24', '1.25', /^-A KUBE-SOURCE-RANGES-FIREWALL -j DROP$/m],
  ['hostPortsHidden', '1.25', '1.26', /--match-set KUBE-IPVS-IPS dst -j REJECT$/m],
  ['loopbackSourcesReturn', '1.25', '1.26', /^-A KUBE-SERVICES -s 127.0.0.0\/8 -j RETURN$/m],
  ['clientPortHashed', '1.26', '1.27', / -b mh-port$/m],
  ['healthChecksReturn', '1.26.4', '1.26.5', /^-A KUBE-IPVS-FILTER .*KUBE-HEALTH-CHECK-NODE-PORT dst -j RETURN$/m],
  ['healthChecksReturn', '1.27.1', '1.27.2', /^-A KUBE-IPVS-FILTER .*KUBE-HEALTH-CHECK-NODE-PORT dst -j RETURN$/m],
  ['localExternalIPsReturn', '1.28.5', '1.28.6', /^-A KUBE-IPVS-FILTER .*KUBE-EXTERNAL-IP-LOCAL dst,dst -j RETURN$/m],
  ['localExternalIPsReturn', '1.29.0', '1.29.1', /^-A KUBE-IPVS-FILTER .*KUBE-EXTERNAL-IP-LOCAL dst,dst -j RETURN$/m],
  ['nodeSourcesDropped', '1.28', '1.29', /^-A KUBE-IPVS-OUT-FILTER -s 203.0.113.1 .* -j DROP$/m],
])('has the change %s not in %s but in %s', (_, before, after, line) => {
  const textIn = (version: string): string => {
    const rules = rulesIn(version);
    return formatVirtualServers(rules) + formatIptables(rules.iptables);
  };
  expect(textIn(before)).not.toMatch(line);
  expect(textIn(after)).toMatch(line);
});

it('gives addresses of the node to kube-ipvs0 before 1.27.2 only', () => {
  expect(formatDummyAddresses(rulesIn('1.27.1'))).toContain('192.168.0.1/32');
  expect(formatDummyAddresses(rulesIn('1.27.2'))).not.toContain('192.168.0.1/32');
});

it('marks packets from outside the source ranges in 1.24', () => {
  const text = formatIptables(rulesIn('1.24').iptables);
  expect(text).toMatch(/^-A KUBE-LOAD-BALANCER .*KUBE-LOAD-BALANCER-FW dst,dst -j KUBE-FIREWALL$/m);
  expect(text).toMatch(/^-A KUBE-FIREWALL -j KUBE-MARK-DROP$/m);
});

it('has the set of the addresses of kube-ipvs0 from 1.26 on', () => {
  expect(rulesIn('1.25').sets.map(({ name }) => name)).not.toContain('KUBE-IPVS-IPS');
  expect(rulesIn('1.26').sets.map(({ name }) => name)).toContain('KUBE-IPVS-IPS');
});
