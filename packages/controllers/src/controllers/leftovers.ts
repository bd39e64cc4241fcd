import { messageOf } from 'kube-endpoints/internal';
import { resources, type ScheduledCall } from 'kube-endpoints/port';
import type { EndpointsInput } from 'kube-endpoints/types';
import type { Executor } from './executor.ts';
import { isElectionLock } from './object-events.ts';
import type { Setup } from './options.ts';

/**
 * Endpoints whose Service went before this replica became responsible for them. Nobody else will delete them, and a cache may show them
 * late: so what counts is the version that the server was at after the replica became responsible.
 *
 * Mirrors checkLeftoverEndpoints (1.36, pkg/controller/endpoint/endpoints_controller.go), whose caches are filled only by one that leads.
 */
export interface Leftovers {
  /** What is there now counts, too: a replica has become responsible for more. */
  look(): void;
  /** Whether Endpoints, of which it is known that they have no Service, are to be deleted. */
  includes(endpoints: EndpointsInput): boolean;
  /** Whether it is known what was there. */
  readonly idle: boolean;
  stop(): void;
}

export interface LeftoversOptions {
  readonly setup: Pick<Setup, 'clock' | 'namespace' | 'tell'>;
  readonly executor: Pick<Executor, 'ask'>;
  /** Told when more counts than before, so that what the cache holds is looked at again. */
  readonly onMore: () => void;
}

/** Milliseconds until a server is asked again that had no answer. */
const comeBack = 5000;

export function createLeftovers({ setup, executor, onMore }: LeftoversOptions): Leftovers {
  let horizon = '';
  let question: AbortController | undefined;
  let again: ScheduledCall | undefined;
  const report = createReport(setup);
  const ask = async (mine: AbortController): Promise<void> => {
    const { version, error } = await versionNow(executor, setup, mine.signal);
    if (mine !== question) return;
    if (version === undefined) {
      again = setup.clock.schedule(() => void ask(mine), comeBack);
      report(error);
      return;
    }
    question = undefined;
    horizon = version;
    report();
    onMore();
  };
  const drop = (): void => {
    again?.cancel();
    question?.abort();
    question = undefined;
  };
  return {
    look() {
      drop();
      question = new AbortController();
      void ask(question);
    },
    includes: (endpoints) => !isLater(endpoints.metadata?.resourceVersion ?? '', horizon) && !isElectionLock(endpoints),
    get idle() {
      return question === undefined;
    },
    stop: drop,
  };
}

/** Tells when the question begins to fail, with each error once, and when it has ceased to. It is told as a cache of its own, always empty. */
function createReport({ tell }: Pick<Setup, 'tell'>): (error?: unknown) => void {
  let told = '';
  return (error) => {
    const now = error === undefined ? '' : messageOf(error);
    if (now === told) return;
    told = now;
    const failed = error === undefined ? { state: 'watching' as const } : { state: 'waiting' as const, error, delay: comeBack };
    tell?.({ kind: 'informer', resource: 'leftover endpoints', objects: 0, ...failed });
  };
}

/** Without a version where there was no answer. */
async function versionNow(
  { ask }: Pick<Executor, 'ask'>,
  { namespace }: Pick<Setup, 'namespace'>,
  signal: AbortSignal,
): Promise<{ readonly version?: string; readonly error?: unknown }> {
  const within = namespace === undefined ? {} : { namespace };
  try {
    const { metadata } = await ask(signal, (port, options) => port.list(resources.endpoints, { ...options, ...within, limit: 1 }));
    if (metadata.resourceVersion) return { version: metadata.resourceVersion };
    return { error: new Error('the list of endpoints has no resourceVersion') };
  } catch (error) {
    return { error };
  }
}

/** Whether a resourceVersion is later than another of the same server: they are decimal numbers, of any length. Empty is none yet. */
export const isLater = (version: string, than: string): boolean =>
  version.length === than.length ? version > than : version.length > than.length;
