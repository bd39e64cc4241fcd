import type { ApiObject } from 'kube-endpoints/port';
import type { EndpointAddressInput, EndpointInput, EndpointSliceInput, EndpointSubsetInput, EndpointsInput } from 'kube-endpoints/types';
import { type InternTable, noInterning, writableMetadata } from './intern.ts';
import { type FindPod, findReferencedPod, noPods, projectIP, projectReference } from './reference.ts';

/** Endpoints with all fields that an update must send back. */
export function projectEndpoints(
  { metadata, subsets }: ApiObject,
  table: InternTable = noInterning,
  findPod: FindPod = noPods,
): EndpointsInput {
  const projectedMetadata = writableMetadata(metadata, table);
  const existing = (subsets ?? []) as readonly EndpointSubsetInput[];
  return existing.length > 0
    ? { metadata: projectedMetadata, subsets: existing.map((subset) => projectSubset(subset, table, findPod)) }
    : { metadata: projectedMetadata };
}

function projectSubset(
  { addresses, notReadyAddresses, ports }: EndpointSubsetInput,
  table: InternTable,
  findPod: FindPod,
): EndpointSubsetInput {
  const project = (address: EndpointAddressInput): EndpointAddressInput => projectAddress(address, table, findPod);
  return {
    ...(addresses?.length && { addresses: addresses.map(project) }),
    ...(notReadyAddresses?.length && { notReadyAddresses: notReadyAddresses.map(project) }),
    ...(ports?.length && { ports: table.value(ports) }),
  };
}

function projectAddress(
  { ip: address, hostname, nodeName, targetRef }: EndpointAddressInput,
  table: InternTable,
  findPod: FindPod,
): EndpointAddressInput {
  const pod = findReferencedPod(targetRef, findPod);
  const ip = projectIP(address, pod);
  // Most addresses come from this literal, so they share one V8 hidden class without spare fields.
  if (hostname === undefined && nodeName !== undefined && targetRef) {
    return { ip, nodeName: table.text(nodeName), targetRef: projectReference(targetRef, table, pod) };
  }
  return {
    ip,
    ...(hostname !== undefined && { hostname }),
    ...(nodeName !== undefined && { nodeName: table.text(nodeName) }),
    ...(targetRef && { targetRef: projectReference(targetRef, table, pod) }),
  };
}

/** A slice with all fields that an update must send back. */
export function projectSlice(object: ApiObject, table: InternTable = noInterning, findPod: FindPod = noPods): EndpointSliceInput {
  const { addressType, endpoints, ports } = object as EndpointSliceInput;
  return {
    metadata: writableMetadata(object.metadata, table),
    addressType: table.text(addressType),
    endpoints: (endpoints ?? []).map((endpoint) => projectEndpoint(endpoint, table, findPod)),
    ports: table.value(ports ?? []),
  };
}

function projectEndpoint(endpoint: EndpointInput, table: InternTable, findPod: FindPod): EndpointInput {
  const { addresses, conditions, targetRef, nodeName, zone, hostname, hints, deprecatedTopology } = endpoint;
  const pod = findReferencedPod(targetRef, findPod);
  const projectedEndpoint: { -readonly [Field in keyof EndpointInput]: EndpointInput[Field] } = {
    addresses: addresses?.length === 1 ? [projectIP(addresses[0] as string, pod)] : (addresses ?? []),
    conditions: table.value(conditions ?? {}),
    targetRef: targetRef ? projectReference(targetRef, table, pod) : undefined,
    nodeName: table.text(nodeName),
    zone: table.text(zone),
  };
  if (hostname !== undefined) projectedEndpoint.hostname = hostname;
  if (hints) projectedEndpoint.hints = table.value(hints);
  if (deprecatedTopology) projectedEndpoint.deprecatedTopology = table.value(deprecatedTopology);
  return projectedEndpoint;
}
