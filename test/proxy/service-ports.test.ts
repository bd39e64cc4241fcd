import { describe, expect, it } from 'vitest';
import type { ProxyService } from '../../src/proxy/index.ts';
import { readServicePorts } from '../../src/proxy/service-ports.ts';
import { makeWebService } from './fixtures.ts';

const portOf = (service: ProxyService, family: 'IPv4' | 'IPv6' = 'IPv4') => readServicePorts(service, family)[0];

describe('readServicePorts', () => {
  it('returns nothing if the Service has no cluster IP of the family', () => {
    expect(readServicePorts(makeWebService({ clusterIP: 'None' }), 'IPv4')).toEqual([]);
    expect(readServicePorts(makeWebService({ clusterIP: '' }), 'IPv4')).toEqual([]);
    expect(readServicePorts(makeWebService({ type: 'ExternalName' }), 'IPv4')).toEqual([]);
    expect(readServicePorts(makeWebService(), 'IPv6')).toEqual([]);
    expect(readServicePorts(makeWebService({ ipFamilies: ['IPv4', 'IPv6'], clusterIPs: ['10.96.0.1'] }), 'IPv6')).toEqual([]);
    expect(readServicePorts({}, 'IPv4')).toEqual([]);
  });

  it('returns the cluster IP of the family', () => {
    const dualStackService = makeWebService({ ipFamilies: ['IPv6', 'IPv4'], clusterIPs: ['FD00::1', '10.96.0.01'], clusterIP: 'FD00::1' });
    expect(portOf(dualStackService)?.clusterIP).toBe('10.96.0.1');
    expect(portOf(dualStackService, 'IPv6')?.clusterIP).toBe('fd00::1');
  });

  it('sorts ports by name and protocol; the last of two ports with the same name and protocol wins', () => {
    const ports = [
      { name: 'b', port: 1, protocol: 'TCP' },
      { name: 'a', port: 2, protocol: 'UDP' },
      { name: 'a', port: 3 },
      { name: 'a', port: 4, protocol: 'UDP' },
      { port: 5 },
    ];
    expect(readServicePorts(makeWebService({ ports }), 'IPv4').map(({ name, protocol, port }) => `${name} ${protocol} ${port}`)).toEqual([
      'shop/web TCP 5',
      'shop/web:a TCP 3',
      'shop/web:a UDP 4',
      'shop/web:b TCP 1',
    ]);
  });

  it("applies the API server's defaults", () => {
    expect(portOf(makeWebService({ ports: [{ port: 80 }], sessionAffinity: 'ClientIP' }))).toMatchObject({
      protocol: 'TCP',
      nodePort: 0,
      sessionAffinity: 'ClientIP',
      stickyMaxAgeSeconds: 10_800,
    });
    expect(
      portOf({
        metadata: { name: 'web' },
        spec: { clusterIP: '10.96.0.1', ports: [{ port: 80 }], externalIPs: ['1.2.3.4'], externalTrafficPolicy: 'Local' },
      }),
    ).toMatchObject({
      externalPolicyLocal: true,
      sessionAffinity: 'None',
      stickyMaxAgeSeconds: 0,
    });
  });
});

describe('readServicePorts for external traffic', () => {
  it('marks a port as externally accessible if it has a node port, an external IP or a load balancer address', () => {
    const ingress = (ip: string, ipMode?: string) => ({ loadBalancer: { ingress: [{ ip, ...(ipMode && { ipMode }) }] } });
    const isExternallyAccessible = (service: ProxyService) => portOf(service)?.externallyAccessible;
    expect(isExternallyAccessible(makeWebService())).toBe(false);
    expect(isExternallyAccessible(makeWebService({ type: 'NodePort', ports: [{ port: 80, nodePort: 30_080 }] }))).toBe(true);
    expect(isExternallyAccessible(makeWebService({ externalIPs: ['198.51.100.1'] }))).toBe(true);
    expect(isExternallyAccessible(makeWebService({ externalIPs: ['fd00::1', 'bogus'] }))).toBe(false);
    expect(isExternallyAccessible(makeWebService({ type: 'LoadBalancer' }, ingress('203.0.113.1')))).toBe(true);
    expect(isExternallyAccessible(makeWebService({ type: 'LoadBalancer' }, ingress('203.0.113.1', 'VIP')))).toBe(true);
    expect(isExternallyAccessible(makeWebService({ type: 'LoadBalancer' }, ingress('203.0.113.1', 'Proxy')))).toBe(false);
    expect(isExternallyAccessible(makeWebService({ type: 'LoadBalancer' }, ingress('fd00::1')))).toBe(false);
  });

  it('reports which policies are in use', () => {
    const uses = (spec: ProxyService['spec']) => {
      const port = portOf(makeWebService({ type: 'NodePort', ...spec }));
      return [port?.usesClusterEndpoints, port?.usesLocalEndpoints];
    };
    const ports = [{ port: 80, nodePort: 30_080 }];
    expect(uses({})).toEqual([true, false]);
    expect(uses({ internalTrafficPolicy: 'Local' })).toEqual([false, true]);
    expect(uses({ internalTrafficPolicy: 'Local', ports })).toEqual([true, true]);
    expect(uses({ externalTrafficPolicy: 'Local' })).toEqual([true, false]);
    expect(uses({ externalTrafficPolicy: 'Local', ports })).toEqual([true, true]);
    expect(uses({ type: 'ClusterIP', externalTrafficPolicy: 'Local', ports })).toEqual([true, false]);
  });

  it('returns the source ranges, unless they allow every source', () => {
    const ranges = (...loadBalancerSourceRanges: string[]) =>
      portOf(makeWebService({ loadBalancerSourceRanges }))?.loadBalancerSourceRanges;
    expect(ranges(' 10.1.0.0/8', 'fd00::/8', 'bogus')).toEqual(['10.0.0.0/8']);
    expect(ranges('10.0.0.0/8', '0.0.0.0/0')).toEqual([]);
    expect(ranges('10.0.0.0/8', '::/0')).toEqual(['10.0.0.0/8']);
  });

  it('returns the health check node port if externalTrafficPolicy is Local', () => {
    const port = (spec: ProxyService['spec']) => portOf(makeWebService({ healthCheckNodePort: 32_000, ...spec }))?.healthCheckNodePort;
    expect(port({ type: 'LoadBalancer', externalTrafficPolicy: 'Local' })).toBe(32_000);
    expect(port({ type: 'LoadBalancer', externalTrafficPolicy: 'Cluster' })).toBe(0);
    expect(port({ type: 'NodePort', externalTrafficPolicy: 'Local' })).toBe(0);
  });
});
