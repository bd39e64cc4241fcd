import type { ApiObject } from 'kube-endpoints/port';
import type { EndpointAddressInput, EndpointInput, EndpointSliceInput, EndpointSubsetInput, EndpointsInput } from 'kube-endpoints/types';
import { type InternTable, noInterning, projectWritableMetadata } from './intern.ts';
import { type FindPod, findReferencedPod, noPods, projectIP, projectReference } from './reference.ts';

/** Projects Endpoints. Keeps all fields that an update must send back, except empty lists. */
export function projectEndpoints(
  { metadata, subsets }: ApiObject,
  table: InternTable = noInterning,
  findPod: FindPod = noPods,
): EndpointsInput {
  const projectedMetadata = projectWritableMetadata(metadata, table);
  const subsetList = (subsets ?? []) as readonly EndpointSubsetInput[];
  return subsetList.length > 0
    ? { metadata: projectedMetadata, subsets: subsetList.map((subset) => projectSubset(subset, table, findPod)) }
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
    ...(ports?.length && { ports: table.internValue(ports) }),
  };
}

function projectAddress(
  { ip: unsharedIP, hostname, nodeName, targetRef }: EndpointAddressInput,
  table: InternTable,
  findPod: FindPod,
): EndpointAddressInput {
  const pod = findReferencedPod(targetRef, findPod);
  const ip = projectIP(unsharedIP, pod);
  // Most addresses come from this literal, so they share one V8 hidden class without spare fields.
  if (hostname === undefined && nodeName !== undefined && targetRef) {
    return { ip, nodeName: table.internText(nodeName), targetRef: projectReference(targetRef, table, pod) };
  }
  return {
    ip,
    ...(hostname !== undefined && { hostname }),
    ...(nodeName !== undefined && { nodeName: table.internText(nodeName) }),
    ...(targetRef && { targetRef: projectReference(targetRef, table, pod) }),
  };
}

/** Projects a slice. Keeps all fields that an update must send back. */
export function projectSlice(object: ApiObject, table: InternTable = noInterning, findPod: FindPod = noPods): EndpointSliceInput {
  const { addressType, endpoints, ports } = object as EndpointSliceInput;
  return {
    metadata: projectWritableMetadata(object.metadata, table),
    addressType: table.internText(addressType),
    endpoints: (endpoints ?? []).map((endpoint) => projectEndpoint(endpoint, table, findPod)),
    ports: table.internValue(ports ?? []),
  };
}

function projectEndpoint(endpoint: EndpointInput, table: InternTable, findPod: FindPod): EndpointInput {
  const { addresses, conditions, targetRef, nodeName, zone, hostname, hints, deprecatedTopology } = endpoint;
  const pod = findReferencedPod(targetRef, findPod);
  const projectedEndpoint: { -readonly [Field in keyof EndpointInput]: EndpointInput[Field] } = {
    addresses: addresses?.length === 1 ? [projectIP(addresses[0] as string, pod)] : (addresses ?? []),
    conditions: table.internValue(conditions ?? {}),
    targetRef: targetRef ? projectReference(targetRef, table, pod) : undefined,
    nodeName: table.internText(nodeName),
    zone: table.internText(zone),
  };
  if (hostname !== undefined) projectedEndpoint.hostname = hostname;
  if (hints) projectedEndpoint.hints = table.internValue(hints);
  if (deprecatedTopology) projectedEndpoint.deprecatedTopology = table.internValue(deprecatedTopology);
  return projectedEndpoint;
}
