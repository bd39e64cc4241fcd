import type { HealthOptions, HealthServer } from '@kube-endpoints/controllers/internal';
import { serveHealth } from '@kube-endpoints/controllers/operations';
import { UsageError } from '../base/io.ts';
import type { MetricsFlags } from '../flags/operations.ts';

/**
 * Serves metrics and health at `--metrics-port`; returns undefined if that is 0. Without a host it listens at all addresses.
 * @throws UsageError naming the flag, if it cannot listen there
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
    throw createListenError(error, { host: host ?? 'all addresses', port }, flags);
  }
}

/** A UsageError that says why listening failed and which flag to change; errors without a code are returned unchanged. */
export function createListenError(
  error: unknown,
  { host, port }: { readonly host: string; readonly port: number },
  flags: { readonly host: string; readonly port: string; readonly any: string },
): unknown {
  const { code } = error as { code?: string };
  if (code === undefined) return error;
  const refusals: Readonly<Record<string, string>> = {
    EADDRINUSE: `it is in use: give another ${flags.port}${flags.any}`,
    EADDRNOTAVAIL: `this machine has no such address: give another ${flags.host}`,
    EACCES: `not permitted: give a ${flags.port} from 1024 on`,
    ENOTFOUND: `there is no such host: give an address to ${flags.host}`,
  };
  return new UsageError(`cannot listen at ${host}, port ${port}: ${refusals[code] ?? code}`);
}
