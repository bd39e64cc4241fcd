import { nameOf, namespaceOf, objectKey } from '../apimachinery/index.ts';
import { createSelectorCache } from '../incremental/index.ts';
import { computeEndpointSlices, computeEndpoints, mirrorEndpoints, serviceNameLabel, slicesFromEndpoints } from '../spec/index.ts';
import type { EndpointSliceInput, EndpointsInput, Node, Pod, Service } from '../types/index.ts';
import { profileFor } from '../versions/index.ts';

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
