import { canonicalIP, rankOfIPv4 } from '../../apimachinery/ip.ts';
import type { Endpoint, EndpointAddress, EndpointSlice, EndpointSubset, EndpointsInput, SlicePort } from '../../types/index.ts';
import { type Profile, profileFor, type ReleaseOptions } from '../../versions/index.ts';
import { normalizeSubset } from '../equal.ts';
import { managedByLabel as endpointsManagedByLabel, omitKeys, toSortedMap } from '../metadata.ts';
import { generateNameFor, managedByLabel, serviceNameLabel } from '../slices/metadata.ts';
import { chooseLesser, createPortSet, type Offer, pack } from '../subsets.ts';

/** The release determines the order of endpoints and ports. */
export interface SlicesFromEndpointsOptions extends ReleaseOptions {
  /** The maximum number of endpoints per slice, from 1 to 1,000; 100 by default. */
  readonly maxEndpointsPerSlice?: number;
  /** The value of the label endpointslice.kubernetes.io/managed-by, which names the writer; not set by default. */
  readonly managedBy?: string;
}

/**
 * Converts Endpoints to equivalent slices, for clients that write Endpoints and want to write slices instead. `mirrorEndpoints`
 * computes the slices that the mirroring controller would write.
 *
 * 1. Subsets are brought into canonical form: each address once per port, not ready if any of its duplicates is not ready.
 * 2. Each subset yields slices of its IPv4 addresses and slices of its IPv6 addresses. Invalid IPs are left out.
 * 3. Only the condition `ready` is set, because Endpoints have no other.
 *
 * The slices have a generateName instead of a name, and the labels of the Endpoints, except labels for controllers.
 * @throws RangeError for an unknown version or if maxEndpointsPerSlice is out of range
 */
export function slicesFromEndpoints(endpoints: EndpointsInput, options: SlicesFromEndpointsOptions = {}): EndpointSlice[] {
  const { version, featureGates, maxEndpointsPerSlice = 100, managedBy } = options;
  const profile = profileFor(version, featureGates);
  if (!Number.isInteger(maxEndpointsPerSlice) || maxEndpointsPerSlice < 1 || maxEndpointsPerSlice > 1000) {
    throw new RangeError(`maxEndpointsPerSlice is ${maxEndpointsPerSlice}, not a whole number from 1 to 1000`);
  }
  const slices: EndpointSlice[] = [];
  for (const subset of canonicalSubsets(endpoints, profile)) {
    const endpointsOfSubset = toEndpoints(subset);
    for (const addressType of ['IPv4', 'IPv6'] as const) {
      const endpointsOfType = endpointsOfSubset.filter(({ addresses: [ip] }) => ip?.includes(':') === (addressType === 'IPv6'));
      for (let i = 0; i < endpointsOfType.length; i += maxEndpointsPerSlice) {
        slices.push({
          apiVersion: 'discovery.k8s.io/v1',
          kind: 'EndpointSlice',
          metadata: createMetadata(endpoints, managedBy),
          addressType,
          endpoints: endpointsOfType.slice(i, i + maxEndpointsPerSlice),
          ports: (subset.ports ?? []).map(toSlicePort),
        });
      }
    }
  }
  return slices;
}

/**
 * Like `repackSubsets`, with two differences. Ports with the same name, number and protocol (TCP by default) are one port, with the
 * appProtocol of the first. Addresses are compared as Go prints them.
 */
export function canonicalSubsets({ subsets }: EndpointsInput, profile: Profile): EndpointSubset[] {
  const portSet = createPortSet();
  const offers: Offer[] = [];
  for (const input of subsets ?? []) {
    const { addresses = [], notReadyAddresses = [], ports } = normalizeSubset(input, { ...profile, appProtocolPrinted: true });
    const portIndexes = ports ? ports.map((port) => portSet.add({ ...port, protocol: port.protocol ?? 'TCP' }, '')) : [portSet.noPorts];
    const addOffer = (address: EndpointAddress, { ready }: { readonly ready: boolean }): void => {
      const ip = canonicalIP(address.ip) ?? address.ip;
      offers.push({ address: { ...address, ip }, rank: rankOfIPv4(ip), ready, ports: portIndexes });
    };
    for (const address of addresses) addOffer(address, { ready: true });
    for (const address of notReadyAddresses) addOffer(address, { ready: false });
  }
  return pack(offers, portSet.list, { ...profile, portlessSubsetsKept: true }, chooseLesser);
}

const toEndpoints = ({ addresses = [], notReadyAddresses = [] }: EndpointSubset): Endpoint[] => [
  ...addresses.filter(isIP).map((address) => toEndpoint(address, true)),
  ...notReadyAddresses.filter(isIP).map((address) => toEndpoint(address, false)),
];

const isIP = ({ ip }: EndpointAddress): boolean => canonicalIP(ip) !== undefined;

/** An address can be in several subsets, so each endpoint gets its own copy of the target. */
const toEndpoint = ({ ip, hostname, nodeName, targetRef }: EndpointAddress, ready: boolean): Endpoint => ({
  addresses: [ip],
  conditions: { ready },
  ...(hostname && { hostname }),
  ...(nodeName && { nodeName }),
  ...(targetRef && { targetRef: { ...targetRef } }),
});

/** Always sets the name and the protocol because, in a slice, an absent value differs from the default. */
const toSlicePort = ({ name, port, protocol, appProtocol }: NonNullable<EndpointSubset['ports']>[number]): SlicePort => ({
  name: name ?? '',
  port,
  protocol: protocol ?? 'TCP',
  ...(appProtocol && { appProtocol }),
});

/** Labels that control Endpoints and have no meaning on a slice. */
const labelsForControllers: readonly string[] = [endpointsManagedByLabel, 'endpointslice.kubernetes.io/skip-mirror'];

function createMetadata({ metadata }: EndpointsInput, managedBy: string | undefined): EndpointSlice['metadata'] {
  const name = metadata?.name ?? '';
  const labels = Object.entries(omitKeys(metadata?.labels, ...labelsForControllers, managedByLabel, serviceNameLabel));
  labels.push([serviceNameLabel, name]);
  if (managedBy) labels.push([managedByLabel, managedBy]);
  return {
    generateName: generateNameFor(name),
    namespace: metadata?.namespace ?? '',
    labels: toSortedMap(labels),
  };
}
