/** Which key is worked on when: client-go's workqueue, on an injected clock. */
export { type Bucket, type BucketOptions, createBucket } from './bucket.ts';
export { createFifo, type Fifo } from './fifo.ts';
export type { QueueHappening } from './happening.ts';
export {
  type BucketLimiterOptions,
  bucketLimiter,
  defaultLimiter,
  type ExponentialOptions,
  exponentialLimiter,
  type Limiter,
  maxOf,
} from './limiter.ts';
export { createQueue, type Queue, type QueueOptions } from './queue.ts';
export { runWorkers, type WorkersOptions } from './workers.ts';
