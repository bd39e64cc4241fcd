import type { EndpointSliceInput } from 'kube-endpoints/types';
import { expect, test } from 'vitest';
import { selectNewestSlices } from '../../../src/live/webhook/reviewed-slices.ts';

/** "a9" is version 9 of slice a. */
const slices = (...texts: readonly string[]): EndpointSliceInput[] =>
  texts.map((text) => ({
    metadata: { namespace: 'shop', name: text[0] as string, resourceVersion: text.slice(1) },
    addressType: 'IPv4',
    endpoints: [],
  }));
const format = (list: readonly EndpointSliceInput[]): string[] =>
  list.map(({ metadata }) => `${metadata?.name}${(metadata as { resourceVersion?: string }).resourceVersion}`).sort();

// Case, listed slices, watched slices before the list request and after it, and the expected slices.
test.each([
  ['a list without watch events', ['a1', 'b2'], [], [], ['a1', 'b2']],
  ['a watch older than the list', ['a5'], ['a1'], ['a3'], ['a5']],
  ['a slice updated after the list', ['a5', 'b6'], ['a5', 'b6'], ['a10', 'b6'], ['a10', 'b6']],
  ['a slice deleted after the list', ['a5', 'b6'], ['a5', 'b6'], ['b6'], ['b6']],
  ['a slice that the watch does not show yet', ['a5', 'b6'], ['b6'], ['b6'], ['a5', 'b6']],
  ['a slice created after the list', ['a5'], ['a5'], ['a5', 'c7'], ['a5', 'c7']],
  ['a slice deleted before the list that the watch still shows', ['a5'], ['a5', 'b6'], ['a5', 'b6'], ['a5']],
])('selectNewestSlices handles %s', (_, listed, before, now, expected) => {
  expect(
    format(
      selectNewestSlices({ listedSlices: slices(...listed), slicesWatchedBefore: slices(...before), slicesWatchedNow: slices(...now) }),
    ),
  ).toEqual(expected);
});
