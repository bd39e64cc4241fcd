import { newest } from '../../versions/index.ts';
import { type AllocatorSettings, type AllocatorVersion, allocatorSettings } from '../gates.ts';
import { releaseClusterIPs } from './cluster-ips.ts';
import { type Draft, draftOf, needsHealthCheck, withDraft } from './draft.ts';
import { defaultDraftOnRead } from './families.ts';
import { releaseAllNodePorts, releaseHealthCheck } from './node-ports.ts';
import { createPlural, updatePlural } from './plural.ts';
import { createSingular, releaseSingular, updateSingular } from './singular.ts';
import { startTransaction, type Transaction } from './transaction.ts';
import type { AllocatableService, Allocation, ServiceAllocators, ServiceFailure } from './types.ts';

export interface BeginOptions extends AllocatorVersion {
  readonly dryRun?: boolean;
}

/** A write of a Service for which everything is taken; nothing is freed before `commit`. One of the two ends it. */
export interface BegunWrite<T> {
  /** It shares with the given Service what stays the same. */
  readonly service: Readonly<T>;
  readonly allocate: readonly Allocation[];
  readonly release: readonly Allocation[];
  readonly failure?: undefined;
  commit(): void;
  rollback(): void;
}

/** Or why there is none; then nothing is taken. */
export type Begun<T> = BegunWrite<T> | { readonly failure: ServiceFailure };

/** Takes what a new Service is to have. The Service is defaulted and validated elsewhere. */
export function beginCreate<T extends AllocatableService>(
  service: T,
  allocators: ServiceAllocators,
  { version = newest, dryRun = false }: BeginOptions = {},
): Begun<T> {
  const settings = allocatorSettings(version);
  const draft = admitted(service, settings);
  const transaction = startTransaction(allocators, dryRun);
  const failure = settings.dualStackServices
    ? createPlural(draft, allocators, transaction, settings)
    : createSingular(draft, allocators, transaction, settings, dryRun);
  return end(service, draft, transaction, failure, true);
}

/**
 * Takes and frees what an update changes, and keeps what it leaves out. The result is what is validated next: fields of the former
 * type are cleared where the update did not touch them.
 */
export function beginUpdate<T extends AllocatableService>(
  service: T,
  old: AllocatableService,
  allocators: ServiceAllocators,
  { version = newest, dryRun = false }: BeginOptions = {},
): Begun<T> {
  const settings = allocatorSettings(version);
  const draft = admitted(service, settings);
  const before = admitted(old, settings);
  const transaction = startTransaction(allocators, dryRun);
  const failure = settings.dualStackServices
    ? updatePlural(draft, before, allocators, transaction, settings)
    : updateSingular(draft, before, allocators, transaction, settings, dryRun);
  return end(service, draft, transaction, failure, draft.type === 'LoadBalancer');
}

/** Frees, on `commit`, all that a Service has. Mirrors releaseAllocatedResources (pkg/registry/core/service/storage, 1.17 and 1.36). */
export function beginDelete<T extends AllocatableService>(
  service: T,
  allocators: ServiceAllocators,
  { version = newest, dryRun = false }: BeginOptions = {},
): BegunWrite<T> {
  const settings = allocatorSettings(version);
  const draft = admitted(service, settings);
  const transaction = startTransaction(allocators, dryRun);
  if (settings.dualStackServices) {
    defaultDraftOnRead(draft, allocators.defaultFamily);
    releaseClusterIPs(draft, transaction);
  } else releaseSingular(draft, transaction);
  releaseAllNodePorts(draft, transaction);
  if (needsHealthCheck(draft) && draft.healthCheckNodePort > 0) releaseHealthCheck(draft, transaction);
  return begun<T>(withDraft(service, draft, true), transaction);
}

/**
 * A Service as it is read from the store: with families and clusterIPs that older releases did not write. It shares with the given
 * Service what stays the same.
 */
export function defaultOnRead<T extends AllocatableService>(
  service: T,
  { defaultFamily }: Pick<ServiceAllocators, 'defaultFamily'>,
  { version = newest }: AllocatorVersion = {},
): Readonly<T> {
  const draft = draftOf(service);
  if (allocatorSettings(version).dualStackServices) defaultDraftOnRead(draft, defaultFamily);
  return withDraft(service, draft, true);
}

/** Where node ports cannot be done without, the wish for none is not read. */
function admitted(service: AllocatableService, { nodePortsOptional }: AllocatorSettings): Draft {
  const draft = draftOf(service);
  if (!nodePortsOptional) draft.allocateLoadBalancerNodePorts = undefined;
  return draft;
}

function end<T extends AllocatableService>(
  service: T,
  draft: Draft,
  transaction: Transaction,
  failure: ServiceFailure | undefined,
  keepsStatus: boolean,
): Begun<T> {
  if (!failure) return begun<T>(withDraft(service, draft, keepsStatus), transaction);
  transaction.rollback();
  return { failure };
}

const begun = <T>(service: Readonly<T>, transaction: Transaction): BegunWrite<T> => ({
  service,
  allocate: transaction.allocated(),
  release: transaction.released(),
  commit: transaction.commit,
  rollback: transaction.rollback,
});

export interface PlanInput<T> {
  /** The Service as it is to be; without one it is deleted. */
  readonly service?: T;
  /** The Service as it is; without one it is created. */
  readonly old?: T;
}

/** What a write would take, free and store, as plain data. */
export type AllocationPlan<T> =
  | {
      readonly service?: Readonly<T>;
      readonly allocate: readonly Allocation[];
      readonly release: readonly Allocation[];
      readonly failure?: undefined;
    }
  | { readonly failure: ServiceFailure };

/** Plans a write without doing it: the allocators are as before. What is taken at random is one of many possible answers. */
export function planAllocation<T extends AllocatableService>(
  { service, old }: PlanInput<T>,
  allocators: ServiceAllocators,
  options: BeginOptions = {},
): AllocationPlan<T> {
  if (!service && !old) return { allocate: [], release: [] };
  const begun = service
    ? old
      ? beginUpdate(service, old, allocators, options)
      : beginCreate(service, allocators, options)
    : beginDelete(old as T, allocators, options);
  if (begun.failure) return { failure: begun.failure };
  begun.rollback();
  const { allocate, release } = begun;
  return service ? { service: begun.service, allocate, release } : { allocate, release };
}
