import { describe, expect, it } from 'vitest';
import type { IptablesRules, ProxyService } from '../../../src/proxy/index.ts';
import { type EndpointSpec, findChain, makeWebService, rulesFor } from './fixtures.ts';

const remoteEndpoints: readonly EndpointSpec[] = [{ ip: '10.1.0.2' }];
const loadBalancerStatus = { loadBalancer: { ingress: [{ ip: '203.0.113.9' }] } };
const loadBalancerService = (more: NonNullable<ProxyService['spec']> = {}): ProxyService =>
  makeWebService(
    { type: 'LoadBalancer', externalIPs: ['198.51.100.7'], ports: [{ name: 'http', port: 80, protocol: 'TCP', nodePort: 30080 }], ...more },
    loadBalancerStatus,
  );

/** The rules that match addresses, abbreviated to "table chain: address -> target". */
const portals = (rules: IptablesRules): readonly string[] =>
  (['filter', 'nat'] as const).flatMap((table) =>
    ['KUBE-SERVICES', 'KUBE-EXTERNAL-SERVICES', 'KUBE-NODEPORTS', 'KUBE-PROXY-FIREWALL'].flatMap((name) =>
      (findChain(rules, table, name) ?? [])
        .filter((rule) => rule.includes('shop/web'))
        .map((rule) => {
          const [, address = 'any'] = /-d (\S+)/.exec(rule) ?? [];
          const [, port] = /--dport (\d+)/.exec(rule) ?? [];
          const [, target = ''] = /-j ([A-Z]+(?:-[A-Z]+)?)/.exec(rule) ?? [];
          return `${table} ${name}: ${address}:${port} -> ${target}`;
        }),
    ),
  );

describe('traffic of a Service with endpoints', () => {
  it('is forwarded from every address', () => {
    expect(portals(rulesFor(loadBalancerService(), remoteEndpoints))).toEqual([
      'nat KUBE-SERVICES: 10.96.0.1:80 -> KUBE-SVC',
      'nat KUBE-SERVICES: 198.51.100.7:80 -> KUBE-EXT',
      'nat KUBE-SERVICES: 203.0.113.9:80 -> KUBE-EXT',
      'nat KUBE-NODEPORTS: any:30080 -> KUBE-EXT',
    ]);
  });

  it('is checked against source ranges at the load balancer address only, and dropped if no range matches', () => {
    const matchingRules = portals(rulesFor(loadBalancerService({ loadBalancerSourceRanges: ['203.0.113.0/24'] }), remoteEndpoints));
    expect(matchingRules).toContain('nat KUBE-SERVICES: 203.0.113.9:80 -> KUBE-FW');
    expect(matchingRules).toContain('filter KUBE-PROXY-FIREWALL: 203.0.113.9:80 -> DROP');
    expect(matchingRules).toContain('nat KUBE-NODEPORTS: any:30080 -> KUBE-EXT');
  });
});

describe('traffic of a Service without endpoints', () => {
  it('is rejected at every address', () => {
    expect(portals(rulesFor(loadBalancerService(), []))).toEqual([
      'filter KUBE-SERVICES: 10.96.0.1:80 -> REJECT',
      'filter KUBE-EXTERNAL-SERVICES: 198.51.100.7:80 -> REJECT',
      'filter KUBE-EXTERNAL-SERVICES: 203.0.113.9:80 -> REJECT',
      'filter KUBE-EXTERNAL-SERVICES: any:30080 -> REJECT',
    ]);
  });
});

describe('traffic of a Service whose endpoints are on other nodes', () => {
  it('is dropped at the cluster IP under internalTrafficPolicy Local', () => {
    const rules = rulesFor(makeWebService({ internalTrafficPolicy: 'Local' }), remoteEndpoints);
    expect(portals(rules)).toEqual(['filter KUBE-SERVICES: 10.96.0.1:80 -> DROP']);
    expect(findChain(rules, 'filter', 'KUBE-SERVICES')?.[0]).toContain('"shop/web:http has no local endpoints"');
  });

  it('is dropped from outside under externalTrafficPolicy Local, except from the node itself', () => {
    expect(portals(rulesFor(loadBalancerService({ externalTrafficPolicy: 'Local' }), remoteEndpoints))).toEqual([
      'filter KUBE-EXTERNAL-SERVICES: 198.51.100.7:80 -> DROP',
      'filter KUBE-EXTERNAL-SERVICES: 203.0.113.9:80 -> DROP',
      'filter KUBE-EXTERNAL-SERVICES: any:30080 -> DROP',
      'nat KUBE-SERVICES: 10.96.0.1:80 -> KUBE-SVC',
      'nat KUBE-SERVICES: 198.51.100.7:80 -> KUBE-EXT',
      'nat KUBE-SERVICES: 203.0.113.9:80 -> KUBE-EXT',
      'nat KUBE-NODEPORTS: any:30080 -> KUBE-EXT',
    ]);
  });
});

it('health checks of the load balancer are accepted', () => {
  const rules = rulesFor(loadBalancerService({ externalTrafficPolicy: 'Local', healthCheckNodePort: 32000 }), remoteEndpoints);
  expect(findChain(rules, 'filter', 'KUBE-NODEPORTS')).toEqual([
    '-m comment --comment "shop/web:http health check node port" -m tcp -p tcp --dport 32000 -j ACCEPT',
  ]);
});

it('the jump to node ports comes after the rules of all Services', () => {
  expect(findChain(rulesFor(loadBalancerService(), remoteEndpoints), 'nat', 'KUBE-SERVICES')?.at(-1)).toContain('-j KUBE-NODEPORTS');
});
