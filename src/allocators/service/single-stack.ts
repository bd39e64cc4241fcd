import { isIPv6 } from '../../apimachinery/index.ts';
import type { AllocatorSettings } from '../gates.ts';
import { clusterIPNone, type Draft, mayHaveNodePorts, needsClusterIP, needsHealthCheck } from './draft.ts';
import { createCauses, createInternalFailure, createInvalidFailure, failureOf } from './failures.ts';
import { allocateHealthCheck, initNodePorts, releaseNodePorts, updateHealthCheck, updateNodePorts } from './node-ports.ts';
import type { Transaction } from './transaction.ts';
import type { ServiceAllocators, ServiceFailure } from './types.ts';

/** The gate `badValuesAsJSON` is off in all releases with single-stack Services. */
const badValuesAsJSON = false;

/**
 * Allocates for a new Service up to 1.20, with one cluster IP of the cluster's default family. A dry run allocates no cluster IP. Mirrors
 * REST.Create (pkg/registry/core/service/storage/rest.go, 1.17).
 */
export function createSingleStackService(
  service: Draft,
  { defaultFamily }: ServiceAllocators,
  transaction: Transaction,
  settings: AllocatorSettings,
  dryRun: boolean,
): ServiceFailure | undefined {
  const allocatesIP = needsClusterIP(service) && !dryRun;
  return (
    (allocatesIP ? initClusterIP(service, defaultFamily, transaction, settings) : undefined) ??
    (mayHaveNodePorts(service) ? initNodePorts(service, transaction, settings) : undefined) ??
    (needsHealthCheck(service) ? allocateHealthCheck(service, transaction) : undefined) ??
    checkExternalTraffic(service)
  );
}

/**
 * Allocates and frees for an update up to 1.20. Frees on commit, after the write; upstream frees as soon as it detects the change. Mirrors
 * REST.Update (rest.go, 1.17).
 */
export function updateSingleStackService(
  service: Draft,
  old: Draft,
  { defaultFamily }: ServiceAllocators,
  transaction: Transaction,
  settings: AllocatorSettings,
  dryRun: boolean,
): ServiceFailure | undefined {
  const allocatesIP = !needsClusterIP(old) && needsClusterIP(service) && !dryRun;
  if (needsClusterIP(old) && !needsClusterIP(service)) releaseSingleStackIP(old, transaction);
  releaseNodePorts(service, old, transaction);
  const failure =
    (allocatesIP ? initClusterIP(service, defaultFamily, transaction, settings) : undefined) ??
    (mayHaveNodePorts(service) ? updateNodePorts(service, old, transaction, settings) : undefined) ??
    updateHealthCheck(service, old, transaction);
  if (failure) return failure;
  if (needsHealthCheck(old) && !needsHealthCheck(service)) service.healthCheckNodePort = 0;
  const immutableFailure = checkHealthCheckUnchanged(service, old);
  if (immutableFailure) return immutableFailure;
  if (mayHaveNodePorts(old) && !mayHaveNodePorts(service)) service.externalTrafficPolicy = '';
  return checkExternalTraffic(service);
}

export function releaseSingleStackIP({ clusterIP }: Draft, transaction: Transaction): void {
  if (clusterIP !== '' && clusterIP !== clusterIPNone) transaction.releaseIP(isIPv6(clusterIP) ? 'IPv6' : 'IPv4', clusterIP);
}

function initClusterIP(
  service: Draft,
  family: ServiceAllocators['defaultFamily'],
  transaction: Transaction,
  settings: AllocatorSettings,
): ServiceFailure | undefined {
  if (service.clusterIP === '') {
    const result = transaction.allocateNextIP(family);
    if (result.refusal) return createInternalFailure(`failed to allocate a serviceIP: ${result.refusal.message}`);
    service.clusterIP = result.value;
  } else if (service.clusterIP !== clusterIPNone) {
    const refusal = transaction.allocateIP(family, service.clusterIP);
    if (refusal) {
      const causes = createCauses(badValuesAsJSON);
      causes.invalid('spec.clusterIP', service.clusterIP, refusal.message);
      return createInvalidFailure(causes);
    }
  }
  if (settings.clusterIPsListed) service.clusterIPs = [service.clusterIP];
  return undefined;
}

function checkHealthCheckUnchanged(service: Draft, old: Draft): ServiceFailure | undefined {
  if (!needsHealthCheck(old) || !needsHealthCheck(service) || old.healthCheckNodePort === service.healthCheckNodePort) return undefined;
  const causes = createCauses(badValuesAsJSON);
  const detail = 'cannot change healthCheckNodePort on loadBalancer service with externalTraffic=Local during update';
  causes.invalid('spec.healthCheckNodePort', service.healthCheckNodePort, detail);
  return createInvalidFailure(causes);
}

/** Mirrors ValidateServiceExternalTrafficFieldsCombination (pkg/apis/core/validation/validation.go, 1.17). */
function checkExternalTraffic(service: Draft): ServiceFailure | undefined {
  const causes = createCauses(badValuesAsJSON);
  if (!mayHaveNodePorts(service) && service.externalTrafficPolicy !== '') {
    const detail = 'ExternalTrafficPolicy can only be set on NodePort and LoadBalancer service';
    causes.invalid('spec.externalTrafficPolicy', service.externalTrafficPolicy, detail);
  }
  if (!needsHealthCheck(service) && service.healthCheckNodePort !== 0) {
    const detail = 'HealthCheckNodePort can only be set on LoadBalancer service with ExternalTrafficPolicy=Local';
    causes.invalid('spec.healthCheckNodePort', service.healthCheckNodePort, detail);
  }
  return failureOf(causes);
}
