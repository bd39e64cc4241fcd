import { expect, it } from 'vitest';
import type { AllocatableService } from '../../../src/allocators/index.ts';
import { applyDraft, createDraft } from '../../../src/allocators/service/draft.ts';
import { dropTypeDependentFields } from '../../../src/allocators/service/dual-stack.ts';
import { service } from '../support.ts';

type Spec = NonNullable<AllocatableService['spec']>;

const oldSpec: Spec = {
  type: 'LoadBalancer',
  clusterIP: '10.0.0.1',
  clusterIPs: ['10.0.0.1'],
  ipFamilies: ['IPv4'],
  ipFamilyPolicy: 'SingleStack',
  externalTrafficPolicy: 'Local',
  healthCheckNodePort: 30009,
  allocateLoadBalancerNodePorts: true,
  loadBalancerClass: 'a/b',
  ports: [{ port: 80, nodePort: 30001 }],
};

function drop(spec: Spec): AllocatableService['spec'] {
  const draft = createDraft(service(spec));
  dropTypeDependentFields(draft, createDraft(service(oldSpec)));
  return applyDraft(service(spec), draft, true).spec;
}

it('dropTypeDependentFields clears fields that the type lacks and the update did not change', () => {
  expect(drop({ ...oldSpec, type: 'ExternalName' })).toStrictEqual({ type: 'ExternalName', ports: [{ port: 80 }] });
  const { clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy } = oldSpec;
  expect(drop({ ...oldSpec, type: 'ClusterIP' })).toStrictEqual({
    type: 'ClusterIP',
    clusterIP,
    clusterIPs,
    ipFamilies,
    ipFamilyPolicy,
    ports: [{ port: 80 }],
  });
});

it('dropTypeDependentFields keeps changed fields, for validation to refuse', () => {
  const changedSpec: Spec = {
    type: 'ExternalName',
    clusterIP: '10.0.0.2',
    clusterIPs: ['10.0.0.2'],
    ipFamilies: ['IPv6'],
    ipFamilyPolicy: 'PreferDualStack',
    externalTrafficPolicy: 'Cluster',
    healthCheckNodePort: 30008,
    allocateLoadBalancerNodePorts: false,
    loadBalancerClass: 'c/d',
    ports: [{ port: 80, nodePort: 30002 }],
  };
  expect(drop(changedSpec)).toStrictEqual(changedSpec);
});

it('dropTypeDependentFields keeps the traffic policy of a Service with external IPs', () => {
  expect(drop({ ...oldSpec, type: 'ClusterIP', externalIPs: ['192.0.2.1'] })?.externalTrafficPolicy).toBe('Local');
  expect(drop(oldSpec)).toStrictEqual(oldSpec);
});
