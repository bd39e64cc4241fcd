import { describe, expect, it } from 'vitest';
import { proxyGates, proxyGatesFor } from '../../src/proxy/gates.ts';
import { createNodeView, createProxier, iptablesRules, nftablesRules, type ServicePortView } from '../../src/proxy/index.ts';
import type { FeatureGates, FeatureName } from '../../src/versions/index.ts';
import { makeSlice, makeWebService, node as nodeInZone } from './fixtures.ts';

const node = { name: 'n1', addresses: ['192.168.0.1'] };

describe('proxyGatesFor', () => {
  it('turns on every gate without an end in the newest release, and few in the oldest', () => {
    const lasting = Object.entries(proxyGates).map(([name, { until }]) => [name, until === undefined] as const);
    expect(proxyGatesFor()).toStrictEqual(Object.fromEntries(lasting));
    const oldest = Object.entries(proxyGatesFor({ version: '1.17' }));
    expect(oldest.filter(([, isOn]) => isOn).map(([name]) => name)).toStrictEqual([
      'hostnameTopology',
      'balancerIPsOfFamily',
      'trimmedRanges',
      'externalIPs',
      'markCleared',
    ]);
  });

  it('rejects releases whose rules are unknown, in every public function', () => {
    const message = 'Kubernetes version "1.16" is not known: give "1.17" to "1.37", or a patch release of one, such as "1.37.0"';
    const options = { version: '1.16' };
    const view = createNodeView({}, node);
    expect(() => createNodeView({}, node, options)).toThrow(new RangeError(message));
    expect(() => iptablesRules(view, node, options)).toThrow(new RangeError(message));
    expect(() => nftablesRules(view, node, options)).toThrow(new RangeError(message));
    expect(() => createProxier({ node, ...options })).toThrow(new RangeError(message));
    expect(() => proxyGatesFor({ version: '1.8' })).toThrow(RangeError);
  });

  it('rejects the mode nftables before 1.29', () => {
    const message = 'kube-proxy has the mode nftables since 1.29: use the mode iptables or a later version';
    const options = { version: '1.28' };
    const view = createNodeView({}, node, options);
    expect(() => nftablesRules(view, node, options)).toThrow(new RangeError(message));
    expect(() => createProxier({ node, ...options })).toThrow(new RangeError(message));
    expect(() => createProxier({ node, mode: 'iptables', ...options })).not.toThrow();
  });
});

describe('feature gates', () => {
  const service = makeWebService(
    { type: 'LoadBalancer', internalTrafficPolicy: 'Local', externalIPs: ['198.51.100.1'], topologyKeys: ['example.com/rack'] },
    { loadBalancer: { ingress: [{ ip: '203.0.113.1', ipMode: 'Proxy' }] } },
  );
  const pods = {
    terminating: [{ ip: '10.0.0.1', ready: false, serving: true, terminating: true }],
    ofZones: ['a', 'b'].map((zone, i) => ({ ip: `10.0.0.${i + 1}`, zones: [zone] })),
    ofNodes: ['n1', 'n2'].map((name, i) => ({ ip: `10.0.0.${i + 1}`, nodes: [name] })),
  };
  const viewWith = (version: string, featureGates: FeatureGates, endpoints: Parameters<typeof makeSlice>[0]): ServicePortView =>
    createNodeView({ services: [service], endpointSlices: [makeSlice(endpoints)] }, nodeInZone, { version, featureGates })
      .ports[0] as ServicePortView;
  const ipsOf = ({ cluster }: ServicePortView): unknown => cluster?.map(({ ip }) => ip);

  it.each<[FeatureName, string, unknown, unknown, keyof typeof pods, (port: ServicePortView) => unknown]>([
    ['AllowServiceExternalIPs', '1.36', [], ['198.51.100.1'], 'ofZones', ({ externalIPs }) => externalIPs],
    ['LoadBalancerIPMode', '1.29', ['203.0.113.1'], [], 'ofZones', ({ loadBalancerVIPs }) => loadBalancerVIPs],
    ['LoadBalancerIPMode', '1.30', ['203.0.113.1'], [], 'ofZones', ({ loadBalancerVIPs }) => loadBalancerVIPs],
    ['PreferSameTrafficDistribution', '1.33', ['10.0.0.1', '10.0.0.2'], ['10.0.0.1'], 'ofNodes', ipsOf],
    ['PreferSameTrafficDistribution', '1.34', ['10.0.0.1', '10.0.0.2'], ['10.0.0.1'], 'ofNodes', ipsOf],
    ['ProxyTerminatingEndpoints', '1.25', [], ['10.0.0.1'], 'terminating', ipsOf],
    ['ProxyTerminatingEndpoints', '1.26', [], ['10.0.0.1'], 'terminating', ipsOf],
    ['ServiceInternalTrafficPolicy', '1.21', false, true, 'ofZones', ({ internalPolicyLocal }) => internalPolicyLocal],
    ['ServiceTopology', '1.19', ['10.0.0.1', '10.0.0.2'], [], 'ofZones', ipsOf],
    ['ServiceInternalTrafficPolicy', '1.24', false, true, 'ofZones', ({ internalPolicyLocal }) => internalPolicyLocal],
    ['ServiceTrafficDistribution', '1.30', ['10.0.0.1', '10.0.0.2'], ['10.0.0.1'], 'ofZones', ipsOf],
    ['ServiceTrafficDistribution', '1.31', ['10.0.0.1', '10.0.0.2'], ['10.0.0.1'], 'ofZones', ipsOf],
    ['TopologyAwareHints', '1.32', ['10.0.0.1', '10.0.0.2'], ['10.0.0.1'], 'ofZones', ipsOf],
  ])('%s in %s: off %o, on %o', (name, version, off, on, endpoints, read) => {
    const results = [false, true].map((value) => read(viewWith(version, { [name]: value }, pods[endpoints])));
    expect(results).toStrictEqual([off, on]);
  });

  it('treats a port with external IPs as externally accessible even if AllowServiceExternalIPs is off', () => {
    const service = makeWebService({ externalIPs: ['198.51.100.1'], internalTrafficPolicy: 'Local' });
    const { ports } = createNodeView({ services: [service] }, node, { version: '1.36', featureGates: { AllowServiceExternalIPs: false } });
    expect(ports).toMatchObject([{ externalIPs: [], externallyAccessible: true, usesClusterEndpoints: true }]);
  });
});
