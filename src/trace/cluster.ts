import { canonicalIP, type IPFamily, ipFamilyOf, namespaceOf, objectKey } from '../apimachinery/index.ts';
import { serviceNameLabel } from '../spec/index.ts';
import type { EndpointSliceInput } from '../types/index.ts';
import { profileFor } from '../versions/index.ts';
import { createSliceMaker } from './made-slices.ts';
import type { TraceObjects, TraceOptions, TracePod, TraceService } from './objects.ts';

/** The objects of a trace, found by what one looks for. */
export interface Cluster {
  readonly objects: TraceObjects;
  /** The release whose controllers make endpoints. */
  readonly version: string;
  /** All slices: those there are, or those that are made. */
  readonly slices: readonly EndpointSliceInput[];
  /** Whether none were given, and they are made of the pods. */
  readonly areComputed: boolean;
  service(namespace: string, name: string): TraceService | undefined;
  /** All of its slices, whoever writes them, under names of their own. */
  slicesOf(service: TraceService): readonly EndpointSliceInput[];
  /** The pods that its selector selects; none where it has no selector. */
  podsOf(service: TraceService): readonly TracePod[];
  pod(namespace: string, name: string): TracePod | undefined;
  /** The slices that the release's controller makes of a Service's pods; undefined where it leaves them to others. */
  wantedOf(service: TraceService): readonly EndpointSliceInput[] | undefined;
}

/** @throws RangeError for an unknown version */
export function createCluster(given: TraceObjects, options: TraceOptions): Cluster {
  const objects = { ...given, services: given.services.map(withClusterIPs) };
  const { version } = profileFor(options.version);
  const services = new Map(objects.services.map((service) => [objectKey(service), service]));
  const pods = new Map(objects.pods.map((pod) => [objectKey(pod), pod]));
  const made = createSliceMaker(objects, version);
  const areComputed = objects.slices === undefined;
  const slices = objects.slices ?? objects.services.flatMap(made.slicesOf);
  const byService = Map.groupBy(slices, (slice) => `${namespaceOf(slice)}/${slice.metadata?.labels?.[serviceNameLabel] ?? ''}`);
  return {
    objects,
    version,
    slices,
    areComputed,
    service: (namespace, name) => services.get(`${namespace}/${name}`),
    slicesOf: (service) => byService.get(objectKey(service)) ?? [],
    podsOf: made.podsOf,
    pod: (namespace, name) => pods.get(`${namespace}/${name}`),
    wantedOf: (service) => (service.spec?.selector && service.spec.type !== 'ExternalName' ? made.slicesOf(service) : undefined),
  };
}

/** What an API server fills in from 1.20 on. */
function withClusterIPs(service: TraceService): TraceService {
  const { clusterIP, clusterIPs } = service.spec ?? {};
  if (!service.spec || !clusterIP || (clusterIPs && clusterIPs.length > 0)) return service;
  return { ...service, spec: { ...service.spec, clusterIPs: [clusterIP] } };
}

/** The address family of an address, as far as it is one. */
export const familyOf = (address: string): IPFamily | undefined => {
  const canonical = canonicalIP(address);
  return canonical === undefined ? undefined : ipFamilyOf(canonical);
};
