import type { HealthOptions, HealthServer } from '@kube-endpoints/controllers/internal';
import { UsageError } from '../base/io.ts';
import type { MetricsFlags } from '../flags/operations.ts';

/**
 * Serves metrics and health at `--metrics-port`; returns undefined if the port is 0. Without a host, the server listens at all addresses.
 * @throws UsageError naming the flag, if the server cannot listen there
 */
export async function serveHealthAt(
  { metricsHost: host, metricsPort: port }: Partial<Pick<MetricsFlags, 'metricsHost'>> & Pick<MetricsFlags, 'metricsPort'>,
  health: Pick<HealthOptions, 'ready' | 'metrics'>,
): Promise<HealthServer | undefined> {
  if (port === 0) return undefined;
  // Imported on demand, because only some of the commands that listen serve metrics.
  const { serveHealth } = await import('@kube-endpoints/controllers/operations');
  try {
    return await serveHealth({ port, ...(host !== undefined && { host }), ...health });
  } catch (error) {
    const flags = { host: '--metrics-host', port: '--metrics-port', orZero: ', or 0 for none' };
    throw createListenError(error, { host: host ?? 'all addresses', port }, flags);
  }
}

/** Creates a UsageError that says why listening failed and which flag to change. Returns errors without a code unchanged. */
export function createListenError(
  error: unknown,
  { host, port }: { readonly host: string; readonly port: number },
  flags: { readonly host: string; readonly port: string; readonly orZero: string },
): unknown {
  const { code } = error as { code?: string };
  if (code === undefined) return error;
  const refusals: Readonly<Record<string, string>> = {
    EADDRINUSE: `it is in use: give another ${flags.port}${flags.orZero}`,
    EADDRNOTAVAIL: `this machine has no such address: give another ${flags.host}`,
    EACCES: `not permitted: give a ${flags.port} from 1024 on`,
    ENOTFOUND: `there is no such host: give an address to ${flags.host}`,
  };
  return new UsageError(`cannot listen at ${host}, port ${port}: ${refusals[code] ?? code}`);
}
