import type { EndpointSliceInput, EndpointsInput } from 'kube-endpoints/types';

export type Kind = 'Endpoints' | 'EndpointSlice';

/** What an object is: by its kind, and where it does not say, by what only a slice has. */
export function isSlice(object: EndpointsInput | EndpointSliceInput): object is EndpointSliceInput {
  const { kind } = object as { readonly kind?: unknown };
  if (kind === 'Endpoints' || kind === 'EndpointSlice') return kind === 'EndpointSlice';
  return 'endpoints' in object || 'addressType' in object;
}
