import { canonicalIP } from '../../apimachinery/ip.ts';
import type { AddressType, Endpoint, EndpointAddress, EndpointPort, EndpointSubset, EndpointsInput, SlicePort } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import { readSubset } from '../equal.ts';
import { endpointKey } from '../slices/endpoint.ts';
import type { SliceEvent } from '../slices/plan.ts';
import { slicePortsKey, sortSlicePorts } from '../slices/ports.ts';
import { repack } from '../subsets.ts';

/** The endpoints that go into one slice: of one address type, with the same ports. */
export interface MirrorGroup {
  readonly addressType: AddressType;
  readonly ports: SlicePort[];
  /** By `endpointKey`. There may be none, and where subsets share their ports more than one slice can hold. */
  readonly endpoints: Map<string, Endpoint>;
}

/** What Endpoints come to as slices. */
export interface MirrorDesired {
  /** By `mirrorGroupKey`, in the order of the subsets, IPv4 first. A subset has both, even without an address of the type. */
  readonly groups: ReadonlyMap<string, MirrorGroup>;
  /** What the controller says of addresses that it leaves out. */
  readonly events: SliceEvent[];
}

/** What slices and groups that belong together have in common. Mirrors newAddrTypePortMapKey (1.36, utils.go). */
export const mirrorGroupKey = (addressType: string, portsKey: string): string => `${addressType} ${portsKey}`;

/**
 * 1. Where the release does it, subsets are repacked: each port once, ports with the same addresses together.
 * 2. Of each subset the addresses are taken in order, ready ones first, up to the maximum; one that is no IP does not count.
 * 3. Each goes to the group of its type and of the subset's ports, and takes the place of the one that is the same endpoint.
 *
 * Mirrors the first half of reconcile (1.36, pkg/controller/endpointslicemirroring/reconciler.go), desiredCalc
 * (reconciler_helpers.go).
 */
export function desiredMirror(endpoints: EndpointsInput, max: number, profile: Profile): MirrorDesired {
  const groups = new Map<string, MirrorGroup>();
  let invalid = 0;
  let skipped = 0;
  for (const subset of subsetsToMirror(endpoints, profile)) {
    const addresses = addressesOf(subset, profile);
    const byType = groupsFor(groups, subset, profile);
    let added = 0;
    for (const { address, ready } of addresses) {
      if (added >= max) break;
      const ip = canonicalIP(address.ip);
      if (ip === undefined) invalid++;
      else {
        const endpoint = endpointOf(address, profile.addressReprinted ? ip : address.ip, ready);
        byType[ip.includes(':') ? 'IPv6' : 'IPv4'].endpoints.set(endpointKey(endpoint, profile), endpoint);
        added++;
      }
    }
    skipped += addresses.length - added;
  }
  return { groups, events: eventsFor(invalid, skipped, max) };
}

const subsetsToMirror = ({ subsets }: EndpointsInput, profile: Profile): EndpointSubset[] =>
  profile.mirroredSubsetsRepacked ? repack(subsets ?? [], profile) : (subsets ?? []).map((subset) => readSubset(subset, profile));

const addressesOf = (
  { addresses = [], notReadyAddresses = [] }: EndpointSubset,
  profile: Profile,
): { readonly address: EndpointAddress; readonly ready: boolean }[] => [
  ...addresses.map((address) => ({ address, ready: true })),
  ...notReadyAddresses.map((address) => ({ address, ready: !profile.mirroredReadinessKept })),
];

/** The groups of a subset's ports, made where there are none yet. Mirrors initPorts (1.36, reconciler_helpers.go). */
function groupsFor(groups: Map<string, MirrorGroup>, { ports }: EndpointSubset, profile: Profile): Record<AddressType, MirrorGroup> {
  const portsKey = slicePortsKey(mirroredPorts(ports), profile);
  const groupFor = (addressType: AddressType): MirrorGroup => {
    const key = mirrorGroupKey(addressType, portsKey);
    const group = groups.get(key) ?? { addressType, ports: sortSlicePorts(mirroredPorts(ports), profile), endpoints: new Map() };
    groups.set(key, group);
    return group;
  };
  return { IPv4: groupFor('IPv4'), IPv6: groupFor('IPv6') };
}

/** Name and protocol are there even if they are empty. Mirrors epPortsToEpsPorts (1.36, utils.go). */
const mirroredPorts = (ports: readonly EndpointPort[] = []): SlicePort[] =>
  ports.map(({ name = '', port, protocol = '', appProtocol }) => ({
    name,
    port,
    protocol,
    ...(appProtocol !== undefined && { appProtocol }),
  }));

/** Mirrors addressToEndpoint (1.36, utils.go). */
const endpointOf = ({ hostname, nodeName, targetRef }: EndpointAddress, ip: string, ready: boolean): Endpoint => ({
  addresses: [ip],
  conditions: { ready },
  ...(hostname && { hostname }),
  ...(targetRef && { targetRef: { ...targetRef } }),
  ...(nodeName !== undefined && { nodeName }),
});

/** In the words of the controller's Events; the invalid ones are among the skipped. Mirrors reconcile (1.36, reconciler.go). */
function eventsFor(invalid: number, skipped: number, max: number): SliceEvent[] {
  const events: SliceEvent[] = [];
  if (invalid > 0) events.push(warning('InvalidIPAddress', `Skipped ${invalid} invalid IP addresses when mirroring to EndpointSlices`));
  if (skipped <= invalid) return events;
  const limit = `A max of ${max} addresses can be mirrored to EndpointSlices per Endpoints subset`;
  return [...events, warning('TooManyAddressesToMirror', `${limit}. ${skipped} addresses were skipped`)];
}

const warning = (reason: string, message: string): SliceEvent => ({ type: 'Warning', reason, message });
