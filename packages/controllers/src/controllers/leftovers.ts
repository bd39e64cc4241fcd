import { messageOf } from 'kube-endpoints/internal';
import { resources, type ScheduledCall } from 'kube-endpoints/port';
import type { EndpointsInput } from 'kube-endpoints/types';
import type { Executor } from './executor.ts';
import { isElectionLock } from './object-events.ts';
import type { Setup } from './options.ts';

/**
 * Endpoints whose Service was deleted before this replica became responsible for them. No other replica deletes them, and the cache may
 * show them late: so the criterion is the server's resourceVersion at a time after the replica became responsible.
 *
 * Mirrors checkLeftoverEndpoints (1.36, pkg/controller/endpoint/endpoints_controller.go), whose caches are filled only by the leader.
 */
export interface Leftovers {
  /** Call when this replica has become responsible for more: reads the server's current resourceVersion. */
  refresh(): void;
  /** Whether Endpoints that are known to have no Service must be deleted. */
  includes(endpoints: EndpointsInput): boolean;
  /** False while the resourceVersion is being read. */
  readonly idle: boolean;
  stop(): void;
}

export interface LeftoversOptions {
  readonly setup: Pick<Setup, 'clock' | 'namespace' | 'onEvent'>;
  readonly executor: Pick<Executor, 'read'>;
  /** Called when `includes` holds for more Endpoints than before: check those in the cache again. */
  readonly onMore: () => void;
}

/** Milliseconds until the resourceVersion is read again after a failure. */
const retryAfterMs = 5000;

export function createLeftovers({ setup, executor, onMore }: LeftoversOptions): Leftovers {
  let currentVersion = '';
  let request: AbortController | undefined;
  let retry: ScheduledCall | undefined;
  const report = createReport(setup);
  const ask = async (own: AbortController): Promise<void> => {
    const { version, error } = await readCurrentVersion(executor, setup, own.signal);
    if (own !== request) return;
    if (version === undefined) {
      retry = setup.clock.schedule(() => void ask(own), retryAfterMs);
      report(error);
      return;
    }
    request = undefined;
    currentVersion = version;
    report();
    onMore();
  };
  const drop = (): void => {
    retry?.cancel();
    request?.abort();
    request = undefined;
  };
  return {
    refresh() {
      drop();
      request = new AbortController();
      void ask(request);
    },
    includes: (endpoints) => !isLater(endpoints.metadata?.resourceVersion ?? '', currentVersion) && !isElectionLock(endpoints),
    get idle() {
      return request === undefined;
    },
    stop: drop,
  };
}

/** Reports when the read begins to fail, once for each error, and when it works again, in the form of a cache that is always empty. */
function createReport({ onEvent }: Pick<Setup, 'onEvent'>): (error?: unknown) => void {
  let lastReported = '';
  return (error) => {
    const now = error === undefined ? '' : messageOf(error);
    if (now === lastReported) return;
    lastReported = now;
    const failed = error === undefined ? { state: 'watching' as const } : { state: 'waiting' as const, error, delay: retryAfterMs };
    onEvent?.({ kind: 'informer', resource: 'leftover endpoints', objects: 0, ...failed });
  };
}

/** Reads the server's current resourceVersion. Resolves with an error instead if that fails. */
async function readCurrentVersion(
  { read }: Pick<Executor, 'read'>,
  { namespace }: Pick<Setup, 'namespace'>,
  signal: AbortSignal,
): Promise<{ readonly version?: string; readonly error?: unknown }> {
  const within = namespace === undefined ? {} : { namespace };
  try {
    const { metadata } = await read(signal, (port, options) => port.list(resources.endpoints, { ...options, ...within, limit: 1 }));
    if (metadata.resourceVersion) return { version: metadata.resourceVersion };
    return { error: new Error('the list of endpoints has no resourceVersion') };
  } catch (error) {
    return { error };
  }
}

/** Compares resourceVersions of one server: decimal numbers of any length. An empty one is earlier than all. */
export const isLater = (version: string, than: string): boolean =>
  version.length === than.length ? version > than : version.length > than.length;
