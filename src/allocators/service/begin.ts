import { newest } from '../../versions/index.ts';
import { type AllocatorSettings, type AllocatorVersion, allocatorSettings } from '../gates.ts';
import { releaseClusterIPs } from './cluster-ips.ts';
import { applyDraft, createDraft, type Draft, needsHealthCheck } from './draft.ts';
import { createDualStackService, updateDualStackService } from './dual-stack.ts';
import { defaultDraftOnRead } from './families.ts';
import { releaseAllNodePorts, releaseHealthCheck } from './node-ports.ts';
import { createSingleStackService, releaseSingleStackIP, updateSingleStackService } from './single-stack.ts';
import { startTransaction, type Transaction } from './transaction.ts';
import type { AllocatableService, Allocation, ServiceAllocators, ServiceFailure } from './types.ts';

export interface BeginOptions extends AllocatorVersion {
  readonly dryRun?: boolean;
}

/**
 * A write of a Service. All its values are already allocated; nothing is freed before `commit`. Call either `commit` or `rollback` to end
 * the write.
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

/** Allocates the addresses and ports of a new Service. The caller must default and validate the Service. */
export function beginCreate<T extends AllocatableService>(
  service: T,
  allocators: ServiceAllocators,
  { version = newest, dryRun = false }: BeginOptions = {},
): BeginResult<T> {
  const settings = allocatorSettings(version);
  const draft = readDraft(service, settings);
  const transaction = startTransaction(allocators, dryRun);
  const failure = settings.dualStackServices
    ? createDualStackService(draft, allocators, transaction, settings)
    : createSingleStackService(draft, allocators, transaction, settings, dryRun);
  return toBeginResult(service, draft, transaction, failure, { keepsStatus: true });
}

/**
 * Allocates and frees the values that an update changes, and returns the Service to validate next. From 1.21 on, also preserves allocated
 * values that the update omits, and clears fields that applied only to the previous type if the update did not change them.
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
    ? updateDualStackService(draft, oldDraft, allocators, transaction, settings)
    : updateSingleStackService(draft, oldDraft, allocators, transaction, settings, dryRun);
  return toBeginResult(service, draft, transaction, failure, { keepsStatus: draft.type === 'LoadBalancer' });
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
  } else releaseSingleStackIP(draft, transaction);
  releaseAllNodePorts(draft, transaction);
  if (needsHealthCheck(draft) && draft.healthCheckNodePort > 0) releaseHealthCheck(draft, transaction);
  return createPendingWrite<T>(applyDraft(service, draft, true), transaction);
}

/**
 * From 1.21 on, defaults clusterIPs, ipFamilies and ipFamilyPolicy of a stored Service, which older releases did not store, and clears
 * internalTrafficPolicy of type ExternalName. Shares unchanged parts with the given Service, and returns that Service if nothing changes.
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

function toBeginResult<T extends AllocatableService>(
  service: T,
  draft: Draft,
  transaction: Transaction,
  failure: ServiceFailure | undefined,
  { keepsStatus }: { readonly keepsStatus: boolean },
): BeginResult<T> {
  if (!failure) return createPendingWrite<T>(applyDraft(service, draft, keepsStatus), transaction);
  transaction.rollback();
  return { failure };
}

const createPendingWrite = <T>(service: Readonly<T>, transaction: Transaction): PendingWrite<T> => ({
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

/**
 * Plans a write without performing it; the plan is empty if both Services are absent. The allocators are unchanged afterwards. Randomly
 * chosen values are only examples.
 */
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
