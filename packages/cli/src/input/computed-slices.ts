import { createSliceMaker } from 'kube-endpoints/internal';
import type { EndpointSliceInput } from 'kube-endpoints/types';
import type { Inventory } from './collection.ts';

/** The slices that a release's controllers write for the Services of an input that holds none: of its pods, or of Endpoints that they leave alone. */
export function computedSlices(
  { services, pods, endpoints, nodes }: Pick<Inventory, 'services' | 'pods' | 'endpoints' | 'nodes'>,
  version: string,
): readonly EndpointSliceInput[] {
  return services.flatMap(createSliceMaker({ services, pods, endpoints, nodes }, version).slicesOf);
}

/** Says that slices were computed, and of which release. */
export const computedHint = (version: string): string =>
  `No EndpointSlices in the input: these are what Kubernetes ${version} writes for its Services and Pods.`;
