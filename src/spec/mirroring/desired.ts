import { canonicalIP } from '../../apimachinery/ip.ts';
import type { AddressType, Endpoint, EndpointAddress, EndpointPort, EndpointSubset, EndpointsInput, SlicePort } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import { normalizeSubset } from '../equal.ts';
import { hostnameLabel } from '../slices/desired.ts';
import { endpointKey } from '../slices/endpoint.ts';
import type { SliceEvent } from '../slices/plan.ts';
import { slicePortsKey, sortSlicePorts } from '../slices/ports.ts';
import { repack } from '../subsets.ts';

/** The endpoints of one slice: one address type, the same ports. */
export interface MirrorGroup {
  readonly addressType: AddressType;
  readonly ports: SlicePort[];
  /** By `endpointKey`. May be empty; if subsets share their ports, it may hold more than one slice can. */
  readonly endpoints: Map<string, Endpoint>;
}

/** The desired mirrored slices of Endpoints. */
export interface DesiredMirror {
  /** By `mirrorGroupKey`, in the order of the subsets, IPv4 first. A subset yields both groups, even if one has no address. */
  readonly groups: ReadonlyMap<string, MirrorGroup>;
  /** The controller's Events about addresses that it leaves out. */
  readonly events: SliceEvent[];
  /** How many addresses are left out. */
  readonly skippedCount: number;
}

/** The key that assigns slices to groups. Mirrors newAddrTypePortMapKey (1.36, utils.go). */
export const mirrorGroupKey = (addressType: string, portsKey: string): string => `${addressType} ${portsKey}`;

/**
 * Computes the desired mirrored slices.
 *
 * 1. In releases that do so, subsets are repacked: each port once, ports with the same addresses together.
 * 2. The addresses of each subset are processed in order, ready ones first, up to `max`; invalid IPs do not count.
 * 3. Each address becomes an endpoint in the group of its type and of the subset's ports, and replaces an equal endpoint there.
 *
 * Mirrors the first half of reconcile (1.36, pkg/controller/endpointslicemirroring/reconciler.go), desiredCalc
 * (reconciler_helpers.go).
 */
export function computeDesiredMirror(endpoints: EndpointsInput, max: number, profile: Profile): DesiredMirror {
  const groups = new Map<string, MirrorGroup>();
  let invalidCount = 0;
  let skippedCount = 0;
  for (const subset of subsetsToMirror(endpoints, profile)) {
    const addresses = addressesOf(subset, profile);
    const groupsByType = ensureGroups(groups, subset, profile);
    let addedCount = 0;
    for (const { address, ready } of addresses) {
      if (addedCount >= max) break;
      const ip = canonicalIP(address.ip);
      if (ip === undefined) invalidCount++;
      else {
        const endpoint = toEndpoint(address, profile.addressCanonicalized ? ip : address.ip, ready, profile);
        groupsByType[ip.includes(':') ? 'IPv6' : 'IPv4'].endpoints.set(endpointKey(endpoint, profile), endpoint);
        addedCount++;
      }
    }
    skippedCount += addresses.length - addedCount;
  }
  return { groups, events: createEvents(invalidCount, skippedCount, max), skippedCount };
}

const subsetsToMirror = ({ subsets }: EndpointsInput, profile: Profile): EndpointSubset[] =>
  profile.mirroredSubsetsRepacked ? repack(subsets ?? [], profile) : (subsets ?? []).map((subset) => normalizeSubset(subset, profile));

const addressesOf = (
  { addresses = [], notReadyAddresses = [] }: EndpointSubset,
  profile: Profile,
): { readonly address: EndpointAddress; readonly ready: boolean }[] => [
  ...addresses.map((address) => ({ address, ready: true })),
  ...notReadyAddresses.map((address) => ({ address, ready: !profile.mirroredReadinessKept })),
];

/** Returns the IPv4 and IPv6 groups of a subset's ports; creates absent ones. Mirrors initPorts (1.36, reconciler_helpers.go). */
function ensureGroups(groups: Map<string, MirrorGroup>, { ports }: EndpointSubset, profile: Profile): Record<AddressType, MirrorGroup> {
  const portsKey = slicePortsKey(toSlicePorts(ports), profile);
  const ensureGroup = (addressType: AddressType): MirrorGroup => {
    const key = mirrorGroupKey(addressType, portsKey);
    const group = groups.get(key) ?? { addressType, ports: sortSlicePorts(toSlicePorts(ports), profile), endpoints: new Map() };
    groups.set(key, group);
    return group;
  };
  return { IPv4: ensureGroup('IPv4'), IPv6: ensureGroup('IPv6') };
}

/** Converts ports. Name and protocol are always set, even if empty. Mirrors epPortsToEpsPorts (1.36, utils.go). */
const toSlicePorts = (ports: readonly EndpointPort[] = []): SlicePort[] =>
  ports.map(({ name = '', port, protocol = '', appProtocol }) => ({
    name,
    port,
    protocol,
    ...(appProtocol !== undefined && { appProtocol }),
  }));

/** Mirrors addressToEndpoint (1.36, utils.go). */
const toEndpoint = (
  { hostname, nodeName, targetRef }: EndpointAddress,
  ip: string,
  ready: boolean,
  { slicesAreV1, sliceNodeName }: Profile,
): Endpoint => ({
  addresses: [ip],
  conditions: { ready },
  ...(hostname && { hostname }),
  ...(targetRef && { targetRef: { ...targetRef } }),
  ...(!slicesAreV1 && nodeName !== undefined && { topology: { [hostnameLabel]: nodeName } }),
  ...(sliceNodeName && nodeName !== undefined && { nodeName }),
});

/** Creates the controller's Events. `skippedCount` includes invalid addresses. Mirrors reconcile (1.36, reconciler.go). */
function createEvents(invalidCount: number, skippedCount: number, max: number): SliceEvent[] {
  const events: SliceEvent[] = [];
  if (invalidCount > 0)
    events.push(createWarning('InvalidIPAddress', `Skipped ${invalidCount} invalid IP addresses when mirroring to EndpointSlices`));
  if (skippedCount <= invalidCount) return events;
  const limit = `A max of ${max} addresses can be mirrored to EndpointSlices per Endpoints subset`;
  return [...events, createWarning('TooManyAddressesToMirror', `${limit}. ${skippedCount} addresses were skipped`)];
}

const createWarning = (reason: string, message: string): SliceEvent => ({ type: 'Warning', reason, message });
