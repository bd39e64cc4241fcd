import { isLater } from '@kube-endpoints/controllers/internal';
import type { EndpointSliceInput } from 'kube-endpoints/types';

/** What is known of the slices of a Service, from a list and from a watch that went on while the list was under way. */
export interface Knowledge {
  readonly listed: readonly EndpointSliceInput[];
  /** What the watch had told before the list was asked for, and what it has told by now. */
  readonly before: Iterable<EndpointSliceInput>;
  readonly now: Iterable<EndpointSliceInput>;
}

/** The slices that there are, each in the latest version that is known: what was seen to be stored, or to go, meanwhile is not undone by a list. */
export function newestSlices({ listed, before, now }: Knowledge): readonly EndpointSliceInput[] {
  const told = byKey(now);
  const old = byKey(before);
  const slices = byKey(listed);
  for (const [key, slice] of slices) {
    const seen = told.get(key);
    if (!seen && old.has(key)) slices.delete(key);
    else if (seen && isLater(versionOf(seen), versionOf(slice))) slices.set(key, seen);
  }
  // one that was there before, and is not listed, has gone; one that was not has come meanwhile
  for (const [key, slice] of told) if (!slices.has(key) && !old.has(key)) slices.set(key, slice);
  return [...slices.values()];
}

const byKey = (slices: Iterable<EndpointSliceInput>): Map<string, EndpointSliceInput> =>
  new Map([...slices].map((slice) => [keyOf(slice), slice]));

/** "namespace/name". */
export const keyOf = ({ metadata }: EndpointSliceInput): string => `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;

/** Empty where it has none yet. */
export const versionOf = (slice: EndpointSliceInput | undefined): string =>
  (slice?.metadata as { readonly resourceVersion?: string } | undefined)?.resourceVersion ?? '';
