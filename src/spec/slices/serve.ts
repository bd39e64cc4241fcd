import type { EndpointInput, EndpointSliceInput } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import { hostnameLabel, zoneLabel } from './desired.ts';
import { sliceApiVersion } from './metadata.ts';

/** A slice with the API version in which it was read; v1 if absent. */
type ReadSlice = EndpointSliceInput & { readonly apiVersion?: unknown };

/**
 * Converts a slice to the API version that the release's controller reads, as the API server does. The fields for node and zone become a
 * topology map in v1beta1, and the reverse. Returns the same object if it has that version.
 *
 * Mirrors conversion.go (1.21, pkg/apis/discovery/v1beta1).
 */
export function serveSlice(slice: ReadSlice, profile: Pick<Profile, 'slicesAreV1'>): EndpointSliceInput {
  const apiVersion = sliceApiVersion(profile);
  if ((slice.apiVersion ?? 'discovery.k8s.io/v1') === apiVersion) return slice;
  const served = { ...slice, apiVersion, endpoints: slice.endpoints?.map(profile.slicesAreV1 ? toV1 : toV1beta1) };
  return served;
}

function toV1({ topology, ...endpoint }: EndpointInput): EndpointInput {
  if (!topology) return endpoint;
  const { [zoneLabel]: zone, [hostnameLabel]: host, ...others } = topology;
  const deprecatedTopology = { ...others, ...(host !== undefined && host !== endpoint.nodeName && { [hostnameLabel]: host }) };
  return {
    ...endpoint,
    ...(zone !== undefined && { zone }),
    ...(Object.keys(deprecatedTopology).length > 0 && { deprecatedTopology }),
  };
}

function toV1beta1({ zone, deprecatedTopology, ...endpoint }: EndpointInput): EndpointInput {
  const { nodeName } = endpoint;
  const topology = {
    ...(nodeName && { [hostnameLabel]: nodeName }),
    ...deprecatedTopology,
    ...(zone && { [zoneLabel]: zone }),
  };
  return Object.keys(topology).length > 0 ? { ...endpoint, topology } : endpoint;
}
