import { describe, expect, test } from 'vitest';
import { createWorkQueue } from '../../src/internal.ts';

const start = Date.UTC(2000, 0, 1);

describe('a work queue', () => {
  test('adds a key once, and again after its processing if it was added meanwhile', () => {
    const queue = createWorkQueue(() => start);
    queue.add('a');
    queue.add('b');
    queue.add('a');
    expect([queue.take(), queue.take(), queue.take()]).toStrictEqual(['a', 'b', undefined]);
    queue.add('a');
    expect(queue.take()).toBe(undefined);
    queue.done('a');
    expect(queue.take()).toBe('a');
  });

  test('keeps the earliest time of a delayed key', () => {
    let now = start;
    const queue = createWorkQueue(() => now);
    queue.addAfter('a', 100);
    queue.addAfter('a', 20);
    queue.addAfter('a', 50);
    expect(queue.nextTime()).toBe(start + 20);
    now += 19;
    queue.addReady();
    expect(queue.take()).toBe(undefined);
    now += 1;
    queue.addReady();
    expect([queue.take(), queue.nextTime()]).toStrictEqual(['a', undefined]);
  });

  test('doubles the back-off of a key up to 1,000 seconds until it is forgotten', () => {
    let now = start;
    const queue = createWorkQueue(() => now);
    const delays = Array.from({ length: 20 }, () => {
      queue.addRateLimited('a');
      const delay = (queue.nextTime() as number) - now;
      now += delay;
      queue.addReady();
      queue.done(queue.take() as string);
      return delay;
    });
    expect(delays.slice(0, 4)).toStrictEqual([5, 10, 20, 40]);
    expect(delays.slice(-2)).toStrictEqual([1_000_000, 1_000_000]);
    queue.forget('a');
    queue.addRateLimited('a');
    expect(queue.nextTime()).toBe(now + 5);
  });

  test('limits all keys together to 100 requeues and then to 10 per second', () => {
    const times: number[] = [];
    let now = start;
    const queue = createWorkQueue(() => now);
    for (let i = 0; i < 102; i++) queue.addRateLimited(`key-${i}`);
    for (let next = queue.nextTime(); next !== undefined; next = queue.nextTime()) {
      now = next;
      queue.addReady();
      while (queue.take() !== undefined) times.push(now - start);
    }
    expect(times.slice(0, 100).every((time) => time === 5)).toBe(true);
    expect(times.slice(100).map(Math.round)).toStrictEqual([100, 200]);
  });
});
