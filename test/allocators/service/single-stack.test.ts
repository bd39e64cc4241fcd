import { expect, it } from 'vitest';
import { allocatorSettings } from '../../../src/allocators/gates.ts';
import type { AllocatableService } from '../../../src/allocators/index.ts';
import { createSingleStackService, releaseSingleStackIP, updateSingleStackService } from '../../../src/allocators/service/single-stack.ts';
import { startTransaction } from '../../../src/allocators/service/transaction.ts';
import { createAllocators, draft, settings117 } from '../support.ts';

type Spec = NonNullable<AllocatableService['spec']>;

interface RunOptions {
  /** The Service before an update; a create if absent. */
  readonly old?: Spec;
  readonly dryRun?: boolean;
  readonly gates?: typeof settings117;
}

function writeService(spec: Spec, { old, dryRun = false, gates = settings117 }: RunOptions = {}) {
  const allocators = createAllocators(['IPv4'], '1.17');
  const transaction = startTransaction(allocators, dryRun);
  const service = draft(spec);
  const failure = old
    ? updateSingleStackService(service, draft(old), allocators, transaction, gates, dryRun)
    : createSingleStackService(service, allocators, transaction, gates, dryRun);
  const problem = failure?.reason === 'Invalid' ? failure.causes[0]?.field : failure?.message;
  const values = (list: readonly { value: string | number }[]): (string | number)[] => list.map(({ value }) => value);
  return { service, problem, allocated: values(transaction.allocated()), released: values(transaction.released()) };
}

const localService: Spec = {
  type: 'LoadBalancer',
  externalTrafficPolicy: 'Local',
  clusterIP: '10.0.0.1',
  healthCheckNodePort: 30009,
  ports: [{ nodePort: 30001 }],
};

it('createSingleStackService allocates one address, node ports and the health check port', () => {
  expect(writeService({ type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [{ port: 80 }] }).allocated).toEqual([
    '10.0.0.1',
    30000,
    30001,
  ]);
  expect(writeService({ clusterIP: 'None' }).allocated).toEqual([]);
  expect(writeService({ type: 'ExternalName' }).allocated).toEqual([]);
  expect(writeService({}, { dryRun: true }).allocated).toEqual([]);
});

it('createSingleStackService sets clusterIPs since 1.20', () => {
  expect([writeService({}).service.clusterIPs, writeService({}, { gates: allocatorSettings('1.20') }).service.clusterIPs]).toEqual([
    [],
    ['10.0.0.1'],
  ]);
});

it.each<[Spec, string]>([
  [{ clusterIP: '10.0.1.1' }, 'spec.clusterIP'],
  [{ externalTrafficPolicy: 'Local' }, 'spec.externalTrafficPolicy'],
  [{ type: 'NodePort', healthCheckNodePort: 30001 }, 'spec.healthCheckNodePort'],
])('createSingleStackService refuses %j', (spec, field) => {
  expect(writeService(spec).problem).toBe(field);
});

it('updateSingleStackService allocates and releases by type', () => {
  const update = (spec: Spec) => writeService(spec, { old: localService });
  expect(update({ type: 'ExternalName' }).released).toEqual(['10.0.0.1', 30001, 30009]);
  const { service, released } = update({ ...localService, type: 'ClusterIP', ports: [] });
  expect([service.healthCheckNodePort, service.externalTrafficPolicy, released]).toEqual([0, '', [30001, 30009]]);
  expect(writeService({ type: 'NodePort', ports: [{}] }, { old: { type: 'ExternalName' } }).allocated).toEqual(['10.0.0.1', 30000]);
});

it('updateSingleStackService refuses a changed health check node port', () => {
  expect(writeService({ ...localService, healthCheckNodePort: 30008 }, { old: localService }).problem).toBe('spec.healthCheckNodePort');
});

it('releaseSingleStackIP releases only real addresses', () => {
  const transaction = startTransaction(createAllocators(['IPv4']), false);
  for (const clusterIP of ['', 'None', '10.0.0.1', 'fd00::1']) releaseSingleStackIP(draft({ clusterIP }), transaction);
  expect(transaction.released()).toEqual([
    { kind: 'clusterIP', family: 'IPv4', value: '10.0.0.1' },
    { kind: 'clusterIP', family: 'IPv6', value: 'fd00::1' },
  ]);
});
