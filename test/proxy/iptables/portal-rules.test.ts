import { describe, expect, it } from 'vitest';
import type { IptablesRules, ProxyService } from '../../../src/proxy/index.ts';
import { type At, chain, rulesFor, web } from './worlds.ts';

const remoteEndpoints: readonly At[] = [{ ip: '10.1.0.2' }];
const balanced = { loadBalancer: { ingress: [{ ip: '203.0.113.9' }] } };
const outside = (more: NonNullable<ProxyService['spec']> = {}): ProxyService =>
  web(
    { type: 'LoadBalancer', externalIPs: ['198.51.100.7'], ports: [{ name: 'http', port: 80, protocol: 'TCP', nodePort: 30080 }], ...more },
    balanced,
  );

/** The rules that match addresses, abbreviated to "table chain: address -> target". */
const portals = (rules: IptablesRules): readonly string[] =>
  (['filter', 'nat'] as const).flatMap((table) =>
    ['KUBE-SERVICES', 'KUBE-EXTERNAL-SERVICES', 'KUBE-NODEPORTS', 'KUBE-PROXY-FIREWALL'].flatMap((name) =>
      (chain(rules, table, name) ?? [])
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
    expect(portals(rulesFor(outside(), remoteEndpoints))).toEqual([
      'nat KUBE-SERVICES: 10.96.0.1:80 -> KUBE-SVC',
      'nat KUBE-SERVICES: 198.51.100.7:80 -> KUBE-EXT',
      'nat KUBE-SERVICES: 203.0.113.9:80 -> KUBE-EXT',
      'nat KUBE-NODEPORTS: any:30080 -> KUBE-EXT',
    ]);
  });

  it('is checked against source ranges at the load balancer address, and dropped otherwise', () => {
    const found = portals(rulesFor(outside({ loadBalancerSourceRanges: ['203.0.113.0/24'] }), remoteEndpoints));
    expect(found).toContain('nat KUBE-SERVICES: 203.0.113.9:80 -> KUBE-FW');
    expect(found).toContain('filter KUBE-PROXY-FIREWALL: 203.0.113.9:80 -> DROP');
    expect(found).toContain('nat KUBE-NODEPORTS: any:30080 -> KUBE-EXT');
  });
});

describe('traffic of a Service without endpoints', () => {
  it('is rejected at every address', () => {
    expect(portals(rulesFor(outside(), []))).toEqual([
      'filter KUBE-SERVICES: 10.96.0.1:80 -> REJECT',
      'filter KUBE-EXTERNAL-SERVICES: 198.51.100.7:80 -> REJECT',
      'filter KUBE-EXTERNAL-SERVICES: 203.0.113.9:80 -> REJECT',
      'filter KUBE-EXTERNAL-SERVICES: any:30080 -> REJECT',
    ]);
  });
});

describe('traffic of a Service whose endpoints are on other nodes', () => {
  it('is dropped at the cluster IP under internalTrafficPolicy Local', () => {
    const rules = rulesFor(web({ internalTrafficPolicy: 'Local' }), remoteEndpoints);
    expect(portals(rules)).toEqual(['filter KUBE-SERVICES: 10.96.0.1:80 -> DROP']);
    expect(chain(rules, 'filter', 'KUBE-SERVICES')?.[0]).toContain('"shop/web:http has no local endpoints"');
  });

  it('is dropped from outside under externalTrafficPolicy Local, except from the node itself', () => {
    expect(portals(rulesFor(outside({ externalTrafficPolicy: 'Local' }), remoteEndpoints))).toEqual([
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
  const rules = rulesFor(outside({ externalTrafficPolicy: 'Local', healthCheckNodePort: 32000 }), remoteEndpoints);
  expect(chain(rules, 'filter', 'KUBE-NODEPORTS')).toEqual([
    '-m comment --comment "shop/web:http health check node port" -m tcp -p tcp --dport 32000 -j ACCEPT',
  ]);
});

it('the jump to node ports comes after the rules of all Services', () => {
  expect(chain(rulesFor(outside(), remoteEndpoints), 'nat', 'KUBE-SERVICES')?.at(-1)).toContain('-j KUBE-NODEPORTS');
});
