import { expect, test } from 'vitest';
import { type CachedAnswer, createAnswerCache } from '../src/answer-cache.ts';

const createPacket = (id: number, ...rest: number[]): Uint8Array => Uint8Array.of(id >> 8, id & 255, ...rest);
const createAnswer = (id: number, ...rest: number[]): CachedAnswer => ({
  message: createPacket(id, ...rest),
  type: 'A',
  rcode: 'NOERROR',
  truncated: false,
});

test('the same packet with another id gets the same answer with that id', () => {
  const cache = createAnswerCache(() => 1);
  expect(cache.find(createPacket(1, 7))).toBeUndefined();
  cache.put(createPacket(1, 7), createAnswer(1, 9, 9));
  const cached = cache.find(createPacket(0x0203, 7));
  expect([...(cached?.message ?? [])]).toEqual([2, 3, 9, 9]);
  expect(cache.find(createPacket(1, 8))).toBeUndefined();
});

test('find returns a copy, so that callers cannot change the cached answer', () => {
  const cache = createAnswerCache(() => 1);
  cache.put(createPacket(1, 7), createAnswer(1, 9));
  cache.find(createPacket(1, 7))?.message.fill(0);
  expect([...(cache.find(createPacket(1, 7))?.message ?? [])]).toEqual([0, 1, 9]);
});

test('a new revision clears the cache, including answers stored under the previous revision', () => {
  let revision = 1;
  const cache = createAnswerCache(() => revision);
  cache.put(createPacket(1, 7), createAnswer(1, 9));
  revision = 2;
  expect(cache.find(createPacket(1, 7))).toBeUndefined();
  cache.put(createPacket(1, 7), createAnswer(1, 8));
  expect([...(cache.find(createPacket(1, 7))?.message ?? [])]).toEqual([0, 1, 8]);
});

test('a full cache evicts answers that were not requested recently', () => {
  const cache = createAnswerCache(() => 1);
  const packetNumber = (n: number): Uint8Array => createPacket(1, n >> 16, (n >> 8) & 255, n & 255);
  for (let n = 0; n < 40_000; n++) {
    cache.put(packetNumber(n), createAnswer(1, n & 255));
    cache.find(packetNumber(5));
  }
  const cachedNumbers = Array.from({ length: 40_000 }, (_, n) => n).filter((n) => cache.find(packetNumber(n)) !== undefined);
  expect(cachedNumbers.length).toBeLessThanOrEqual(2 * 16_384);
  expect(cachedNumbers).toContain(5);
  expect(cachedNumbers).toContain(39_999);
  expect(cachedNumbers).not.toContain(6);
});

test('long packets and long answers are not cached', () => {
  const cache = createAnswerCache(() => 1);
  cache.put(createPacket(1, ...new Array<number>(600).fill(0)), createAnswer(1, 9));
  cache.put(createPacket(1, 7), createAnswer(1, ...new Array<number>(5000).fill(0)));
  expect(cache.find(createPacket(1, ...new Array<number>(600).fill(0)))).toBeUndefined();
  expect(cache.find(createPacket(1, 7))).toBeUndefined();
});
