import { expect, it } from 'vitest';
import { createDualStackService, updateDualStackService } from '../../../src/allocators/service/dual-stack.ts';
import { startTransaction } from '../../../src/allocators/service/transaction.ts';
import { createAllocators, draft, settings } from '../support.ts';

it('createDualStackService allocates addresses, node ports and the health check port in this order', () => {
  const allocators = createAllocators();
  const transaction = startTransaction(allocators, false);
  const service = draft({ type: 'LoadBalancer', externalTrafficPolicy: 'Local', ipFamilyPolicy: 'PreferDualStack', ports: [{ port: 80 }] });
  expect(createDualStackService(service, allocators, transaction, settings)).toBeUndefined();
  expect(transaction.allocated().map(({ value }) => value)).toEqual(['10.0.0.1', 'fd00::1', 30000, 30001]);
});

it('createDualStackService stops at the first failure', () => {
  const allocators = createAllocators(['IPv4']);
  const transaction = startTransaction(allocators, false);
  const failure = createDualStackService(draft({ ipFamilies: ['IPv6'] }), allocators, transaction, settings);
  expect([failure?.reason, transaction.allocated()]).toEqual(['Invalid', []]);
});

it('updateDualStackService defaults the families of an old Service, and clears fields that the type lacks', () => {
  const allocators = createAllocators();
  const transaction = startTransaction(allocators, false);
  const service = draft({ type: 'ExternalName', clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'], ports: [{ nodePort: 30001 }] });
  const old = draft({ type: 'NodePort', clusterIP: '10.0.0.1', ports: [{ nodePort: 30001 }] });
  expect(updateDualStackService(service, old, allocators, transaction, settings)).toBeUndefined();
  expect(old.ipFamilies).toEqual(['IPv4']);
  expect([service.clusterIP, service.clusterIPs, service.ports[0]?.nodePort]).toEqual(['', [], 0]);
  expect(transaction.released().map(({ value }) => value)).toEqual(['10.0.0.1', 30001]);
});

it('updateDualStackService returns the failure of an update', () => {
  const allocators = createAllocators(['IPv4']);
  const service = draft({ ipFamilyPolicy: 'RequireDualStack' });
  const old = draft({ clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'] });
  expect(updateDualStackService(service, old, allocators, startTransaction(allocators, false), settings)?.reason).toBe('Invalid');
});
