import { newest } from '../../versions/index.ts';
import type { RangeSnapshot } from '../addresses/bitmap.ts';
import { type AllocatorVersion, allocatorSettings } from '../gates.ts';
import { createPortAllocator, defaultNodePorts, type PortAllocator } from '../ports.ts';
import type { AllocatableService } from '../service/types.ts';
import { checkLeaks, createFinding, type Finding, type FindingCode, type LeakCheck, type LeakCounts } from './finding.ts';

export interface RepairNodePortsInput extends AllocatorVersion {
  readonly services: readonly AllocatableService[];
  readonly range?: string;
  readonly stored?: RangeSnapshot;
  /** The counts returned by the previous round; absent in the first. */
  readonly counts?: LeakCounts<number>;
}

export interface RepairedNodePorts extends LeakCheck<number> {
  readonly findings: readonly Finding[];
  /** The state to store. */
  readonly range: RangeSnapshot;
}

/**
 * Compares the node ports and health check node ports of Services with the stored bitmap, and rebuilds the bitmap. Mirrors Repair.doRunOnce
 * (pkg/registry/core/service/portallocator/controller/repair.go, 1.36; runOnce, 1.17).
 * @throws RangeError if the range is invalid
 */
export function repairNodePorts({
  services,
  range = defaultNodePorts,
  stored: snapshot,
  counts = new Map(),
  version = newest,
}: RepairNodePortsInput): RepairedNodePorts {
  // Repair only allocates given ports, so it never draws a random one.
  const draw = (): number => 0;
  const rebuilt = createPortAllocator({ range, draw, version });
  const stored = createPortAllocator({ range: snapshot?.range || range, draw, version });
  if (snapshot) stored.restore({ range: stored.range, data: snapshot.data });
  const { sharedNodePortCountedOnce } = allocatorSettings(version);
  const findings: Finding[] = [];
  const usedPorts = new Set<number>();
  for (const service of services) {
    for (const port of sharedNodePortCountedOnce ? portsOf(service) : allPortsOf(service)) {
      const finding = checkPort(service, port, stored, rebuilt, usedPorts);
      if (finding) findings.push(finding);
    }
  }
  const unownedPorts: number[] = [];
  stored.forEach((port) => {
    unownedPorts.push(port);
  });
  const { leaks, counts: nextCounts } = checkLeaks(unownedPorts, (value) => usedPorts.has(value), counts);
  for (const { value, released } of leaks) if (!released) rebuilt.allocate(value);
  return { findings, leaks, counts: nextCounts, range: rebuilt.snapshot() };
}

/** Allocates the port in `rebuilt` and releases it in `stored`. Returns a finding if that fails or `stored` lacks the port. */
function checkPort(
  service: AllocatableService,
  port: number,
  stored: PortAllocator,
  rebuilt: PortAllocator,
  usedPorts: Set<number>,
): Finding | undefined {
  const report = (code: FindingCode, message: string): Finding => createFinding(service, code, message, port);
  const refusal = rebuilt.allocate(port);
  if (refusal?.code === 'allocated') {
    return report('PortAlreadyAllocated', `Port ${port} was assigned to multiple services; please recreate service`);
  }
  if (refusal) return report('PortOutOfRange', `Port ${port} is not within the port range ${rebuilt.range}; please recreate service`);
  usedPorts.add(port);
  const wasStored = stored.has(port);
  stored.release(port);
  return wasStored ? undefined : report('PortNotAllocated', `Port ${port} is not allocated; repairing`);
}

/**
 * The node ports of a Service. A port that occurs under several protocols is listed once; a port that occurs twice under one protocol is
 * listed twice. The health check port counts as TCP.
 */
function portsOf({ spec }: AllocatableService): number[] {
  const ports: number[] = [];
  const seen = new Set<string>();
  const isListed = (port: number): boolean => ports.includes(port);
  for (const { nodePort, protocol } of spec?.ports ?? []) {
    if (!nodePort) continue;
    const key = `${nodePort}/${protocol || 'TCP'}`;
    if (!isListed(nodePort) || seen.has(key)) ports.push(nodePort);
    seen.add(key);
  }
  const healthCheck = spec?.healthCheckNodePort;
  if (healthCheck && (!isListed(healthCheck) || seen.has(`${healthCheck}/TCP`))) ports.push(healthCheck);
  return ports;
}

/** The node ports of a Service, listed once for each port that has one. */
const allPortsOf = ({ spec }: AllocatableService): number[] =>
  [...(spec?.ports ?? []).map(({ nodePort }) => nodePort), spec?.healthCheckNodePort].filter((port): port is number => !!port);
