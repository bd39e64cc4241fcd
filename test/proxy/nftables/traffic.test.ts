import { expect, it } from 'vitest';
import type { ProxyService } from '../../../src/proxy/index.ts';
import { createPortNames, trafficOf } from '../../../src/proxy/nftables/names.ts';
import { type At, portOf, web } from '../worlds.ts';

const [here, elsewhere, nowhere]: readonly (readonly At[])[] = [[{ ip: '10.0.0.1', node: 'n1' }], [{ ip: '10.0.0.1' }], []];
const traffic = (spec: ProxyService['spec'], endpoints: readonly At[] = []) => {
  const port = portOf(web({ type: 'NodePort', ports: [{ name: 'http', port: 80, nodePort: 30_080 }], ...spec }), endpoints);
  const { hasInternal, hasExternal, usesExternal, usesFirewall } = trafficOf(port, createPortNames()(port));
  return { hasInternal, hasExternal, usesExternal, usesFirewall };
};

it('traffic has a target if the policy allows the existing endpoints', () => {
  expect(traffic({}, elsewhere)).toMatchObject({ hasInternal: true, hasExternal: true, usesExternal: true });
  expect(traffic({}, nowhere)).toMatchObject({ hasInternal: false, hasExternal: false, usesExternal: false });
  expect(traffic({ internalTrafficPolicy: 'Local' }, elsewhere)).toMatchObject({ hasInternal: false, hasExternal: true });
  expect(traffic({ internalTrafficPolicy: 'Local' }, here)).toMatchObject({ hasInternal: true, hasExternal: true });
  expect(traffic({ externalTrafficPolicy: 'Local' }, elsewhere)).toMatchObject({
    hasInternal: true,
    hasExternal: false,
    usesExternal: true,
  });
  expect(traffic({ externalTrafficPolicy: 'Local' }, here)).toMatchObject({ hasInternal: true, hasExternal: true });
  expect(traffic({ ports: [{ name: 'http', port: 80 }] }, here)).toMatchObject({ hasInternal: true, usesExternal: false });
});

it('traffic uses a firewall if a load balancer address has source ranges', () => {
  const port = portOf(web({ loadBalancerSourceRanges: ['10.0.0.0/8'] }, { loadBalancer: { ingress: [{ ip: '203.0.113.1' }] } }), []);
  const passes = (more: object) => trafficOf({ ...port, ...more }, createPortNames()(port)).usesFirewall;
  expect(passes({})).toBe(true);
  expect(passes({ loadBalancerVIPs: [] })).toBe(false);
  expect(passes({ loadBalancerSourceRanges: [] })).toBe(false);
});
