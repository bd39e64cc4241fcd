import { messageOf } from 'kube-endpoints/internal/apimachinery';
import { resources, type ScheduledCall } from 'kube-endpoints/port';
import type { EndpointsInput } from 'kube-endpoints/types';
import type { Executor } from './executor.ts';
import { isElectionLock } from './object-events.ts';
import type { Setup } from './options.ts';

/**
 * Endpoints whose Service was deleted before this replica became responsible for them. No other replica deletes them, and the cache may show
 * them late. So Endpoints are leftover if they are not newer than the resourceVersion that the server had after this replica became
 * responsible.
 *
 * Mirrors checkLeftoverEndpoints (Kubernetes 1.36, pkg/controller/endpoint/endpoints_controller.go), whose caches are filled only by the
 * leader.
 */
export interface Leftovers {
  /** Call when this replica has become responsible for more Services: reads the server's current resourceVersion. */
  refresh(): void;
  /** Whether Endpoints without a Service are leftover and must be deleted. */
  includes(endpoints: EndpointsInput): boolean;
  /** False until the resourceVersion is read, including retries after failures. */
  readonly idle: boolean;
  stop(): void;
}

export interface LeftoversOptions {
  readonly setup: Pick<Setup, 'clock' | 'namespace' | 'onEvent'>;
  readonly executor: Pick<Executor, 'read'>;
  /** Called when `includes` may return true for more Endpoints than before: check the cached Endpoints again. */
  readonly onMoreLeftovers: () => void;
}

/** Milliseconds until the resourceVersion is read again after a failure. */
const retryAfterMs = 5000;

export function createLeftovers({ setup, executor, onMoreLeftovers }: LeftoversOptions): Leftovers {
  let currentVersion = '';
  let activeRequest: AbortController | undefined;
  let scheduledRetry: ScheduledCall | undefined;
  const report = createReporter(setup);
  const requestVersion = async (controller: AbortController): Promise<void> => {
    const { version, error } = await readCurrentVersion(executor, setup, controller.signal);
    if (controller !== activeRequest) return;
    if (version === undefined) {
      scheduledRetry = setup.clock.schedule(() => void requestVersion(controller), retryAfterMs);
      report(error);
      return;
    }
    activeRequest = undefined;
    currentVersion = version;
    report();
    onMoreLeftovers();
  };
  const cancelRequest = (): void => {
    scheduledRetry?.cancel();
    activeRequest?.abort();
    activeRequest = undefined;
  };
  return {
    refresh() {
      cancelRequest();
      activeRequest = new AbortController();
      void requestVersion(activeRequest);
    },
    includes: (endpoints) => !isLater(endpoints.metadata?.resourceVersion ?? '', currentVersion) && !isElectionLock(endpoints),
    get idle() {
      return activeRequest === undefined;
    },
    stop: cancelRequest,
  };
}

/** Reports each new error of the read once, and its recovery, as events of an informer without objects. */
function createReporter({ onEvent }: Pick<Setup, 'onEvent'>): (error?: unknown) => void {
  let lastReported = '';
  return (error) => {
    const message = error === undefined ? '' : messageOf(error);
    if (message === lastReported) return;
    lastReported = message;
    const stateFields = error === undefined ? { state: 'watching' as const } : { state: 'waiting' as const, error, delay: retryAfterMs };
    onEvent?.({ kind: 'informer', resource: 'leftover endpoints', objects: 0, ...stateFields });
  };
}

/** Reads the server's current resourceVersion. Resolves with an error instead if that fails. */
async function readCurrentVersion(
  { read }: Pick<Executor, 'read'>,
  { namespace }: Pick<Setup, 'namespace'>,
  signal: AbortSignal,
): Promise<{ readonly version?: string; readonly error?: unknown }> {
  const selection = namespace === undefined ? {} : { namespace };
  try {
    const { metadata } = await read(signal, (port, options) => port.list(resources.endpoints, { ...options, ...selection, limit: 1 }));
    if (metadata.resourceVersion) return { version: metadata.resourceVersion };
    return { error: new Error('the list of endpoints has no resourceVersion') };
  } catch (error) {
    return { error };
  }
}

/**
 * Returns whether a resourceVersion is later than another one of the same server. resourceVersions are decimal numbers of any length; an
 * empty one is earlier than all others.
 */
export const isLater = (version: string, other: string): boolean =>
  version.length === other.length ? version > other : version.length > other.length;
