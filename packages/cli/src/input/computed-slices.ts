import { createSliceMaker } from 'kube-endpoints/internal';
import type { EndpointSliceInput, EndpointsInput } from 'kube-endpoints/types';
import type { ReleaseOptions } from 'kube-endpoints/versions';
import type { Inventory } from './collection.ts';

/** Computes the slices that a release's controllers write for Services, from pods or from manually managed Endpoints. */
export function computeInputSlices(
  { services, pods, endpoints, nodes }: Pick<Inventory, 'services' | 'pods' | 'endpoints' | 'nodes'>,
  release: ReleaseOptions,
): readonly EndpointSliceInput[] {
  return services.flatMap(createSliceMaker({ services, pods, endpoints, nodes }, release).slicesOf);
}

/** Returns the given Endpoints of Services, else those that a release's controller writes from pods. */
export function computeInputEndpoints(
  { services, pods, endpoints, nodes }: Pick<Inventory, 'services' | 'pods' | 'endpoints' | 'nodes'>,
  release: ReleaseOptions,
): readonly EndpointsInput[] {
  const { endpointsOf } = createSliceMaker({ services, pods, endpoints, nodes }, release);
  return services.flatMap((service) => endpointsOf(service) ?? []);
}

/** Creates the hint that the input has no slices, so that they were computed. The hint names the release. */
export const createComputedSlicesHint = (version: string): string =>
  `No EndpointSlices in the input: these are what Kubernetes ${version} writes for its Services and Pods.`;
