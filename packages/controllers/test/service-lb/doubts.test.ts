import { expect, test } from 'vitest';
import { createDoubts, type Doubts } from '../../src/service-lb/calls.ts';
import { createClock, type ManualClock, settle } from '../queue/clock.ts';

const service = { metadata: { namespace: 'shop', name: 'web', uid: 'u1' } };

function bench(): { readonly clock: ManualClock; readonly doubts: Doubts; readonly looks: string[] } {
  const clock = createClock();
  const looks: string[] = [];
  const look = (key: string, { metadata }: typeof service | (object & { metadata?: unknown })): void =>
    void looks.push(`${key} ${(metadata as { uid: string }).uid} ${clock.elapsed()}`);
  return { clock, doubts: createDoubts({ clock, horizon: 10_000, look }), looks };
}

test('a call that was given up is looked after soon, and when nothing more is to be expected', async () => {
  const { clock, doubts, looks } = bench();
  doubts.add('shop/web', service, Promise.reject(new Error('aborted')));
  expect(doubts.size).toBe(1);
  await clock.pass(60_000);
  expect(looks).toEqual(['shop/web u1 1000', 'shop/web u1 10000']);
  expect(doubts.size).toBe(0);
});

test('one that is done after all is looked after at once, however late that is', async () => {
  const { clock, doubts, looks } = bench();
  const { promise, resolve } = Promise.withResolvers<void>();
  doubts.add('shop/web', service, promise);
  await clock.pass(60_000);
  looks.length = 0;
  resolve();
  await settle();
  expect(looks).toEqual(['shop/web u1 60000']);
});

test('another one of the same Service begins the time anew', async () => {
  const { clock, doubts, looks } = bench();
  const never = new Promise(() => {});
  doubts.add('shop/web', service, never);
  await clock.pass(900);
  doubts.add('shop/web', service, never);
  doubts.add('shop/web', { metadata: { ...service.metadata, uid: 'u2' } }, never);
  expect(doubts.size).toBe(2);
  await clock.pass(60_000);
  expect(looks).toEqual(['shop/web u1 1900', 'shop/web u2 1900', 'shop/web u1 10900', 'shop/web u2 10900']);
});

test('nothing is looked after once it is stopped', async () => {
  const { clock, doubts, looks } = bench();
  const { promise, resolve } = Promise.withResolvers<void>();
  doubts.add('shop/web', service, promise);
  doubts.stop();
  doubts.add('shop/web', service, promise);
  resolve();
  await clock.pass(60_000);
  expect(looks).toEqual([]);
  expect(clock.scheduled).toBe(0);
});
