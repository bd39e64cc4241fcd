import { newest } from '../../versions/index.ts';
import { type AllocatorSettings, type AllocatorVersion, allocatorSettings } from '../gates.ts';
import { releaseClusterIPs } from './cluster-ips.ts';
import { applyDraft, createDraft, type Draft, needsHealthCheck } from './draft.ts';
import { createDualStack, updateDualStack } from './dual-stack.ts';
import { defaultDraftOnRead } from './families.ts';
import { releaseAllNodePorts, releaseHealthCheck } from './node-ports.ts';
import { createSingleStack, releaseSingleStack, updateSingleStack } from './single-stack.ts';
import { startTransaction, type Transaction } from './transaction.ts';
import type { AllocatableService, Allocation, ServiceAllocators, ServiceFailure } from './types.ts';

export interface BeginOptions extends AllocatorVersion {
  readonly dryRun?: boolean;
}

/**
 * A write of a Service. All its values are already allocated; nothing is freed before `commit`. Call either `commit` or `rollback` to end
 * it.
 */
export interface PendingWrite<T> {
  /** Shares unchanged parts with the given Service. */
  readonly service: Readonly<T>;
  readonly allocate: readonly Allocation[];
  readonly release: readonly Allocation[];
  readonly failure?: undefined;
  commit(): void;
  rollback(): void;
}

/** The pending write, or a failure; after a failure nothing is allocated. */
export type BeginResult<T> = PendingWrite<T> | { readonly failure: ServiceFailure };

/** Allocates what a new Service needs. Defaulting and validating the Service is the caller's task. */
export function beginCreate<T extends AllocatableService>(
  service: T,
  allocators: ServiceAllocators,
  { version = newest, dryRun = false }: BeginOptions = {},
): BeginResult<T> {
  const settings = allocatorSettings(version);
  const draft = readDraft(service, settings);
  const transaction = startTransaction(allocators, dryRun);
  const failure = settings.dualStackServices
    ? createDualStack(draft, allocators, transaction, settings)
    : createSingleStack(draft, allocators, transaction, settings, dryRun);
  return finish(service, draft, transaction, failure, { keepsStatus: true });
}

/**
 * Allocates and frees what an update changes, and preserves allocated values that it omits. Returns the Service to validate next: fields
 * that applied only to the previous type are cleared if the update did not change them.
 */
export function beginUpdate<T extends AllocatableService>(
  service: T,
  old: AllocatableService,
  allocators: ServiceAllocators,
  { version = newest, dryRun = false }: BeginOptions = {},
): BeginResult<T> {
  const settings = allocatorSettings(version);
  const draft = readDraft(service, settings);
  const oldDraft = readDraft(old, settings);
  const transaction = startTransaction(allocators, dryRun);
  const failure = settings.dualStackServices
    ? updateDualStack(draft, oldDraft, allocators, transaction, settings)
    : updateSingleStack(draft, oldDraft, allocators, transaction, settings, dryRun);
  return finish(service, draft, transaction, failure, { keepsStatus: draft.type === 'LoadBalancer' });
}

/** Frees all allocations of a Service on `commit`. Mirrors releaseAllocatedResources (pkg/registry/core/service/storage, 1.17 and 1.36). */
export function beginDelete<T extends AllocatableService>(
  service: T,
  allocators: ServiceAllocators,
  { version = newest, dryRun = false }: BeginOptions = {},
): PendingWrite<T> {
  const settings = allocatorSettings(version);
  const draft = readDraft(service, settings);
  const transaction = startTransaction(allocators, dryRun);
  if (settings.dualStackServices) {
    defaultDraftOnRead(draft, allocators.defaultFamily);
    releaseClusterIPs(draft, transaction);
  } else releaseSingleStack(draft, transaction);
  releaseAllNodePorts(draft, transaction);
  if (needsHealthCheck(draft) && draft.healthCheckNodePort > 0) releaseHealthCheck(draft, transaction);
  return createWrite<T>(applyDraft(service, draft, true), transaction);
}

/**
 * A Service as read from storage, with defaults for ipFamilies and clusterIPs that older releases did not store. Shares unchanged parts
 * with the given Service, and returns it if nothing changes.
 */
export function defaultOnRead<T extends AllocatableService>(
  service: T,
  { defaultFamily }: Pick<ServiceAllocators, 'defaultFamily'>,
  { version = newest }: AllocatorVersion = {},
): Readonly<T> {
  const draft = createDraft(service);
  if (allocatorSettings(version).dualStackServices) defaultDraftOnRead(draft, defaultFamily);
  return applyDraft(service, draft, true);
}

/** Ignores allocateLoadBalancerNodePorts in releases that always allocate node ports. */
function readDraft(service: AllocatableService, { nodePortsOptional }: AllocatorSettings): Draft {
  const draft = createDraft(service);
  if (!nodePortsOptional) draft.allocateLoadBalancerNodePorts = undefined;
  return draft;
}

function finish<T extends AllocatableService>(
  service: T,
  draft: Draft,
  transaction: Transaction,
  failure: ServiceFailure | undefined,
  { keepsStatus }: { readonly keepsStatus: boolean },
): BeginResult<T> {
  if (!failure) return createWrite<T>(applyDraft(service, draft, keepsStatus), transaction);
  transaction.rollback();
  return { failure };
}

const createWrite = <T>(service: Readonly<T>, transaction: Transaction): PendingWrite<T> => ({
  service,
  allocate: transaction.allocated(),
  release: transaction.released(),
  commit: transaction.commit,
  rollback: transaction.rollback,
});

export interface PlanInput<T> {
  /** The new state of the Service; absent for a deletion. */
  readonly service?: T;
  /** The current state of the Service; absent for a creation. */
  readonly old?: T;
}

/** What a write would allocate, free and store, as plain data. */
export type AllocationPlan<T> =
  | {
      readonly service?: Readonly<T>;
      readonly allocate: readonly Allocation[];
      readonly release: readonly Allocation[];
      readonly failure?: undefined;
    }
  | { readonly failure: ServiceFailure };

/** Plans a write without performing it. The allocators are unchanged afterwards. Randomly chosen values are only examples. */
export function planAllocation<T extends AllocatableService>(
  { service, old }: PlanInput<T>,
  allocators: ServiceAllocators,
  options: BeginOptions = {},
): AllocationPlan<T> {
  if (!service && !old) return { allocate: [], release: [] };
  const write = service
    ? old
      ? beginUpdate(service, old, allocators, options)
      : beginCreate(service, allocators, options)
    : beginDelete(old as T, allocators, options);
  if (write.failure) return { failure: write.failure };
  write.rollback();
  const { allocate, release } = write;
  return service ? { service: write.service, allocate, release } : { allocate, release };
}
