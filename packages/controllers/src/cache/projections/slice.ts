import type { ApiObject } from 'kube-endpoints/port';
import type { EndpointInput, EndpointSliceInput } from 'kube-endpoints/types';
import { type InternTable, noInterning } from './intern.ts';
import { writableMetadata } from './metadata.ts';
import { noPods, type PodOf, podBehind, projectIP, projectReference } from './reference.ts';

/** A slice with all that an update has to send back. */
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
  const kept: { -readonly [Field in keyof EndpointInput]: EndpointInput[Field] } = {
    addresses: addresses?.length === 1 ? [projectIP(addresses[0] as string, known)] : (addresses ?? []),
    conditions: table.value(conditions ?? {}),
    targetRef: targetRef ? projectReference(targetRef, table, known) : undefined,
    nodeName: table.text(nodeName),
    zone: table.text(zone),
  };
  if (hostname !== undefined) kept.hostname = hostname;
  if (hints) kept.hints = table.value(hints);
  if (deprecatedTopology) kept.deprecatedTopology = table.value(deprecatedTopology);
  return kept;
}
