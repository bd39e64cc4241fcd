import type { AllocatorSettings } from '../gates.ts';
import type { Refusal } from '../refusals.ts';
import { type Draft, type DraftPort, getsNodePorts, mayHaveNodePorts, needsHealthCheck, nodePortsOf } from './draft.ts';
import { createCauses, createInternalFailure, createInvalidFailure } from './failures.ts';
import type { Transaction } from './transaction.ts';
import type { ServiceFailure } from './types.ts';

/**
 * Allocates node ports for a new Service. Ports with the same number share a node port, whatever their protocol: the first node port that
 * one of them requests, or else a random one. Mirrors initNodePorts (pkg/registry/core/service/storage/alloc.go, 1.36; rest.go, 1.17).
 */
export function initNodePorts(service: Draft, transaction: Transaction, settings: AllocatorSettings): ServiceFailure | undefined {
  const nodePortByPort = new Map<number, number>();
  for (const [i, port] of service.ports.entries()) {
    if (port.nodePort === 0 && !getsNodePorts(service)) continue;
    const portNumber = port.port ?? 0;
    const sharedNodePort = nodePortByPort.get(portNumber);
    const failure =
      sharedNodePort === undefined
        ? allocateFirstPort(i, port, service, transaction, settings)
        : allocateFurtherPort(i, port, sharedNodePort, transaction, settings);
    if (failure) return failure;
    if (sharedNodePort === undefined) nodePortByPort.set(portNumber, port.nodePort);
  }
  return undefined;
}

/** Allocates the ports that an update adds and frees those it removes. Mirrors updateNodePorts. */
export function updateNodePorts(
  service: Draft,
  old: Draft,
  transaction: Transaction,
  settings: AllocatorSettings,
): ServiceFailure | undefined {
  const oldPorts = new Set(nodePortsOf(old));
  const allocatedPorts = new Set<number>();
  const seenKeys = new Set<string>();
  for (const [i, port] of service.ports.entries()) {
    if (port.nodePort === 0 && !getsNodePorts(service)) continue;
    if (port.nodePort === 0) {
      const failure = allocateAnyPort(port, transaction);
      if (failure) return failure;
    } else if (!oldPorts.has(port.nodePort) && !allocatedPorts.has(port.nodePort)) {
      const refusal = transaction.ports.allocate(port.nodePort);
      if (refusal) return createFailure(i, port.nodePort, refusal, settings);
      allocatedPorts.add(port.nodePort);
    }
    const key = `${port.protocol} ${port.nodePort}`;
    if (seenKeys.has(key)) return { reason: 'Unknown', message: `duplicate nodePort: {${key}}` };
    seenKeys.add(key);
  }
  const newPorts = new Set(nodePortsOf(service));
  for (const port of nodePortsOf(old)) if (!newPorts.has(port)) transaction.ports.releaseDeferred(port);
  return undefined;
}

/** Frees the node ports of a Service whose new type may not have any. */
export function releaseNodePorts(service: Draft, old: Draft, transaction: Transaction): void {
  if (mayHaveNodePorts(old) && !mayHaveNodePorts(service)) releaseAllNodePorts(old, transaction);
}

export function releaseAllNodePorts(service: Draft, transaction: Transaction): void {
  for (const port of nodePortsOf(service)) transaction.ports.releaseDeferred(port);
}

/** Allocates the requested health check node port, or any free port if none is requested. Mirrors allocHealthCheckNodePort. */
export function allocateHealthCheck(service: Draft, { ports, recordHealthCheckAllocation }: Transaction): ServiceFailure | undefined {
  const requested = service.healthCheckNodePort;
  if (requested !== 0) {
    const refusal = ports.allocate(requested);
    if (refusal) return createInternalFailure(`failed to allocate requested HealthCheck NodePort ${requested}: ${refusal.message}`);
  } else {
    const result = ports.allocateNext();
    if (result.refusal) return createInternalFailure(`failed to allocate a HealthCheck NodePort 0: ${result.refusal.message}`);
    service.healthCheckNodePort = result.value;
  }
  recordHealthCheckAllocation(service.healthCheckNodePort);
  return undefined;
}

/** Allocates or frees the health check node port if the Service starts or stops needing one. Mirrors updateHealthCheckNodePort. */
export function updateHealthCheck(service: Draft, old: Draft, transaction: Transaction): ServiceFailure | undefined {
  const [neededBefore, isNeeded] = [needsHealthCheck(old), needsHealthCheck(service)];
  if (isNeeded && !neededBefore) return allocateHealthCheck(service, transaction);
  if (neededBefore && !isNeeded) releaseHealthCheck(old, transaction);
  return undefined;
}

export function releaseHealthCheck({ healthCheckNodePort }: Draft, { ports, recordHealthCheckRelease }: Transaction): void {
  ports.releaseDeferred(healthCheckNodePort);
  recordHealthCheckRelease(healthCheckNodePort);
}

/** Allocates a node port for the first port with its number: the first one that a port with this number requests, else any. */
function allocateFirstPort(
  index: number,
  port: DraftPort,
  { ports }: Draft,
  transaction: Transaction,
  settings: AllocatorSettings,
): ServiceFailure | undefined {
  const requested = ports.find((each) => each.port === port.port && each.nodePort !== 0)?.nodePort;
  if (requested === undefined) return allocateAnyPort(port, transaction);
  const refusal = transaction.ports.allocate(requested);
  port.nodePort = requested;
  return refusal && createFailure(index, requested, refusal, settings);
}

/** Allocates a node port for a further port with the same number: the shared one, or the one that it requests. */
function allocateFurtherPort(
  index: number,
  port: DraftPort,
  sharedNodePort: number,
  transaction: Transaction,
  settings: AllocatorSettings,
): ServiceFailure | undefined {
  if (port.nodePort === 0) port.nodePort = sharedNodePort;
  const refusal = port.nodePort === sharedNodePort ? undefined : transaction.ports.allocate(port.nodePort);
  return refusal && createFailure(index, port.nodePort, refusal, settings);
}

function allocateAnyPort(port: DraftPort, { ports }: Transaction): ServiceFailure | undefined {
  const result = ports.allocateNext();
  port.nodePort = result.value ?? 0;
  return result.refusal && createInternalFailure(`failed to allocate a nodePort: ${result.refusal.message}`);
}

function createFailure(index: number, port: number, { message }: Refusal, { badValuesAsJSON }: AllocatorSettings): ServiceFailure {
  const causes = createCauses(badValuesAsJSON);
  causes.invalid(`spec.ports[${index}].nodePort`, port, message);
  return createInvalidFailure(causes);
}
