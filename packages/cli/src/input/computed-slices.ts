import { createSliceMaker } from 'kube-endpoints/internal';
import type { EndpointSliceInput } from 'kube-endpoints/types';
import type { Inventory } from './collection.ts';

/** The slices that a release's controllers write for Services, from pods or from manually managed Endpoints. For inputs without slices. */
export function computeInputSlices(
  { services, pods, endpoints, nodes }: Pick<Inventory, 'services' | 'pods' | 'endpoints' | 'nodes'>,
  version: string,
): readonly EndpointSliceInput[] {
  return services.flatMap(createSliceMaker({ services, pods, endpoints, nodes }, version).slicesOf);
}

/** The hint that slices were computed, naming the release. */
export const computedSlicesHint = (version: string): string =>
  `No EndpointSlices in the input: these are what Kubernetes ${version} writes for its Services and Pods.`;
