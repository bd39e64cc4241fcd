import { expect, test } from 'vitest';
import { defaultService, isExternal, needsHealthCheck } from '../../../src/resources/services/defaults.ts';

const withDefaults = (spec: object): unknown => {
  const draft = { spec: { ...spec } };
  defaultService(draft);
  return draft.spec;
};

test.each([
  [{}, { type: 'ClusterIP', sessionAffinity: 'None', internalTrafficPolicy: 'Cluster' }],
  [{ type: 'ExternalName' }, { type: 'ExternalName', sessionAffinity: 'None' }],
  [{ type: 'NodePort' }, { type: 'NodePort', sessionAffinity: 'None', externalTrafficPolicy: 'Cluster', internalTrafficPolicy: 'Cluster' }],
  [
    { externalIPs: ['1.2.3.4'], internalTrafficPolicy: 'Local' },
    { externalTrafficPolicy: 'Cluster', internalTrafficPolicy: 'Local' },
  ],
  [{ type: 'LoadBalancer' }, { allocateLoadBalancerNodePorts: true, externalTrafficPolicy: 'Cluster' }],
  [{ sessionAffinity: 'ClientIP', sessionAffinityConfig: {} }, { sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } } }],
  [
    { ports: [{ port: 80 }, { port: 81, targetPort: '', protocol: 'UDP' }, {}] },
    {
      ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }, { port: 81, targetPort: 81, protocol: 'UDP' }, { protocol: 'TCP' }],
    },
  ],
])('defaultService sets the defaults of %j', (spec, expected) => expect(withDefaults(spec)).toMatchObject(expected));

test('ipMode defaults to VIP for ingress with an IP', () => {
  const draft = { spec: { type: 'LoadBalancer' }, status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }, { hostname: 'a' }] } } };
  defaultService(draft);
  expect(draft.status.loadBalancer.ingress).toEqual([{ ip: '1.2.3.4', ipMode: 'VIP' }, { hostname: 'a' }]);
});

test('isExternal and needsHealthCheck depend on type and externalTrafficPolicy', () => {
  expect([isExternal({ type: 'ClusterIP' }), isExternal({ type: 'NodePort' })]).toEqual([false, true]);
  expect(needsHealthCheck({ type: 'LoadBalancer', externalTrafficPolicy: 'Local' })).toBe(true);
});
