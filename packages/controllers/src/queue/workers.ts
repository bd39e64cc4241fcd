import type { Queue } from './queue.ts';

export interface WorkersOptions {
  readonly queue: Queue;
  /** How many keys are worked on at a time. */
  readonly workers: number;
  /** Works on a key, and sees to it itself when that fails: an error that it throws is a defect. */
  readonly work: (key: string) => Promise<void>;
}

/**
 * Works on the keys of a queue, until that is shut down and all work has ended.
 * @throws RangeError where there are no workers
 * @throws what `work` threw first: the queue is then shut down, and what waits is still worked on
 */
export async function runWorkers({ queue, workers, work }: WorkersOptions): Promise<void> {
  if (!Number.isInteger(workers) || workers < 1) throw new RangeError(`workers is ${workers}: give a whole number from 1 on`);
  const defects: unknown[] = [];
  const serve = async (): Promise<void> => {
    for (let key = await queue.take(); key !== undefined; key = await queue.take()) {
      try {
        await work(key);
      } catch (error) {
        defects.push(error);
        void queue.shutDown();
      } finally {
        queue.done(key);
      }
    }
  };
  await Promise.all(Array.from({ length: workers }, serve));
  if (defects.length > 0) throw defects[0];
}
