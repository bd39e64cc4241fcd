import { canonicalIP, nameOf, namespaceOf, objectKey } from '../apimachinery/index.ts';
import { createSelectorCache } from '../incremental/index.ts';
import { computeEndpointSlices, computeEndpoints, mirrorEndpoints, serviceNameLabel, slicesFromEndpoints } from '../spec/index.ts';
import type { EndpointSliceInput, EndpointsInput, Node, Pod, Service } from '../types/index.ts';
import { profileFor } from '../versions/index.ts';
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
export const familyOf = (address: string): 'IPv4' | 'IPv6' | undefined => {
  const text = canonicalIP(address);
  if (text === undefined) return undefined;
  return text.includes(':') ? 'IPv6' : 'IPv4';
};

export interface SliceSources<P extends Pod> {
  readonly services: readonly Service[];
  readonly pods: readonly P[];
  /** Those of Services without a selector are mirrored. */
  readonly endpoints?: readonly EndpointsInput[] | undefined;
  /** Undefined where nothing is known of them. */
  readonly nodes?: readonly Node[] | undefined;
}

/** What a release's controllers make of Services that have no slices. */
export interface SliceMaker<P extends Pod> {
  /** The pods that a Service selects; none where it has no selector. */
  podsOf(service: Service): readonly P[];
  /**
   * Its slices, under names of their own: of its pods, or of the Endpoints that its users write. Before 1.21, where traffic may still go
   * by Endpoints, the slices say what those do.
   */
  slicesOf(service: Service): readonly EndpointSliceInput[];
}

/** @throws RangeError for an unknown version */
export function createSliceMaker<P extends Pod>({ services, pods, endpoints = [], nodes }: SliceSources<P>, given?: string): SliceMaker<P> {
  const { version, slicesAreV1 } = profileFor(given);
  const selected = selectionOf(services, pods);
  const written = new Map(endpoints.map((object) => [objectKey(object), object]));
  const podsOf = (service: Service): readonly P[] => selected.get(objectKey(service)) ?? [];
  const make = (service: Service): readonly EndpointSliceInput[] => {
    const byHand = service.spec?.selector ? undefined : written.get(objectKey(service));
    if (slicesAreV1) {
      return byHand ? mirrorEndpoints(byHand, { version }) : computeEndpointSlices(service, podsOf(service), { version, nodes });
    }
    const subsets = byHand ?? computeEndpoints(service, podsOf(service), { version });
    return subsets ? slicesFromEndpoints(subsets, { version }) : [];
  };
  return { podsOf, slicesOf: (service) => make(service).map((slice, at) => named(slice, service, at)) };
}

/** The pods of each Service by its key, without asking each Service of each pod. */
function selectionOf<P extends Pod>(services: readonly Service[], pods: readonly P[]): ReadonlyMap<string, readonly P[]> {
  const cache = createSelectorCache();
  for (const service of services) cache.set(objectKey(service), service);
  const selected = new Map<string, P[]>();
  for (const pod of pods) {
    for (const key of cache.servicesFor(pod)) {
      const list = selected.get(key);
      if (list) list.push(pod);
      else selected.set(key, [pod]);
    }
  }
  return selected;
}

/** Whoever reads slices tells them apart by their names, which an API server makes. */
const named = (slice: EndpointSliceInput, service: Service, at: number): EndpointSliceInput => ({
  ...slice,
  metadata: {
    ...slice.metadata,
    namespace: namespaceOf(service),
    name: `${nameOf(service)}-${at + 1}`,
    labels: { ...slice.metadata?.labels, [serviceNameLabel]: nameOf(service) },
  },
});
