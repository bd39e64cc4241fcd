import { describe, expect, test } from 'vitest';
import { createQueue, type Queue, runWorkers } from '../../src/queue/index.ts';
import { createClock, settle } from './clock.ts';

const newQueue = (): Queue => createQueue({ clock: createClock(), name: 'endpoints' });

describe('workers', () => {
  test('work on as many keys at a time as there are workers, and never on the same', async () => {
    const queue = newQueue();
    const open = new Map<string, () => void>();
    const begun: string[] = [];
    const ended = runWorkers({
      queue,
      workers: 2,
      work: (key) => {
        expect(open.has(key)).toBe(false);
        begun.push(key);
        return new Promise<void>((resolve) => open.set(key, resolve)).then(() => void open.delete(key));
      },
    });
    for (const key of ['a', 'b', 'c']) queue.add(key);
    await settle();
    expect(begun).toEqual(['a', 'b']);
    queue.add('a');
    open.get('b')?.();
    await settle();
    expect(begun).toEqual(['a', 'b', 'c']);
    open.get('a')?.();
    await settle();
    expect(begun).toEqual(['a', 'b', 'c', 'a']);
    const drained = queue.shutDown();
    for (const end of open.values()) end();
    await Promise.all([ended, drained]);
    expect(queue.processing).toBe(0);
  });

  test('work on all that waits when the queue is shut down, and only then has that ended', async () => {
    const queue = newQueue();
    const worked: string[] = [];
    for (let i = 0; i < 50; i++) queue.add(`key-${i}`);
    const ended = runWorkers({
      queue,
      workers: 3,
      work: async (key) => {
        await settle();
        worked.push(key);
      },
    });
    await settle();
    await queue.shutDown();
    expect([worked.length, queue.length, queue.processing]).toEqual([50, 0, 0]);
    await ended;
  });

  test('whose work throws give the key back, shut the queue down, drain it, and say what was thrown first', async () => {
    const queue = newQueue();
    const worked: string[] = [];
    for (const key of ['a', 'b', 'c', 'd']) queue.add(key);
    const ended = runWorkers({
      queue,
      workers: 2,
      work(key) {
        worked.push(key);
        if (key === 'b' || key === 'c') throw new Error(`defect in ${key}`);
        return Promise.resolve();
      },
    });
    await expect(ended).rejects.toThrow('defect in b');
    expect(worked).toEqual(['a', 'b', 'c', 'd']);
    expect([queue.length, queue.processing]).toEqual([0, 0]);
  });

  test.each([0, -1, 1.5, Number.NaN])('are at least one: %s is refused', async (workers) => {
    await expect(runWorkers({ queue: newQueue(), workers, work: () => Promise.resolve() })).rejects.toThrow(RangeError);
  });
});
