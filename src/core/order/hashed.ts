import type { EndpointAddress, EndpointPort, EndpointSubset, TargetRef } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import { fnv128a } from '../hash/fnv128a.ts';
import { md5 } from '../hash/md5.ts';

/**
 * Puts ports into the order of a release: that of the hashes of their printed Go structures.
 * Mirrors portsByHash (pkg/api/v1/endpoints/util.go) over DeepHashObject (pkg/util/hash/hash.go).
 */
export const sortPorts = (ports: readonly EndpointPort[], profile: Profile): EndpointPort[] =>
  byHash(ports, (port) => `(v1.EndpointPort)${printPort(port, profile)}`, profile);

/**
 * Puts subsets into the order of a release: that of the hashes of their printed Go structures, taken when the addresses
 * and ports inside them are already sorted. Mirrors subsetsByHash (pkg/api/v1/endpoints/util.go).
 */
export const sortSubsets = (subsets: readonly EndpointSubset[], profile: Profile): EndpointSubset[] =>
  byHash(subsets, (subset) => printSubset(subset, profile), profile);

function byHash<T>(items: readonly T[], print: (item: T) => string, profile: Profile): T[] {
  if (items.length < 2) return [...items];
  const hash = profile.orderedByFNV ? fnv128a : md5;
  const encoder = new TextEncoder();
  return items
    .map((item) => ({ item, hash: hash(encoder.encode(print(item))) }))
    .sort((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0))
    .map(({ item }) => item);
}

/** A subset as Go's spew prints `v1.EndpointSubset` with types, pointers followed. Exported for its test. */
export const printSubset = (subset: EndpointSubset, profile: Profile): string =>
  `(v1.EndpointSubset){Addresses:${printAddresses(subset.addresses)} NotReadyAddresses:${printAddresses(subset.notReadyAddresses)} Ports:([]v1.EndpointPort)${
    subset.ports ? `[${subset.ports.map((port) => printPort(port, profile)).join(' ')}]` : '<nil>'
  }}`;

const printPort = (port: EndpointPort, profile: Profile): string => {
  const appProtocol = profile.appProtocolPrinted ? ` AppProtocol:(*string)${port.appProtocol ?? '<nil>'}` : '';
  return `{Name:(string)${port.name ?? ''} Port:(int32)${port.port} Protocol:(v1.Protocol)${port.protocol ?? ''}${appProtocol}}`;
};

const printAddresses = (addresses: readonly EndpointAddress[] | undefined): string =>
  `([]v1.EndpointAddress)${addresses ? `[${addresses.map(printAddress).join(' ')}]` : '<nil>'}`;

const printAddress = ({ ip, hostname, nodeName, targetRef }: EndpointAddress): string =>
  `{IP:(string)${ip} Hostname:(string)${hostname ?? ''} NodeName:(*string)${nodeName ?? '<nil>'} TargetRef:(*v1.ObjectReference)${printTarget(targetRef)}}`;

const printTarget = (ref: TargetRef | undefined): string =>
  ref
    ? `{Kind:(string)${ref.kind ?? ''} Namespace:(string)${ref.namespace ?? ''} Name:(string)${ref.name ?? ''} UID:(types.UID)${ref.uid ?? ''} APIVersion:(string)${ref.apiVersion ?? ''} ResourceVersion:(string)${ref.resourceVersion ?? ''} FieldPath:(string)${ref.fieldPath ?? ''}}`
    : '<nil>';
