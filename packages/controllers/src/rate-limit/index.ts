/** Client-go's client-side rate limit. */
export { type RateLimitOptions, rateLimitPort, type ThrottledEvent } from './port.ts';
export { createRateLimiter, type RateLimiter, type RateLimiterOptions } from './rate-limiter.ts';
