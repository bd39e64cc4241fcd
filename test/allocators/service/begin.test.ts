import { expect, it } from 'vitest';
import type { AllocatableService, BeginResult } from '../../../src/allocators/index.ts';
import { beginCreate, beginDelete, beginUpdate, defaultOnRead, type PendingWrite } from '../../../src/allocators/service/begin.ts';
import { freezeDeeply } from '../../property/check.ts';
import { allocatedValues, createAllocators, service } from '../support.ts';

function requirePending<T>(begun: BeginResult<T>): PendingWrite<T> {
  if (begun.failure) throw new Error(JSON.stringify(begun.failure));
  return begun;
}

const nodePortService = freezeDeeply(service({ type: 'NodePort', ports: [{ port: 80 }] }));

it('beginCreate reserves at once, keeps on commit and releases on rollback', () => {
  const allocators = createAllocators();
  const first = requirePending(beginCreate(nodePortService, allocators));
  expect(first.service.spec).toMatchObject({
    clusterIP: '10.0.0.1',
    ipFamilyPolicy: 'SingleStack',
    ports: [{ port: 80, nodePort: 30000 }],
  });
  expect(allocatedValues(allocators)).toEqual(['10.0.0.1', 30000]);
  first.commit();
  requirePending(beginCreate(nodePortService, allocators)).rollback();
  expect(allocatedValues(allocators)).toEqual(['10.0.0.1', 30000]);
});

it('beginCreate reserves nothing if any step fails', () => {
  const allocators = createAllocators(['IPv4', 'IPv6'], '1.36', '30000');
  const begun = beginCreate(service({ type: 'NodePort', ports: [{ port: 80 }, { port: 81 }] }), allocators);
  expect([begun.failure?.reason, allocatedValues(allocators)]).toEqual(['InternalError', []]);
  const second = service({ ipFamilyPolicy: 'RequireDualStack', clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1', 'fd00::1'] });
  allocators.clusterIPs.IPv6?.allocate('fd00::1');
  expect([beginCreate(second, allocators).failure?.reason, allocatedValues(allocators)]).toEqual(['Invalid', ['fd00::1']]);
});

it('beginUpdate and beginDelete release on commit', () => {
  const allocators = createAllocators();
  const first = requirePending(beginCreate(nodePortService, allocators));
  first.commit();
  const update = requirePending(
    beginUpdate(freezeDeeply(service({ type: 'ClusterIP', ports: [{ port: 80 }] })), freezeDeeply(first.service), allocators),
  );
  expect([update.allocate, update.release]).toEqual([[], [{ kind: 'nodePort', value: 30000 }]]);
  expect(allocatedValues(allocators)).toEqual(['10.0.0.1', 30000]);
  update.commit();
  expect(allocatedValues(allocators)).toEqual(['10.0.0.1']);
  beginDelete(freezeDeeply(update.service), allocators).commit();
  expect(allocatedValues(allocators)).toEqual([]);
});

it('beginDelete releases the health check node port in every release', () => {
  for (const version of ['1.17', '1.36']) {
    const allocators = createAllocators(['IPv4'], version);
    const requested = service({ type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [{ port: 80 }] });
    const first = requirePending(beginCreate(requested, allocators, { version }));
    expect(allocatedValues(allocators)).toEqual(['10.0.0.1', 30000, 30001]);
    beginDelete(first.service, allocators, { version }).commit();
    expect(allocatedValues(allocators)).toEqual([]);
  }
});

it('beginUpdate clears the load balancer status if the type changes', () => {
  const allocators = createAllocators();
  const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } };
  const loadBalancerService: AllocatableService = {
    ...service({ type: 'LoadBalancer', clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'] }),
    status,
  };
  const statusAfterUpdateTo = (type: string) =>
    requirePending(beginUpdate({ ...service({ type }), status }, loadBalancerService, allocators)).service.status;
  expect([statusAfterUpdateTo('LoadBalancer'), statusAfterUpdateTo('ClusterIP')]).toEqual([status, { loadBalancer: {} }]);
});

it('beginCreate respects allocateLoadBalancerNodePorts since 1.22', () => {
  const requested = service({ type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports: [{ port: 80 }] });
  const countAllocations = (version: string): number =>
    requirePending(beginCreate(requested, createAllocators(['IPv4'], version), { version })).allocate.length;
  expect([countAllocations('1.21'), countAllocations('1.22')]).toEqual([2, 1]);
});

it('defaultOnRead sets the IP families since 1.21', () => {
  const defaultedSpec = (version: string) => defaultOnRead(service({ clusterIP: '10.0.0.1' }), { defaultFamily: 'IPv4' }, { version }).spec;
  expect([defaultedSpec('1.20'), defaultedSpec('1.21')]).toEqual([
    { clusterIP: '10.0.0.1' },
    { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
  ]);
});
