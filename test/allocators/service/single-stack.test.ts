import { expect, it } from 'vitest';
import { allocatorSettings } from '../../../src/allocators/gates.ts';
import type { AllocatableService } from '../../../src/allocators/index.ts';
import { createSingleStack, releaseSingleStack, updateSingleStack } from '../../../src/allocators/service/single-stack.ts';
import { startTransaction } from '../../../src/allocators/service/transaction.ts';
import { createAllocators, draft, settings117 } from '../support.ts';

type Spec = NonNullable<AllocatableService['spec']>;

interface RunOptions {
  /** The Service before an update; a create if absent. */
  readonly old?: Spec;
  readonly dryRun?: boolean;
  readonly gates?: typeof settings117;
}

function run(spec: Spec, { old, dryRun = false, gates = settings117 }: RunOptions = {}) {
  const allocators = createAllocators(['IPv4'], '1.17');
  const transaction = startTransaction(allocators, dryRun);
  const service = draft(spec);
  const failure = old
    ? updateSingleStack(service, draft(old), allocators, transaction, gates, dryRun)
    : createSingleStack(service, allocators, transaction, gates, dryRun);
  const cause = failure?.reason === 'Invalid' ? failure.causes[0]?.field : failure?.message;
  const values = (list: readonly { value: string | number }[]): (string | number)[] => list.map(({ value }) => value);
  return { service, cause, allocated: values(transaction.allocated()), released: values(transaction.released()) };
}

const localService: Spec = {
  type: 'LoadBalancer',
  externalTrafficPolicy: 'Local',
  clusterIP: '10.0.0.1',
  healthCheckNodePort: 30009,
  ports: [{ nodePort: 30001 }],
};

it('createSingleStack allocates one address, node ports and the health check port', () => {
  expect(run({ type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [{ port: 80 }] }).allocated).toEqual([
    '10.0.0.1',
    30000,
    30001,
  ]);
  expect(run({ clusterIP: 'None' }).allocated).toEqual([]);
  expect(run({ type: 'ExternalName' }).allocated).toEqual([]);
  expect(run({}, { dryRun: true }).allocated).toEqual([]);
});

it('createSingleStack sets clusterIPs since 1.20', () => {
  expect([run({}).service.clusterIPs, run({}, { gates: allocatorSettings('1.20') }).service.clusterIPs]).toEqual([[], ['10.0.0.1']]);
});

it.each<[Spec, string]>([
  [{ clusterIP: '10.0.1.1' }, 'spec.clusterIP'],
  [{ externalTrafficPolicy: 'Local' }, 'spec.externalTrafficPolicy'],
  [{ type: 'NodePort', healthCheckNodePort: 30001 }, 'spec.healthCheckNodePort'],
])('createSingleStack refuses %j', (spec, field) => {
  expect(run(spec).cause).toBe(field);
});

it('updateSingleStack allocates and releases by type', () => {
  const update = (spec: Spec) => run(spec, { old: localService });
  expect(update({ type: 'ExternalName' }).released).toEqual(['10.0.0.1', 30001, 30009]);
  const { service, released } = update({ ...localService, type: 'ClusterIP', ports: [] });
  expect([service.healthCheckNodePort, service.externalTrafficPolicy, released]).toEqual([0, '', [30001, 30009]]);
  expect(run({ type: 'NodePort', ports: [{}] }, { old: { type: 'ExternalName' } }).allocated).toEqual(['10.0.0.1', 30000]);
});

it('updateSingleStack refuses a changed health check node port', () => {
  expect(run({ ...localService, healthCheckNodePort: 30008 }, { old: localService }).cause).toBe('spec.healthCheckNodePort');
});

it('releaseSingleStack releases only real addresses', () => {
  const transaction = startTransaction(createAllocators(['IPv4']), false);
  for (const clusterIP of ['', 'None', '10.0.0.1', 'fd00::1']) releaseSingleStack(draft({ clusterIP }), transaction);
  expect(transaction.released()).toEqual([
    { kind: 'clusterIP', family: 'IPv4', value: '10.0.0.1' },
    { kind: 'clusterIP', family: 'IPv6', value: 'fd00::1' },
  ]);
});
