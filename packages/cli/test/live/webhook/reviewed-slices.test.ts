import type { EndpointSliceInput } from 'kube-endpoints/types';
import { describe, expect, test } from 'vitest';
import { createWebhookClock } from '../../../../overrides/test/webhook/support.ts';
import { createReviewedSlices } from '../../../src/live/webhook/reviewed-slices.ts';
import { slice } from '../../objects.ts';

const service = 'shop/web';
const sliceWith = (name: string, resourceVersion: string | undefined, ip: string): EndpointSliceInput => {
  const { metadata, ...rest } = slice(name, 'web', { endpoints: [{ addresses: [ip] }] });
  return { ...rest, metadata: { ...metadata, ...(resourceVersion && { resourceVersion }) } };
};
const ipsOf = (slices: readonly EndpointSliceInput[]): string =>
  slices.flatMap(({ endpoints }) => (endpoints ?? []).flatMap(({ addresses }) => addresses ?? [])).join();

function createTestReviews() {
  const clock = createWebhookClock();
  const reviews = createReviewedSlices(clock);
  const update = (reviewed: EndpointSliceInput, cachedSlice?: EndpointSliceInput) =>
    reviews.record({ service, slice: reviewed, isCreate: false }, cachedSlice);
  return { clock, reviews, update };
}

describe('a recorded review', () => {
  test('replaces the stored version that it overwrites, and older versions', () => {
    const { reviews, update } = createTestReviews();
    update(sliceWith('a', '10', 'new'));
    expect(ipsOf(reviews.mergeInto(service, [sliceWith('a', '9', 'old'), sliceWith('b', '3', 'other')]))).toBe('new,other');
    expect(ipsOf(reviews.mergeInto(service, [sliceWith('a', '10', 'old')]))).toBe('new');
    expect(ipsOf(reviews.mergeInto(service, [sliceWith('a', '11', 'stored')]))).toBe('stored');
    expect(ipsOf(reviews.mergeInto('shop/db', [sliceWith('a', '10', 'old')]))).toBe('old');
  });

  test('falls back to the cached resourceVersion if the request has none', () => {
    const { reviews, update } = createTestReviews();
    update(sliceWith('a', undefined, 'new'), sliceWith('a', '99', 'old'));
    expect(ipsOf(reviews.mergeInto(service, [sliceWith('a', '99', 'old')]))).toBe('new');
    expect(ipsOf(reviews.mergeInto(service, [sliceWith('a', '100', 'stored')]))).toBe('stored');
  });

  test('is dropped once a later version is observed or the slice is deleted', () => {
    const { reviews, update } = createTestReviews();
    const stored = [sliceWith('a', '10', 'old')];
    update(sliceWith('a', '10', 'new'));
    reviews.observe(sliceWith('a', '10', 'old'), false);
    expect(ipsOf(reviews.mergeInto(service, stored))).toBe('new');
    reviews.observe(sliceWith('a', '12', 'stored'), false);
    expect(ipsOf(reviews.mergeInto(service, stored))).toBe('old');
    update(sliceWith('a', '10', 'new'));
    reviews.observe(sliceWith('a', '10', 'old'), true);
    expect(ipsOf(reviews.mergeInto(service, stored))).toBe('old');
  });

  test('adds a created slice, but does not restore a deleted one', () => {
    const { reviews, update } = createTestReviews();
    reviews.record({ service, slice: sliceWith('a', undefined, 'created'), isCreate: true }, undefined);
    update(sliceWith('b', '4', 'updated'));
    expect(ipsOf(reviews.mergeInto(service, []))).toBe('created');
    reviews.observe(sliceWith('a', '1', 'stored'), false);
    expect(ipsOf(reviews.mergeInto(service, []))).toBe('');
  });

  test('expires after ten seconds, because the write may have been rejected', () => {
    const { clock, reviews, update } = createTestReviews();
    update(sliceWith('a', '10', 'new'));
    clock.advance(9999);
    expect(ipsOf(reviews.mergeInto(service, [sliceWith('a', '10', 'old')]))).toBe('new');
    clock.advance(1);
    expect(ipsOf(reviews.mergeInto(service, [sliceWith('a', '10', 'old')]))).toBe('old');
  });
});

test('createReviewedSlices drops the oldest of more than 1000 recorded reviews', () => {
  const { reviews, update } = createTestReviews();
  for (let i = 0; i <= 1000; i++) update(sliceWith(`s${i}`, '10', `new-${i}`));
  expect(ipsOf(reviews.mergeInto(service, [sliceWith('s0', '10', 'old-0'), sliceWith('s1', '10', 'old-1')]))).toBe('old-0,new-1');
});
