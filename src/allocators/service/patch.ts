import { type Draft, getsNodePorts, needsClusterIP, needsHealthCheck, nodePortsOf } from './draft.ts';

/**
 * Keeps what was allocated where an update leaves it out, so that the manifest that created a Service updates it too. Mirrors
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

/** Ports are found again by name. A node port that the update names elsewhere is not handed to another port. */
function patchNodePorts(service: Draft, old: Draft): void {
  const named = new Set(nodePortsOf(service));
  const used = new Set(nodePortsOf(old).filter((port) => named.has(port)));
  const byName = new Map(old.ports.map(({ name, nodePort }) => [name, nodePort]));
  for (const port of service.ports) {
    const before = byName.get(port.name) ?? 0;
    if (port.nodePort === 0 && !used.has(before)) port.nodePort = before;
  }
}
