import type { EndpointInput, EndpointSliceInput, EndpointSubset } from 'kube-endpoints/types';
import { type EndpointsView, writeEndpoints } from '../view/endpoints.ts';
import type { View } from '../view/view.ts';
import type { Work } from './compiled.ts';

/** Whether what came in is what is stored. */
export function isSameContent({ incoming, storedView, situation: { object, oldObject } }: Work): boolean {
  const before = storedView();
  if (!before) return false;
  if (incoming.kind === 'Endpoints') return printed(subsetsOf(incoming)) === printed(subsetsOf(before));
  const [slice, old] = [object as EndpointSliceInput, oldObject as EndpointSliceInput];
  return printed([slice.endpoints ?? [], slice.ports ?? []]) === printed([old.endpoints ?? [], old.ports ?? []]);
}

/** Whether subsets are those that came in, as the API has them in order. */
export const areSubsetsOf = (incoming: View, subsets: readonly EndpointSubset[]): boolean =>
  printed(subsetsOf(incoming)) === printed(subsets);

/** Whether endpoints and ports are those of a slice. */
export const areOfSlice = (slice: EndpointSliceInput, endpoints: readonly EndpointInput[], ports: EndpointSliceInput['ports']): boolean =>
  printed([slice.endpoints ?? [], slice.ports ?? []]) === printed([endpoints, ports ?? []]);

const subsetsOf = (view: View): readonly EndpointSubset[] => writeEndpoints(asCame(view) as EndpointsView);

/** A view before any rule. */
const asCame = (view: View): View => ({
  ...view,
  entries: view.entries.map((entry) => ({ ...entry, ready: entry.wanted, out: false, gone: undefined })),
});

const printed = (value: unknown): string => JSON.stringify(value);
