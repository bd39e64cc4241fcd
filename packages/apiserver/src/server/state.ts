import type { Catalog } from '../registry/catalog.ts';
import { createRequestMetrics, type RequestMetrics } from './metrics/requests.ts';

/** What a server that listens tells those routes that report on it. */
export interface ServerState {
  /** Whether it is on its way out: alive, but not ready for more. */
  closing: boolean;
  /** How many requests are being answered, watches apart. */
  readonly inFlight: { mutating: number; readOnly: number };
  readonly requests: RequestMetrics;
}

/** @param catalog what is served: only that is told apart in metrics */
export function createServerState({ catalog }: { readonly catalog?: Catalog } = {}): ServerState {
  const knows = catalog && ((group: string, version: string, plural: string) => catalog.find(group, version, plural) !== undefined);
  return { closing: false, inFlight: { mutating: 0, readOnly: 0 }, requests: createRequestMetrics({ ...(knows && { knows }) }) };
}
