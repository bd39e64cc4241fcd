import type { ApiObject } from 'kube-endpoints/port';
import type { EndpointAddressInput, EndpointInput, EndpointSliceInput, EndpointSubsetInput, EndpointsInput } from 'kube-endpoints/types';
import { type InternTable, noInterning, writableMetadata } from './intern.ts';
import { noPods, type PodOf, podBehind, projectIP, projectReference } from './reference.ts';

/** Endpoints with all fields that an update must send back. */
export function projectEndpoints(
  { metadata, subsets }: ApiObject,
  table: InternTable = noInterning,
  podOf: PodOf = noPods,
): EndpointsInput {
  const projected = writableMetadata(metadata, table);
  const existing = (subsets ?? []) as readonly EndpointSubsetInput[];
  return existing.length > 0
    ? { metadata: projected, subsets: existing.map((subset) => projectSubset(subset, table, podOf)) }
    : { metadata: projected };
}

function projectSubset(
  { addresses, notReadyAddresses, ports }: EndpointSubsetInput,
  table: InternTable,
  podOf: PodOf,
): EndpointSubsetInput {
  const project = (address: EndpointAddressInput): EndpointAddressInput => projectAddress(address, table, podOf);
  return {
    ...(addresses?.length && { addresses: addresses.map(project) }),
    ...(notReadyAddresses?.length && { notReadyAddresses: notReadyAddresses.map(project) }),
    ...(ports?.length && { ports: table.value(ports) }),
  };
}

function projectAddress(
  { ip: address, hostname, nodeName, targetRef }: EndpointAddressInput,
  table: InternTable,
  podOf: PodOf,
): EndpointAddressInput {
  const known = podBehind(targetRef, podOf);
  const ip = projectIP(address, known);
  if (hostname === undefined && nodeName !== undefined && targetRef) {
    return { ip, nodeName: table.text(nodeName), targetRef: projectReference(targetRef, table, known) };
  }
  return {
    ip,
    ...(hostname !== undefined && { hostname }),
    ...(nodeName !== undefined && { nodeName: table.text(nodeName) }),
    ...(targetRef && { targetRef: projectReference(targetRef, table, known) }),
  };
}

/** A slice with all fields that an update must send back. */
export function projectSlice(object: ApiObject, table: InternTable = noInterning, podOf: PodOf = noPods): EndpointSliceInput {
  const { addressType, endpoints, ports } = object as EndpointSliceInput;
  return {
    metadata: writableMetadata(object.metadata, table),
    addressType: table.text(addressType),
    endpoints: (endpoints ?? []).map((endpoint) => projectEndpoint(endpoint, table, podOf)),
    ports: table.value(ports ?? []),
  };
}

function projectEndpoint(endpoint: EndpointInput, table: InternTable, podOf: PodOf): EndpointInput {
  const { addresses, conditions, targetRef, nodeName, zone, hostname, hints, deprecatedTopology } = endpoint;
  const known = podBehind(targetRef, podOf);
  const projected: { -readonly [Field in keyof EndpointInput]: EndpointInput[Field] } = {
    addresses: addresses?.length === 1 ? [projectIP(addresses[0] as string, known)] : (addresses ?? []),
    conditions: table.value(conditions ?? {}),
    targetRef: targetRef ? projectReference(targetRef, table, known) : undefined,
    nodeName: table.text(nodeName),
    zone: table.text(zone),
  };
  if (hostname !== undefined) projected.hostname = hostname;
  if (hints) projected.hints = table.value(hints);
  if (deprecatedTopology) projected.deprecatedTopology = table.value(deprecatedTopology);
  return projected;
}
