import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createTokenBucket, type Reservation } from '../../src/rate-limit/token-bucket.ts';
import { type BucketCase, type BucketResult, createBucketCases } from './golden/cases.ts';

/** Replays a case on the bucket, in the form of the golden results. */
function replay({ id, qps, burst, steps }: BucketCase): BucketResult {
  const bucket = createTokenBucket({ qps, burst });
  const reservations = new Map<number, Reservation>();
  return {
    id,
    steps: steps.map(({ at, cancel }, index) => {
      if (cancel !== undefined) {
        bucket.cancel(reservations.get(cancel) as Reservation, at);
        return { tokens: bucket.tokensAt(at) };
      }
      const reservation = bucket.reserve(at);
      reservations.set(index, reservation);
      return { delay: Math.max(0, reservation.timeToAct - at), tokens: bucket.tokensAt(at) };
    }),
  };
}

const goldenText = gunzipSync(readFileSync(join(import.meta.dirname, 'golden/token-bucket.jsonl.gz'))).toString();
const golden = goldenText
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as BucketResult);

test('the bucket reserves and cancels to the nanosecond as the rate limiter of client-go', () => {
  expect(golden.flatMap(({ steps }) => steps).length).toBeGreaterThan(7000);
  expect(createBucketCases().map(replay)).toStrictEqual(golden);
});

test('with the defaults of kube-controller-manager, 100 requests at once take 3.5 s', () => {
  const delays = golden[0]?.steps.map(({ delay }) => delay);
  expect(delays?.slice(28, 33)).toEqual([0, 0, 50_000_000, 100_000_000, 150_000_000]);
  expect(delays?.at(-1)).toBe(3_500_000_000);
});
