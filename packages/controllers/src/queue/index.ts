/** Which key is worked on when: client-go's workqueue, on an injected clock. */

export {
  type Bucket,
  type BucketLimiterOptions,
  type BucketOptions,
  bucketLimiter,
  createBucket,
  defaultLimiter,
  type ExponentialOptions,
  exponentialLimiter,
  type Limiter,
  maxOf,
} from './limiter.ts';
export { createQueue, type Queue, type QueueEvent, type QueueOptions, runWorkers, type WorkersOptions } from './queue.ts';
