import { expect, it } from 'vitest';
import { planAllocation } from '../../../src/allocators/service/begin.ts';
import { allocatedValues, createAllocators, service } from '../support.ts';

const nodePort = service({ type: 'NodePort', ports: [{ port: 80 }] });

it('planAllocation plans creates, updates and deletes without changing the allocators', () => {
  const allocators = createAllocators();
  const created = planAllocation({ service: nodePort }, allocators);
  if (created.failure) throw new Error(created.failure.reason);
  expect([created.allocate, created.release]).toEqual([
    [
      { kind: 'clusterIP', family: 'IPv4', value: '10.0.0.1' },
      { kind: 'nodePort', value: 30000 },
    ],
    [],
  ]);
  expect(planAllocation({ service: service({ type: 'ClusterIP' }), old: created.service ?? nodePort }, allocators)).toMatchObject({
    service: { spec: { type: 'ClusterIP', clusterIP: '10.0.0.1' } },
    allocate: [],
    release: [{ kind: 'nodePort', value: 30000 }],
  });
  expect(planAllocation({ old: created.service ?? nodePort }, allocators)).toEqual({ allocate: [], release: created.allocate });
  expect(planAllocation({}, allocators)).toEqual({ allocate: [], release: [] });
  expect(allocatedValues(allocators)).toEqual([]);
});

it('planAllocation returns the failure', () => {
  expect(planAllocation({ service: service({ ipFamilies: ['IPv6'] }) }, createAllocators(['IPv4'])).failure?.reason).toBe('Invalid');
});
