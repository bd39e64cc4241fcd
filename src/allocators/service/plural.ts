import type { AllocatorSettings } from '../gates.ts';
import { allocateClusterIPs, updateClusterIPs } from './cluster-ips.ts';
import { type Draft, mayHaveNodePorts, needsHealthCheck } from './draft.ts';
import { dropTypeDependentFields } from './drop.ts';
import { collectCauses, failureOf } from './failures.ts';
import { initIPFamilyFields } from './families.ts';
import { allocateHealthCheck, initNodePorts, releaseNodePorts, updateHealthCheck, updateNodePorts } from './node-ports.ts';
import { defaultDraftOnRead, normalizeClusterIPs } from './normalize.ts';
import { patchAllocatedValues } from './patch.ts';
import type { Transaction } from './transaction.ts';
import type { ServiceAllocators, ServiceFailure } from './types.ts';

/** Services of up to two families, since 1.21. Mirrors beginCreate and allocateCreate (pkg/registry/core/service/storage, 1.36). */
export function createPlural(
  service: Draft,
  cluster: ServiceAllocators,
  transaction: Transaction,
  settings: AllocatorSettings,
): ServiceFailure | undefined {
  normalizeClusterIPs(service);
  return (
    initFamilies(service, undefined, cluster, settings) ??
    allocateClusterIPs(service, transaction, settings) ??
    (mayHaveNodePorts(service) ? initNodePorts(service, transaction, settings) : undefined) ??
    (needsHealthCheck(service) ? allocateHealthCheck(service, transaction) : undefined)
  );
}

/** Mirrors beginUpdate and allocateUpdate, and what PrepareForUpdate clears right behind them. */
export function updatePlural(
  service: Draft,
  old: Draft,
  cluster: ServiceAllocators,
  transaction: Transaction,
  settings: AllocatorSettings,
): ServiceFailure | undefined {
  defaultDraftOnRead(old, cluster.defaultFamily);
  patchAllocatedValues(service, old);
  normalizeClusterIPs(service, old);
  const failure =
    initFamilies(service, old, cluster, settings) ??
    updateClusterIPs(service, old, transaction, settings) ??
    updatePorts(service, old, transaction, settings) ??
    updateHealthCheck(service, old, transaction);
  if (!failure) dropTypeDependentFields(service, old);
  return failure;
}

function updatePorts(service: Draft, old: Draft, transaction: Transaction, settings: AllocatorSettings): ServiceFailure | undefined {
  releaseNodePorts(service, old, transaction);
  return mayHaveNodePorts(service) ? updateNodePorts(service, old, transaction, settings) : undefined;
}

function initFamilies(
  service: Draft,
  old: Draft | undefined,
  cluster: ServiceAllocators,
  { badValuesAsJSON, clusterIPsStrict }: AllocatorSettings,
): ServiceFailure | undefined {
  const causes = collectCauses(badValuesAsJSON);
  initIPFamilyFields(service, old, cluster, clusterIPsStrict, causes);
  return failureOf(causes);
}
