import type { EndpointSliceInput, EndpointsInput } from 'kube-endpoints/types';
import { readEndpoints } from './endpoints.ts';
import { isSlice } from './kind.ts';
import { readSlice } from './slice.ts';
import type { View } from './view.ts';

/** What is to be written and what is stored, read alike. */
export interface Views {
  readonly incoming: View;
  /** Read when first asked for. Undefined where nothing is stored, or something of another kind. */
  stored(): View | undefined;
}

export function readViews(object: EndpointsInput | EndpointSliceInput, oldObject: EndpointsInput | EndpointSliceInput | undefined): Views {
  if (isSlice(object)) {
    const old = oldObject && isSlice(oldObject) ? oldObject : undefined;
    return { incoming: readSlice(object), stored: lazily(() => old && readSlice(old)) };
  }
  const old = oldObject && !isSlice(oldObject) ? oldObject : undefined;
  const apart = (object.subsets?.length ?? 0) > 1 || (old?.subsets?.length ?? 0) > 1;
  return { incoming: readEndpoints(object, apart), stored: lazily(() => old && readEndpoints(old, apart)) };
}

function lazily(read: () => View | undefined): () => View | undefined {
  let view: { readonly read: View | undefined } | undefined;
  return () => {
    view ??= { read: read() };
    return view.read;
  };
}
