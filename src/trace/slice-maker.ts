import { nameOf, namespaceOf, objectKey } from '../apimachinery/index.ts';
import { createSelectorCache } from '../incremental/index.ts';
import { computeEndpointSlices, computeEndpoints, mirrorEndpoints, serviceNameLabel, slicesFromEndpoints } from '../spec/index.ts';
import type { EndpointSliceInput, EndpointsInput, Node, Pod, Service } from '../types/index.ts';
import { profileFor, type ReleaseOptions } from '../versions/index.ts';

export interface SliceSources<P extends Pod> {
  readonly services: readonly Service[];
  readonly pods: readonly P[];
  /** Mirrored for Services without a selector. */
  readonly endpoints?: readonly EndpointsInput[] | undefined;
  /** Undefined if unknown. */
  readonly nodes?: readonly Node[] | undefined;
}

/** Computes the slices that a release's controllers would create. */
export interface SliceMaker<P extends Pod> {
  /** The pods that match the Service's selector; empty without a selector. */
  podsOf(service: Service): readonly P[];
  /**
   * The Service's slices, with unique names: computed from its pods, or mirrored from Endpoints that users write. Before Kubernetes 1.21,
   * kube-proxy can still read Endpoints, so the slices are converted from Endpoints.
   */
  slicesOf(service: Service): readonly EndpointSliceInput[];
  /** The Service's given Endpoints, else those computed from its pods. Undefined if a Service without a selector has no Endpoints. */
  endpointsOf(service: Service): EndpointsInput | undefined;
}

/** @throws RangeError if the version is unknown */
export function createSliceMaker<P extends Pod>(
  { services, pods, endpoints = [], nodes }: SliceSources<P>,
  release: ReleaseOptions = {},
): SliceMaker<P> {
  const { slicesAreV1 } = profileFor(release.version, release.featureGates);
  const podsByService = selectPods(services, pods);
  const endpointsByKey = new Map(endpoints.map((object) => [objectKey(object), object]));
  const podsOf = (service: Service): readonly P[] => podsByService.get(objectKey(service)) ?? [];
  const computeSlices = (service: Service): readonly EndpointSliceInput[] => {
    const userEndpoints = service.spec?.selector ? undefined : endpointsByKey.get(objectKey(service));
    if (slicesAreV1) {
      return userEndpoints
        ? mirrorEndpoints(userEndpoints, release)
        : computeEndpointSlices(service, podsOf(service), { ...release, nodes });
    }
    const endpointsObject = userEndpoints ?? computeEndpoints(service, podsOf(service), release);
    return endpointsObject ? slicesFromEndpoints(endpointsObject, release) : [];
  };
  return {
    podsOf,
    slicesOf: (service) => computeSlices(service).map((slice, index) => withServiceMetadata(slice, service, index)),
    endpointsOf: (service) => endpointsByKey.get(objectKey(service)) ?? computeEndpoints(service, podsOf(service), release),
  };
}

/** Selects the pods of each Service, by the key of the Service. Uses an index instead of matching every pod with every Service. */
function selectPods<P extends Pod>(services: readonly Service[], pods: readonly P[]): ReadonlyMap<string, readonly P[]> {
  const cache = createSelectorCache();
  for (const service of services) cache.set(objectKey(service), service);
  const podsByService = new Map<string, P[]>();
  for (const pod of pods) {
    for (const key of cache.servicesFor(pod)) {
      const list = podsByService.get(key);
      if (list) list.push(pod);
      else podsByService.set(key, [pod]);
    }
  }
  return podsByService;
}

/** Adds a unique name and the Service's label, as consumers of slices expect. */
const withServiceMetadata = (slice: EndpointSliceInput, service: Service, index: number): EndpointSliceInput => ({
  ...slice,
  metadata: {
    ...slice.metadata,
    namespace: namespaceOf(service),
    name: `${nameOf(service)}-${index + 1}`,
    labels: { ...slice.metadata?.labels, [serviceNameLabel]: nameOf(service) },
  },
});
