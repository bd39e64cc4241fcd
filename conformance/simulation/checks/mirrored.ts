import { isDeepStrictEqual } from 'node:util';
import { createMirror, type SlicePlan } from 'kube-endpoints';
import { type ApiObject, resources } from 'kube-endpoints/port';
import type { EndpointSliceInput, EndpointsInput, Service } from 'kube-endpoints/types';
import type { History } from '../harness/history.ts';
import type { WriteRequest } from '../harness/replica/network.ts';
import type { ControllerView } from './views.ts';

type MirrorView = Pick<ControllerView, 'services' | 'endpoints' | 'endpointslices'>;

export interface MirrorCheckOptions {
  readonly version: string | undefined;
  readonly maxEndpointsPerSubset: number;
}

export const isMirrored = ({ metadata }: ApiObject): boolean =>
  metadata.labels?.['endpointslice.kubernetes.io/managed-by'] === 'endpointslicemirroring-controller.k8s.io';

/** Returns the plan of a mirror without earlier syncs for the objects of a view. */
export function planMirror(
  history: History,
  key: string,
  view: MirrorView,
  { version, maxEndpointsPerSubset }: MirrorCheckOptions,
): SlicePlan {
  const slices = history.all(resources.endpointSlices, key.slice(0, key.indexOf('/')), view.endpointslices);
  return createMirror({ ...(version !== undefined && { version }), maxEndpointsPerSubset }).mirror({
    key,
    service: history.at(resources.services, key, view.services) as unknown as Service | undefined,
    endpoints: history.at(resources.endpoints, key, view.endpoints) as unknown as EndpointsInput | undefined,
    current: slices.map((slice) => ({ ...slice, ports: slice['ports'] ?? [] })) as unknown as EndpointSliceInput[],
  });
}

/** Why a write of a mirrored slice does not follow from the caches of its writer; undefined if it does. */
export function problemOfMirror({ verb, name, object }: WriteRequest, plan: SlicePlan): string | undefined {
  const codes = plan.reasons.map(({ code }) => code).join(', ');
  if (verb === 'delete') return plan.delete.some(({ metadata }) => metadata.name === name) ? undefined : `it must be kept: ${codes}`;
  if (verb !== 'create' && verb !== 'update') return 'the verb is not allowed for slices';
  const isPlanned = plan[verb].some((slice) => isDeepStrictEqual(toComparable(slice), toComparable(object)));
  return isPlanned ? undefined : `the mirrored slice is not planned: ${codes}; ${JSON.stringify(object)}`;
}

/** Omits the resourceVersion, which a plan does not have. */
const toComparable = (slice: object | undefined): unknown =>
  JSON.parse(JSON.stringify(slice, (name, value) => (name === 'resourceVersion' ? undefined : value)));
