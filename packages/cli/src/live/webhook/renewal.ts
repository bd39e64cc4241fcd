import { pause, type ResyncScheduler } from '@kube-endpoints/controllers/internal';
import type { Overrides } from '@kube-endpoints/overrides';
import { type ClientPort, hasReason, type Resource, type SteadyClock } from 'kube-endpoints/port';
import type { LiveContext } from './context.ts';

/**
 * Triggers new reviews of stored objects that rules would now change: because the rules changed, a window began, or the webhook was
 * unavailable at their last write.
 */
export interface Renewal {
  /** Schedules a check shortly, so that controllers asked to write have time to do so first. */
  scheduleSoon(): void;
  /** Checks once, now. */
  check(): Promise<void>;
  /** Checks periodically until the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
}

export interface RenewalOptions {
  readonly port: Pick<ClientPort, 'patch'>;
  readonly clock: SteadyClock;
  readonly context: Pick<LiveContext, 'evaluate' | 'ready'>;
  readonly resyncScheduler: Pick<ResyncScheduler, 'at'>;
  /** The rules in force. */
  readonly overrides: () => Overrides;
  readonly onEvent: (outcome: RenewalOutcome, key: string, error?: unknown) => void;
  /** Milliseconds between checks; default: one minute. */
  readonly period?: number;
  /** Milliseconds until a check requested by `soon`; default: 3 seconds. */
  readonly settling?: number;
}

export type RenewalOutcome = 'renewed' | 'overtaken' | 'failed';

export function createRenewal({ period = 60_000, settling = 3_000, ...options }: RenewalOptions): Renewal {
  const { clock, context, resyncScheduler, overrides } = options;
  let wake = new AbortController();
  let wanted = false;
  const check = async (): Promise<void> => {
    if (!context.ready) return;
    const changed: Stored[] = [];
    for (const { service, result, ...stored } of context.evaluate(overrides())) {
      if (result.due !== undefined && service !== undefined) resyncScheduler.at(service, result.due);
      if (result.changed) changed.push(stored);
    }
    for (const stored of changed) await renew(stored, options);
  };
  return {
    check,
    scheduleSoon() {
      wanted = true;
      wake.abort();
    },
    async run(signal) {
      signal.addEventListener('abort', () => wake.abort(), { once: true });
      while (!signal.aborted) {
        await pause(clock, period, wake.signal);
        if (signal.aborted) return;
        wake = new AbortController();
        if (wanted) await pause(clock, settling, signal);
        wanted = false;
        if (!signal.aborted) await check();
      }
    },
  };
}

interface Stored {
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string | undefined;
}

/** An empty patch is reviewed like any write, and is stored if the rules change the object. */
async function renew({ resource, namespace, name, resourceVersion }: Stored, { port, onEvent }: RenewalOptions): Promise<void> {
  const key = `${resource.plural} ${namespace}/${name}`;
  const patch = { metadata: { ...(resourceVersion && { resourceVersion }) } };
  try {
    await port.patch(resource, { namespace, name }, patch, { type: 'merge' });
    onEvent('renewed', key);
  } catch (error) {
    const isOvertaken = hasReason(error, 'Conflict', 'NotFound');
    onEvent(isOvertaken ? 'overtaken' : 'failed', key, isOvertaken ? undefined : error);
  }
}
