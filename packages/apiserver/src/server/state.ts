import type { Catalog } from '../registry/catalog.ts';
import type { TokenUser } from '../registry/index.ts';
import { createRequestMetrics, type RequestMetrics } from './metrics/requests.ts';

/** State that the listening server shares with the operational routes. */
export interface ServerState {
  /** Whether the server is shutting down: alive but not ready. */
  closing: boolean;
  /** Number of requests being answered, without watches. */
  readonly inFlight: { mutating: number; readOnly: number };
  readonly requests: RequestMetrics;
  /** Returns the user of a token; undefined if it is invalid or for none of the audiences. Set when the server listens. */
  findUser?: (token: string, audiences: readonly string[]) => TokenUser | undefined;
}

/** @param catalog limits the labels in metrics to resources that are served */
export function createServerState({ catalog }: { readonly catalog?: Catalog } = {}): ServerState {
  const isServed = catalog && ((group: string, version: string, plural: string) => catalog.find(group, version, plural) !== undefined);
  return { closing: false, inFlight: { mutating: 0, readOnly: 0 }, requests: createRequestMetrics({ ...(isServed && { isServed }) }) };
}
