/** client-go's workqueue with an injected clock. */

export {
  type Bucket,
  combineLimiters,
  createBucket,
  createBucketLimiter,
  createExponentialLimiter,
  defaultLimiter,
  type Limiter,
} from './limiter.ts';
export { createQueue, type Queue, type QueueEvent, type QueueOptions, runWorkers } from './queue.ts';
