import type { AllocatorSettings } from '../gates.ts';
import type { Refusal } from '../refusals.ts';
import { type Draft, type DraftPort, getsNodePorts, mayHaveNodePorts, needsHealthCheck, nodePortsOf } from './draft.ts';
import { collectCauses, internalError, invalid } from './failures.ts';
import type { Transaction } from './transaction.ts';
import type { ServiceFailure } from './types.ts';

/**
 * Allocates node ports for a new Service. Ports with the same number share a node port whatever their protocol: the first requested one,
 * else a random one. Mirrors initNodePorts (pkg/registry/core/service/storage/alloc.go, 1.36; rest.go, 1.17).
 */
export function initNodePorts(service: Draft, transaction: Transaction, settings: AllocatorSettings): ServiceFailure | undefined {
  const shared = new Map<number, number>();
  for (const [i, port] of service.ports.entries()) {
    if (port.nodePort === 0 && !getsNodePorts(service)) continue;
    const number = port.port ?? 0;
    const known = shared.get(number);
    const failure = known === undefined ? first(i, port, service, transaction, settings) : further(i, port, known, transaction, settings);
    if (failure) return failure;
    if (known === undefined) shared.set(number, port.nodePort);
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
  const had = new Set(nodePortsOf(old));
  const taken = new Set<number>();
  const seen = new Set<string>();
  for (const [i, port] of service.ports.entries()) {
    if (port.nodePort === 0 && !getsNodePorts(service)) continue;
    if (port.nodePort === 0) {
      const failure = takeAny(port, transaction);
      if (failure) return failure;
    } else if (!had.has(port.nodePort) && !taken.has(port.nodePort)) {
      const refusal = transaction.ports.allocate(port.nodePort);
      if (refusal) return refused(i, port.nodePort, refusal, settings);
      taken.add(port.nodePort);
    }
    const key = `${port.protocol} ${port.nodePort}`;
    if (seen.has(key)) return { reason: 'Unknown', message: `duplicate nodePort: {${key}}` };
    seen.add(key);
  }
  const has = new Set(nodePortsOf(service));
  for (const port of nodePortsOf(old)) if (!has.has(port)) transaction.ports.releaseDeferred(port);
  return undefined;
}

/** Frees the node ports of a Service whose new type may not have any. */
export function releaseNodePorts(service: Draft, old: Draft, transaction: Transaction): void {
  if (mayHaveNodePorts(old) && !mayHaveNodePorts(service)) releaseAllNodePorts(old, transaction);
}

export function releaseAllNodePorts(service: Draft, transaction: Transaction): void {
  for (const port of nodePortsOf(service)) transaction.ports.releaseDeferred(port);
}

/** Allocates the requested health check node port, else any. Mirrors allocHealthCheckNodePort. */
export function allocateHealthCheck(service: Draft, { ports, takesHealthCheckPort }: Transaction): ServiceFailure | undefined {
  const asked = service.healthCheckNodePort;
  if (asked !== 0) {
    const refusal = ports.allocate(asked);
    if (refusal) return internalError(`failed to allocate requested HealthCheck NodePort ${asked}: ${refusal.message}`);
  } else {
    const given = ports.allocateNext();
    if (given.refusal) return internalError(`failed to allocate a HealthCheck NodePort 0: ${given.refusal.message}`);
    service.healthCheckNodePort = given.value;
  }
  takesHealthCheckPort(service.healthCheckNodePort);
  return undefined;
}

/** Allocates or frees the health check node port if an update starts or stops needing it. Mirrors updateHealthCheckNodePort. */
export function updateHealthCheck(service: Draft, old: Draft, transaction: Transaction): ServiceFailure | undefined {
  const [needed, needs] = [needsHealthCheck(old), needsHealthCheck(service)];
  if (needs && !needed) return allocateHealthCheck(service, transaction);
  if (needed && !needs) releaseHealthCheck(old, transaction);
  return undefined;
}

export function releaseHealthCheck({ healthCheckNodePort }: Draft, { ports, releasesHealthCheckPort }: Transaction): void {
  ports.releaseDeferred(healthCheckNodePort);
  releasesHealthCheckPort(healthCheckNodePort);
}

function first(
  place: number,
  port: DraftPort,
  { ports }: Draft,
  transaction: Transaction,
  settings: AllocatorSettings,
): ServiceFailure | undefined {
  const asked = ports.find((each) => each.port === port.port && each.nodePort !== 0)?.nodePort;
  if (asked === undefined) return takeAny(port, transaction);
  const refusal = transaction.ports.allocate(asked);
  port.nodePort = asked;
  return refusal && refused(place, asked, refusal, settings);
}

function further(
  place: number,
  port: DraftPort,
  known: number,
  transaction: Transaction,
  settings: AllocatorSettings,
): ServiceFailure | undefined {
  if (port.nodePort === 0) port.nodePort = known;
  const refusal = port.nodePort === known ? undefined : transaction.ports.allocate(port.nodePort);
  return refusal && refused(place, port.nodePort, refusal, settings);
}

function takeAny(port: DraftPort, { ports }: Transaction): ServiceFailure | undefined {
  const given = ports.allocateNext();
  port.nodePort = given.value ?? 0;
  return given.refusal && internalError(`failed to allocate a nodePort: ${given.refusal.message}`);
}

function refused(place: number, port: number, { message }: Refusal, { badValuesAsJSON }: AllocatorSettings): ServiceFailure {
  const causes = collectCauses(badValuesAsJSON);
  causes.invalid(`spec.ports[${place}].nodePort`, port, message);
  return invalid(causes);
}
