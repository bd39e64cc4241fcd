import { createRateLimiter, type Observer, type RateLimiter, rateLimitPort } from '@kube-endpoints/controllers';
import type { ClientPort } from 'kube-endpoints/port';
import type { RateLimitFlags } from '../flags/rate-limit.ts';

/**
 * Returns a limiter if a flag asks for it. The other flag then has the default of kube-controller-manager, where Leases have their own limiter.
 */
export function createLimiter({ kubeApiQps: qps, kubeApiBurst: burst }: RateLimitFlags): RateLimiter | undefined {
  if (qps === undefined && burst === undefined) return undefined;
  return createRateLimiter({ ...(qps !== undefined && { qps }), ...(burst !== undefined && { burst }) });
}

export const limitPort = (port: ClientPort, limiter: RateLimiter | undefined, onEvent: Observer): ClientPort =>
  limiter ? rateLimitPort(port, { limiter, onEvent }) : port;
