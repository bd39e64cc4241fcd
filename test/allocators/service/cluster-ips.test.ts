import { expect, it } from 'vitest';
import type { AllocatableService } from '../../../src/allocators/index.ts';
import { allocateClusterIPs, releaseClusterIPs, updateClusterIPs } from '../../../src/allocators/service/cluster-ips.ts';
import { startTransaction } from '../../../src/allocators/service/transaction.ts';
import { allocatedValues, createAllocators, draft, settings, settings117 } from '../support.ts';

type Spec = NonNullable<AllocatableService['spec']>;

const families = ['IPv4', 'IPv6'];

it('allocateClusterIPs allocates the requested or any address of each family', () => {
  const service = draft({ ipFamilies: families, clusterIP: '10.0.0.3', clusterIPs: ['10.0.0.3'] });
  const allocators = createAllocators();
  expect(allocateClusterIPs(service, startTransaction(allocators, false), settings)).toBeUndefined();
  expect([service.clusterIP, service.clusterIPs, allocatedValues(allocators)]).toEqual([
    '10.0.0.3',
    ['10.0.0.3', 'fd00::1'],
    ['10.0.0.3', 'fd00::1'],
  ]);
});

it.each<Spec>([{ type: 'ExternalName' }, { clusterIP: 'None', clusterIPs: ['None'], ipFamilies: families }])(
  'allocateClusterIPs allocates nothing for %j',
  (spec) => {
    const allocators = createAllocators();
    expect(allocateClusterIPs(draft(spec), startTransaction(allocators, false), settings)).toBeUndefined();
    expect(allocatedValues(allocators)).toEqual([]);
  },
);

it('allocateClusterIPs returns the failure of an allocation', () => {
  const allocators = createAllocators(['IPv4']);
  const allocate = (spec: Spec, gates = settings) =>
    allocateClusterIPs(draft({ ipFamilies: ['IPv4'], ...spec }), startTransaction(allocators, false), gates);
  for (let i = 1; i <= 6; i++) allocators.clusterIPs.IPv4?.allocate(`10.0.0.${i}`);
  expect(allocate({})).toEqual({ reason: 'InternalError', message: 'failed to allocate a serviceIP for Service "web": range is full' });
  expect(allocate({}, settings117)).toEqual({ reason: 'InternalError', message: 'failed to allocate a serviceIP: range is full' });
  expect(allocate({ clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'] })).toEqual({
    reason: 'Invalid',
    causes: [
      {
        reason: 'FieldValueInvalid',
        message: 'Invalid value: ["10.0.0.1"]: failed to allocate IP 10.0.0.1: provided IP is already allocated',
        field: 'spec.clusterIPs',
      },
    ],
  });
  expect(allocate({ clusterIP: 'x', clusterIPs: ['x'] })).toEqual({ reason: 'InternalError', message: 'failed to parse service IP "x"' });
  expect(allocate({ ipFamilies: ['IPv6'] })?.reason).toBe('Unknown');
});

const singleStackSpec: Spec = { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' };
const dualStackSpec: Spec = {
  clusterIP: '10.0.0.1',
  clusterIPs: ['10.0.0.1', 'fd00::2'],
  ipFamilies: families,
  ipFamilyPolicy: 'RequireDualStack',
};
const headlessSpec: Spec = { clusterIP: 'None', clusterIPs: ['None'], ipFamilies: ['IPv4'] };
const externalNameSpec: Spec = { type: 'ExternalName' };

it.each<[string, Spec, Spec, string[], string[]]>([
  ['from ExternalName', { ipFamilies: families }, externalNameSpec, ['10.0.0.1', 'fd00::1'], []],
  ['to ExternalName', externalNameSpec, dualStackSpec, [], ['10.0.0.1', 'fd00::2']],
  ['to a second family', { ...singleStackSpec, ipFamilies: families }, singleStackSpec, ['fd00::1'], []],
  ['to one family', singleStackSpec, dualStackSpec, [], ['fd00::2']],
  ['without a change', dualStackSpec, dualStackSpec, [], []],
  ['of a headless Service', { ...headlessSpec, ipFamilies: families }, headlessSpec, [], []],
])('updateClusterIPs handles an update %s', (_, spec, oldSpec, allocated, released) => {
  const transaction = startTransaction(createAllocators(), false);
  expect(updateClusterIPs(draft(spec), draft(oldSpec), transaction, settings)).toBeUndefined();
  expect(transaction.allocated().map(({ value }) => value)).toEqual(allocated);
  expect(transaction.released().map(({ value }) => value)).toEqual(released);
});

it('updateClusterIPs fails if there are fewer addresses than families; upstream panics', () => {
  const failure = updateClusterIPs(
    draft(externalNameSpec),
    draft({ ...singleStackSpec, ipFamilies: families }),
    startTransaction(createAllocators(), false),
    settings,
  );
  expect(failure?.reason).toBe('Unknown');
});

it('releaseClusterIPs releases the addresses of a deleted Service', () => {
  const transaction = startTransaction(createAllocators(), false);
  for (const spec of [dualStackSpec, headlessSpec, externalNameSpec]) releaseClusterIPs(draft(spec), transaction);
  expect(transaction.released().map(({ value }) => value)).toEqual(['10.0.0.1', 'fd00::2']);
});
