import { describe, expect, it } from 'vitest';
import type { ProxyService } from '../../../src/proxy/index.ts';
import { createPortNamer } from '../../../src/proxy/nftables/names.ts';
import { createPortFragment } from '../../../src/proxy/nftables/port-fragment.ts';
import { readNftablesSettings } from '../../../src/proxy/nftables/settings.ts';
import { type EndpointSpec, makeWebService, node, portOf } from '../fixtures.ts';

const settings = readNftablesSettings(node, 'IPv4');
function fragment(service: ProxyService, endpoints: readonly EndpointSpec[]) {
  const port = portOf(service, endpoints);
  return createPortFragment(port, settings, createPortNamer()(port));
}
const kinds = (service: ProxyService, endpoints: readonly EndpointSpec[]) =>
  fragment(service, endpoints).chains.map(({ name }) => name.split('-')[0]);

describe('createPortFragment', () => {
  const nodePort = { type: 'NodePort', ports: [{ name: 'http', port: 80, nodePort: 30_080 }] };

  it('contains chains for the traffic that the port receives', () => {
    expect(kinds(makeWebService(), [])).toEqual([]);
    expect(kinds(makeWebService(), [{ ip: '10.0.0.1' }])).toEqual(['service']);
    expect(kinds(makeWebService(nodePort), [{ ip: '10.0.0.1' }])).toEqual(['external', 'service']);
    expect(kinds(makeWebService(nodePort), [{ ip: '10.0.0.1', ready: false }])).toEqual([]);
    expect(kinds(makeWebService({ ...nodePort, externalTrafficPolicy: 'Local' }), [{ ip: '10.0.0.1', node: 'n1' }])).toEqual([
      'external',
      'service',
      'local',
    ]);
    expect(kinds(makeWebService({ sessionAffinity: 'ClientIP' }), [{ ip: '10.0.0.1' }])).toEqual(['service', 'endpoint']);
  });

  it('contains a firewall chain even without endpoints', () => {
    const status = { loadBalancer: { ingress: [{ ip: '198.51.100.1' }] } };
    expect(kinds(makeWebService({ type: 'LoadBalancer', loadBalancerSourceRanges: ['10.0.0.0/8'] }, status), [])).toEqual(['firewall']);
  });

  it('throws if the port cannot be written as rules', () => {
    expect(() => fragment(makeWebService({ ports: [{ name: 'a b', port: 80 }] }), [])).toThrow(
      'Service "shop/web:a b": spec.ports[].name is "a b"',
    );
  });
});
