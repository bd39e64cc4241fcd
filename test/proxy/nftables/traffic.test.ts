import { expect, it } from 'vitest';
import type { ProxyService } from '../../../src/proxy/index.ts';
import { createPortNamer, createPortTraffic } from '../../../src/proxy/nftables/names.ts';
import { type EndpointSpec, makeWebService, portOf } from '../fixtures.ts';

const [localEndpoints, remoteEndpoints, noEndpoints]: readonly (readonly EndpointSpec[])[] = [
  [{ ip: '10.0.0.1', node: 'n1' }],
  [{ ip: '10.0.0.1' }],
  [],
];
const traffic = (spec: ProxyService['spec'], endpoints: readonly EndpointSpec[] = []) => {
  const port = portOf(makeWebService({ type: 'NodePort', ports: [{ name: 'http', port: 80, nodePort: 30_080 }], ...spec }), endpoints);
  const {
    hasInternalEndpoint: hasInternal,
    hasExternalEndpoint: hasExternal,
    usesExternalChain: usesExternal,
    usesFirewallChain: usesFirewall,
  } = createPortTraffic(port, createPortNamer()(port));
  return { hasInternal, hasExternal, usesExternal, usesFirewall };
};

it('internal and external traffic have endpoints if the traffic policy allows one', () => {
  expect(traffic({}, remoteEndpoints)).toMatchObject({ hasInternal: true, hasExternal: true, usesExternal: true });
  expect(traffic({}, noEndpoints)).toMatchObject({ hasInternal: false, hasExternal: false, usesExternal: false });
  expect(traffic({ internalTrafficPolicy: 'Local' }, remoteEndpoints)).toMatchObject({ hasInternal: false, hasExternal: true });
  expect(traffic({ internalTrafficPolicy: 'Local' }, localEndpoints)).toMatchObject({ hasInternal: true, hasExternal: true });
  expect(traffic({ externalTrafficPolicy: 'Local' }, remoteEndpoints)).toMatchObject({
    hasInternal: true,
    hasExternal: false,
    usesExternal: true,
  });
  expect(traffic({ externalTrafficPolicy: 'Local' }, localEndpoints)).toMatchObject({ hasInternal: true, hasExternal: true });
  expect(traffic({ ports: [{ name: 'http', port: 80 }] }, localEndpoints)).toMatchObject({ hasInternal: true, usesExternal: false });
});

it('a port uses the firewall chain if a load balancer address has source ranges', () => {
  const port = portOf(
    makeWebService({ loadBalancerSourceRanges: ['10.0.0.0/8'] }, { loadBalancer: { ingress: [{ ip: '203.0.113.1' }] } }),
    [],
  );
  const usesFirewall = (more: object) => createPortTraffic({ ...port, ...more }, createPortNamer()(port)).usesFirewallChain;
  expect(usesFirewall({})).toBe(true);
  expect(usesFirewall({ loadBalancerVIPs: [] })).toBe(false);
  expect(usesFirewall({ loadBalancerSourceRanges: [] })).toBe(false);
});
