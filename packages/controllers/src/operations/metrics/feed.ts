import { Registry } from 'prom-client';
import type { Metrics, MetricsOptions } from './metrics.ts';
import { createRequestMetrics } from './requests.ts';
import { createInformerMetrics } from './state.ts';

/**
 * Metrics of what follows a cluster and writes nothing, such as `createDnsFeed`: its caches and its requests. They are part of those of
 * `createMetrics`, and nothing of them is about the process.
 */
export function createFeedMetrics({ host = '', objects }: Pick<MetricsOptions, 'host' | 'objects'> = {}): Metrics {
  const registry = new Registry();
  const [caches, requests] = [createInformerMetrics(registry, { objects }), createRequestMetrics(registry, host)];
  return {
    tell(happening) {
      caches(happening);
      requests(happening);
    },
    contentType: registry.contentType,
    scrape: () => registry.metrics(),
  };
}
