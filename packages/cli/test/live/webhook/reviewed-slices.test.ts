import type { EndpointSliceInput } from 'kube-endpoints/types';
import { describe, expect, test } from 'vitest';
import { createWebhookClock } from '../../../../overrides/test/webhook/support.ts';
import { createReviewedSlices } from '../../../src/live/webhook/reviewed-slices.ts';
import { slice } from '../../objects.ts';

const service = 'shop/web';
const at = (name: string, resourceVersion: string | undefined, ip: string): EndpointSliceInput => {
  const { metadata, ...rest } = slice(name, 'web', { endpoints: [{ addresses: [ip] }] });
  return { ...rest, metadata: { ...metadata, ...(resourceVersion && { resourceVersion }) } };
};
const ips = (slices: readonly EndpointSliceInput[]): string =>
  slices.flatMap(({ endpoints }) => (endpoints ?? []).flatMap(({ addresses }) => addresses ?? [])).join();

function world() {
  const clock = createWebhookClock();
  const answers = createReviewedSlices(clock);
  const update = (made: EndpointSliceInput, known?: EndpointSliceInput) => answers.record({ service, slice: made, created: false }, known);
  return { clock, answers, update };
}

describe('a recorded answer', () => {
  test('replaces the version it overwrites, and older versions', () => {
    const { answers, update } = world();
    update(at('a', '10', 'new'));
    expect(ips(answers.mergeInto(service, [at('a', '9', 'old'), at('b', '3', 'other')]))).toBe('new,other');
    expect(ips(answers.mergeInto(service, [at('a', '10', 'old')]))).toBe('new');
    expect(ips(answers.mergeInto(service, [at('a', '11', 'stored')]))).toBe('stored');
    expect(ips(answers.mergeInto('shop/db', [at('a', '10', 'old')]))).toBe('old');
  });

  test('falls back to the cached resourceVersion if the request has none', () => {
    const { answers, update } = world();
    update(at('a', undefined, 'new'), at('a', '99', 'old'));
    expect(ips(answers.mergeInto(service, [at('a', '99', 'old')]))).toBe('new');
    expect(ips(answers.mergeInto(service, [at('a', '100', 'stored')]))).toBe('stored');
  });

  test('is dropped once a later version is seen or the slice is deleted', () => {
    const { answers, update } = world();
    const stored = [at('a', '10', 'old')];
    update(at('a', '10', 'new'));
    answers.observe(at('a', '10', 'old'), false);
    expect(ips(answers.mergeInto(service, stored))).toBe('new');
    answers.observe(at('a', '12', 'stored'), false);
    expect(ips(answers.mergeInto(service, stored))).toBe('old');
    update(at('a', '10', 'new'));
    answers.observe(at('a', '10', 'old'), true);
    expect(ips(answers.mergeInto(service, stored))).toBe('old');
  });

  test('adds a created slice, but does not restore a deleted one', () => {
    const { answers, update } = world();
    answers.record({ service, slice: at('a', undefined, 'created'), created: true }, undefined);
    update(at('b', '4', 'updated'));
    expect(ips(answers.mergeInto(service, []))).toBe('created');
    answers.observe(at('a', '1', 'stored'), false);
    expect(ips(answers.mergeInto(service, []))).toBe('');
  });

  test('expires after ten seconds, as the write may have been refused', () => {
    const { clock, answers, update } = world();
    update(at('a', '10', 'new'));
    clock.advance(9999);
    expect(ips(answers.mergeInto(service, [at('a', '10', 'old')]))).toBe('new');
    clock.advance(1);
    expect(ips(answers.mergeInto(service, [at('a', '10', 'old')]))).toBe('old');
  });
});

test('drops the oldest of more than 1000 recorded answers', () => {
  const { answers, update } = world();
  for (let location = 0; location <= 1000; location++) update(at(`s${location}`, '10', `new-${location}`));
  expect(ips(answers.mergeInto(service, [at('s0', '10', 'old-0'), at('s1', '10', 'old-1')]))).toBe('old-0,new-1');
});
