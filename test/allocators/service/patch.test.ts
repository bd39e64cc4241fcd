import { expect, it } from 'vitest';
import { patchAllocatedValues } from '../../../src/allocators/service/dual-stack.ts';
import { draft } from '../support.ts';

const oldSpec = {
  type: 'LoadBalancer',
  externalTrafficPolicy: 'Local',
  clusterIP: '10.0.0.1',
  clusterIPs: ['10.0.0.1'],
  healthCheckNodePort: 30009,
  ports: [
    { name: 'a', nodePort: 30001 },
    { name: 'b', nodePort: 30002 },
  ],
};

it('patchAllocatedValues keeps the addresses, the node ports of ports with the same name, and the health check port', () => {
  const service = draft({ type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [{ name: 'b' }, { name: 'c' }] });
  patchAllocatedValues(service, draft(oldSpec));
  expect(service).toMatchObject({ clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'], healthCheckNodePort: 30009 });
  expect(service.ports.map(({ nodePort }) => nodePort)).toEqual([30002, 0]);
});

it('patchAllocatedValues does not assign a node port twice', () => {
  const service = draft({ type: 'NodePort', ports: [{ name: 'a' }, { name: 'x', nodePort: 30001 }] });
  patchAllocatedValues(service, draft(oldSpec));
  expect(service.ports.map(({ nodePort }) => nodePort)).toEqual([0, 30001]);
});

it('patchAllocatedValues keeps nothing that the new type lacks or the update sets', () => {
  const external = draft({ type: 'ExternalName', ports: [{ name: 'a' }] });
  patchAllocatedValues(external, draft(oldSpec));
  expect([external.clusterIP, external.ports[0]?.nodePort]).toEqual(['', 0]);
  const loadBalancer = draft({
    type: 'LoadBalancer',
    allocateLoadBalancerNodePorts: false,
    clusterIP: 'b',
    clusterIPs: ['b'],
    ports: [{ name: 'a' }],
  });
  patchAllocatedValues(loadBalancer, draft(oldSpec));
  expect([loadBalancer.clusterIP, loadBalancer.clusterIPs, loadBalancer.ports[0]?.nodePort, loadBalancer.healthCheckNodePort]).toEqual([
    'b',
    ['b'],
    0,
    0,
  ]);
});
