import type { AllocatorSettings } from '../gates.ts';
import { allocateClusterIPs, updateClusterIPs } from './cluster-ips.ts';
import { type Draft, getsNodePorts, isSameList, mayHaveNodePorts, needsClusterIP, needsHealthCheck, nodePortsOf } from './draft.ts';
import { createCauses, failureOf } from './failures.ts';
import { defaultDraftOnRead, initIPFamilyFields, normalizeClusterIPs } from './families.ts';
import { allocateHealthCheck, initNodePorts, releaseNodePorts, updateHealthCheck, updateNodePorts } from './node-ports.ts';
import type { Transaction } from './transaction.ts';
import type { ServiceAllocators, ServiceFailure } from './types.ts';

/**
 * Defaults and allocates for a new Service since 1.21, with up to two IP families. Mirrors beginCreate and allocateCreate
 * (pkg/registry/core/service/storage, 1.36).
 */
export function createDualStackService(
  service: Draft,
  allocators: ServiceAllocators,
  transaction: Transaction,
  settings: AllocatorSettings,
): ServiceFailure | undefined {
  normalizeClusterIPs(service);
  return (
    initFamilies(service, undefined, allocators, settings) ??
    allocateClusterIPs(service, transaction, settings) ??
    (mayHaveNodePorts(service) ? initNodePorts(service, transaction, settings) : undefined) ??
    (needsHealthCheck(service) ? allocateHealthCheck(service, transaction) : undefined)
  );
}

/**
 * Defaults, allocates and frees for an update since 1.21. Mirrors beginUpdate and allocateUpdate, and dropTypeDependentFields, which
 * PrepareForUpdate calls after them.
 */
export function updateDualStackService(
  service: Draft,
  old: Draft,
  allocators: ServiceAllocators,
  transaction: Transaction,
  settings: AllocatorSettings,
): ServiceFailure | undefined {
  defaultDraftOnRead(old, allocators.defaultFamily);
  patchAllocatedValues(service, old);
  normalizeClusterIPs(service, old);
  const failure =
    initFamilies(service, old, allocators, settings) ??
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
  allocators: ServiceAllocators,
  { badValuesAsJSON, clusterIPsStrict }: AllocatorSettings,
): ServiceFailure | undefined {
  const causes = createCauses(badValuesAsJSON);
  initIPFamilyFields(service, old, allocators, clusterIPsStrict, causes);
  return failureOf(causes);
}

/**
 * After a change of type, clears fields that no longer apply, if the update did not change them. Fields that the update changed are kept,
 * and validation rejects them. Mirrors dropTypeDependentFields (pkg/registry/core/service/strategy.go, 1.36).
 */
export function dropTypeDependentFields(service: Draft, old: Draft): void {
  if (needsClusterIP(old) && !needsClusterIP(service)) dropClusterIPs(service, old);
  if (mayHaveNodePorts(old) && !mayHaveNodePorts(service) && addsNoNodePorts(service, old)) {
    for (const port of service.ports) port.nodePort = 0;
  }
  if (needsHealthCheck(old) && !needsHealthCheck(service) && service.healthCheckNodePort === old.healthCheckNodePort) {
    service.healthCheckNodePort = 0;
  }
  if (old.type === 'LoadBalancer' && service.type !== 'LoadBalancer') {
    if (service.allocateLoadBalancerNodePorts === old.allocateLoadBalancerNodePorts) service.allocateLoadBalancerNodePorts = undefined;
    if (service.loadBalancerClass === old.loadBalancerClass) service.loadBalancerClass = undefined;
  }
  if (isExternallyAccessible(old) && !isExternallyAccessible(service) && service.externalTrafficPolicy === old.externalTrafficPolicy) {
    service.externalTrafficPolicy = '';
  }
}

function dropClusterIPs(service: Draft, old: Draft): void {
  if (service.clusterIP === old.clusterIP && isSameList(service.clusterIPs, old.clusterIPs)) {
    service.clusterIP = '';
    service.clusterIPs = [];
  }
  if (isSameList(service.ipFamilies, old.ipFamilies)) service.ipFamilies = [];
  if (service.ipFamilyPolicy === old.ipFamilyPolicy) service.ipFamilyPolicy = '';
}

function addsNoNodePorts(service: Draft, old: Draft): boolean {
  const oldPorts = new Set(nodePortsOf(old));
  return nodePortsOf(service).every((port) => oldPorts.has(port));
}

/** Mirrors ExternallyAccessible (pkg/api/service/util.go). */
const isExternallyAccessible = (service: Draft): boolean =>
  mayHaveNodePorts(service) || (service.type === 'ClusterIP' && service.hasExternalIPs);

/**
 * Preserves allocated values that an update omits, so that the manifest that created a Service can also update it. Mirrors
 * patchAllocatedValues (pkg/registry/core/service/storage/storage.go, 1.36).
 */
export function patchAllocatedValues(service: Draft, old: Draft): void {
  if (needsClusterIP(old) && needsClusterIP(service)) {
    if (service.clusterIP === '') service.clusterIP = old.clusterIP;
    if (service.clusterIPs.length === 0) service.clusterIPs = [...old.clusterIPs];
  }
  if (getsNodePorts(old) && getsNodePorts(service)) patchNodePorts(service, old);
  if (needsHealthCheck(old) && needsHealthCheck(service) && service.healthCheckNodePort === 0) {
    service.healthCheckNodePort = old.healthCheckNodePort;
  }
}

/** Copies old node ports to ports of the same name that have none, except node ports that the update assigns explicitly. */
function patchNodePorts(service: Draft, old: Draft): void {
  const assignedPorts = new Set(nodePortsOf(service));
  const reassignedPorts = new Set(nodePortsOf(old).filter((port) => assignedPorts.has(port)));
  const nodePortsByName = new Map(old.ports.map(({ name, nodePort }) => [name, nodePort]));
  for (const port of service.ports) {
    const oldNodePort = nodePortsByName.get(port.name) ?? 0;
    if (port.nodePort === 0 && !reassignedPorts.has(oldNodePort)) port.nodePort = oldNodePort;
  }
}
