import { canonicalIP, type IPFamily, ipFamilyOf, namespaceOf, objectKey } from '../apimachinery/index.ts';
import { serviceNameLabel } from '../spec/index.ts';
import type { EndpointSliceInput, EndpointsInput } from '../types/index.ts';
import { type Profile, profileFor, type ReleaseOptions } from '../versions/index.ts';
import type { TraceObjects, TraceOptions, TracePod, TraceService } from './objects.ts';
import { createSliceMaker } from './slice-maker.ts';

/** The objects of a trace, with lookups. */
export interface Cluster {
  readonly objects: TraceObjects;
  /** The release whose controllers compute the endpoints, and its feature gates. */
  readonly release: ReleaseOptions & Pick<Profile, 'version'>;
  readonly matchRegex: TraceOptions['matchRegex'];
  /** All slices: those of `objects`, or computed from the pods if `objects` has none. */
  readonly slices: readonly EndpointSliceInput[];
  /** True if no slices were given, so that `slices` is computed from the pods. */
  readonly slicesAreComputed: boolean;
  findService(namespace: string, name: string): TraceService | undefined;
  /** All slices of the Service, whichever controller manages them; each has a unique name. */
  slicesOf(service: TraceService): readonly EndpointSliceInput[];
  /** The Service's Endpoints: those of `objects`, or computed from the pods if absent. */
  endpointsOf(service: TraceService): EndpointsInput | undefined;
  /** The pods that match the Service's selector; empty without a selector. */
  podsOf(service: TraceService): readonly TracePod[];
  findPod(namespace: string, name: string): TracePod | undefined;
  /** The slices that the release's controller would create for a Service; undefined if no controller manages the slices of the Service. */
  desiredSlicesOf(service: TraceService): readonly EndpointSliceInput[] | undefined;
}

/** @throws RangeError if the version is unknown */
export function createCluster(input: TraceObjects, options: TraceOptions): Cluster {
  const objects = { ...input, services: input.services.map(withClusterIPs) };
  const { featureGates } = options;
  const release = { version: profileFor(options.version, featureGates).version, featureGates };
  const services = new Map(objects.services.map((service) => [objectKey(service), service]));
  const pods = new Map(objects.pods.map((pod) => [objectKey(pod), pod]));
  const sliceMaker = createSliceMaker(objects, release);
  const slicesAreComputed = objects.slices === undefined;
  const slices = objects.slices ?? objects.services.flatMap(sliceMaker.slicesOf);
  const slicesByService = Map.groupBy(slices, (slice) => `${namespaceOf(slice)}/${slice.metadata?.labels?.[serviceNameLabel] ?? ''}`);
  return {
    objects,
    release,
    matchRegex: options.matchRegex,
    slices,
    slicesAreComputed,
    findService: (namespace, name) => services.get(`${namespace}/${name}`),
    slicesOf: (service) => slicesByService.get(objectKey(service)) ?? [],
    podsOf: sliceMaker.podsOf,
    endpointsOf: sliceMaker.endpointsOf,
    findPod: (namespace, name) => pods.get(`${namespace}/${name}`),
    desiredSlicesOf: (service) =>
      service.spec?.selector && service.spec.type !== 'ExternalName' ? sliceMaker.slicesOf(service) : undefined,
  };
}

/** Applies the API server's default for clusterIPs (Kubernetes 1.20 and later). */
function withClusterIPs(service: TraceService): TraceService {
  const { clusterIP, clusterIPs } = service.spec ?? {};
  if (!service.spec || !clusterIP || (clusterIPs && clusterIPs.length > 0)) return service;
  return { ...service, spec: { ...service.spec, clusterIPs: [clusterIP] } };
}

/** The family of an address; undefined if the text is not an address. */
export const familyOf = (address: string): IPFamily | undefined => {
  const canonical = canonicalIP(address);
  return canonical === undefined ? undefined : ipFamilyOf(canonical);
};
