import type { HealthOptions, HealthServer } from '@kube-endpoints/controllers/internal';
import { serveHealth } from '@kube-endpoints/controllers/operations';
import type { MetricsFlags } from '../program-metrics.ts';
import { cannotListen } from './apiserver.ts';

/**
 * Serves metrics and health where `--metrics-port` says; nothing, and undefined, where that is 0. Without a host it is at all addresses.
 * @throws UsageError that names the flag, where it cannot listen there
 */
export async function serveHealthAt(
  { metricsHost: host, metricsPort: port }: Partial<Pick<MetricsFlags, 'metricsHost'>> & Pick<MetricsFlags, 'metricsPort'>,
  health: Pick<HealthOptions, 'ready' | 'metrics'>,
): Promise<HealthServer | undefined> {
  if (port === 0) return undefined;
  try {
    return await serveHealth({ port, ...(host !== undefined && { host }), ...health });
  } catch (error) {
    const flags = { host: '--metrics-host', port: '--metrics-port', any: ', or 0 for none' };
    throw cannotListen(error, { host: host ?? 'all addresses', port }, flags);
  }
}
