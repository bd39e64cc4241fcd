/** client-go's workqueue with an injected clock. */

export { type Bucket, bucketLimiter, createBucket, defaultLimiter, exponentialLimiter, type Limiter, maxOf } from './limiter.ts';
export { createQueue, type Queue, type QueueEvent, type QueueOptions, runWorkers } from './queue.ts';
