import { canonicalIP, type IPFamily, isIPv6 } from '../../apimachinery/index.ts';
import { isHeadless } from '../../spec/index.ts';
import { newest } from '../../versions/index.ts';
import { createIPBitmap, type IPBitmap, type RangeSnapshot } from '../addresses/bitmap.ts';
import { type AllocatorSettings, type AllocatorVersion, allocatorSettings } from '../gates.ts';
import type { AllocatableService } from '../service/types.ts';
import { checkLeaks, createFinding, type Finding, type FindingCode, type LeakCheck, type LeakCounts } from './finding.ts';

export interface RepairClusterIPsInput extends AllocatorVersion {
  readonly services: readonly AllocatableService[];
  /** The cluster's ranges, the primary family first, each with its stored state. */
  readonly ranges: readonly { readonly cidr: string; readonly stored?: RangeSnapshot }[];
  /** The counts returned by the previous round; absent in the first. */
  readonly counts?: LeakCounts<string>;
}

export interface RepairedClusterIPs extends LeakCheck<string> {
  readonly findings: readonly Finding[];
  /** The states to store, in the order of the ranges. */
  readonly ranges: readonly RangeSnapshot[];
}

/** For one range: the stored allocations not yet matched with a Service, and the allocations rebuilt from Services. */
interface RangeState {
  readonly stored: IPBitmap;
  readonly rebuilt: IPBitmap;
}

/**
 * Compares the cluster IPs of Services with the stored bitmaps, and rebuilds the bitmaps. Mirrors Repair.doRunOnce
 * (pkg/registry/core/service/ipallocator/controller/repair.go, 1.36; runOnce, 1.17).
 * @throws RangeError if a range is invalid
 */
export function repairClusterIPs({ services, ranges, counts = new Map(), version = newest }: RepairClusterIPsInput): RepairedClusterIPs {
  const settings = allocatorSettings(version);
  const rangeStates = ranges.map(({ cidr, stored }) => createRangeState(cidr, stored, version));
  const findings: Finding[] = [];
  const usedIPs = new Set<string>();
  for (const service of services) {
    for (const ip of addressesOf(service, settings)) {
      const finding = checkAddress(service, ip, rangeStates, usedIPs, settings);
      if (finding) findings.push(finding);
    }
  }
  const unownedIPs = rangeStates.flatMap(({ stored }) => listAddresses(stored));
  const { leaks, counts: nextCounts } = checkLeaks(unownedIPs, (value) => usedIPs.has(value), counts);
  const keptLeaks = leaks.filter(({ released }) => !released);
  for (const { rebuilt } of rangeStates) for (const { value } of keptLeaks) rebuilt.allocate(value);
  return { findings, leaks, counts: nextCounts, ranges: rangeStates.map(({ rebuilt }) => rebuilt.snapshot()) };
}

function createRangeState(cidr: string, snapshot: RangeSnapshot | undefined, version: string): RangeState {
  // Repair only allocates given addresses, so it never draws a random one.
  const draw = (): number => 0;
  const rebuilt = createIPBitmap({ cidr, draw, version });
  const stored = createIPBitmap({ cidr: snapshot?.range || cidr, draw, version });
  if (snapshot) stored.restore({ ...snapshot, range: snapshot.range || cidr });
  return { stored, rebuilt };
}

function addressesOf(service: AllocatableService, { clusterIPsListed }: AllocatorSettings): readonly string[] {
  if (isHeadless(service)) return [];
  return clusterIPsListed ? (service.spec?.clusterIPs ?? []) : [service.spec?.clusterIP ?? ''];
}

/**
 * Allocates the address in the rebuilt range of its family, and releases it in the stored one. Returns a finding if that fails or the
 * stored range lacks the address.
 */
function checkAddress(
  service: AllocatableService,
  text: string,
  rangeStates: readonly RangeState[],
  usedIPs: Set<string>,
  settings: AllocatorSettings,
): Finding | undefined {
  const report = (code: FindingCode, message: string): Finding => createFinding(service, code, message, text);
  const ip = canonicalIP(text);
  if (ip === undefined) {
    // From the release on that reads clusterIPs, upstream prints the parsed address, which is nil.
    return report(
      'ClusterIPNotValid',
      `Cluster IP ${settings.clusterIPsListed ? '<nil>' : text} is not a valid IP; please recreate service`,
    );
  }
  const family: IPFamily = isIPv6(ip) ? 'IPv6' : 'IPv4';
  const rangeState =
    rangeStates.find(({ rebuilt }) => rebuilt.family === family) ?? (settings.clusterIPsListed ? undefined : rangeStates[0]);
  if (!rangeState) {
    const message = `Cluster IP ${ip}(${family}) is of ip family that is no longer configured on cluster; please recreate service`;
    return report('ClusterIPNotValid', message);
  }
  const subject = `Cluster IP ${settings.clusterIPsListed ? `[${family}]:` : ''}${ip}`;
  const refusal = rangeState.rebuilt.allocate(ip);
  if (refusal?.code === 'allocated') {
    return report('ClusterIPAlreadyAllocated', `${subject} was assigned to multiple services; please recreate service`);
  }
  if (refusal) {
    return report('ClusterIPOutOfRange', `${subject} is not within the service CIDR ${rangeState.rebuilt.range}; please recreate service`);
  }
  usedIPs.add(ip);
  const wasStored = rangeState.stored.has(ip);
  rangeState.stored.release(ip);
  return wasStored ? undefined : report('ClusterIPNotAllocated', `${subject} is not allocated; repairing`);
}

function listAddresses(bitmap: IPBitmap): string[] {
  const list: string[] = [];
  bitmap.forEach((address) => {
    list.push(address);
  });
  return list;
}
