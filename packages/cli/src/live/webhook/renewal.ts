import { pause, type ResyncScheduler } from '@kube-endpoints/controllers/internal';
import type { Overrides } from '@kube-endpoints/overrides';
import { type ClientPort, hasReason, type Resource, type SteadyClock } from 'kube-endpoints/port';
import type { LiveContext } from './context.ts';

/**
 * Triggers new reviews of stored objects that rules would now change, because the rules changed, a time window began, or the webhook was
 * unavailable at their last write.
 */
export interface Renewal {
  /** Schedules a check after a short delay, so that the controllers can first write the objects of requested syncs. */
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
  /** Time between checks; default: one minute. */
  readonly periodMs?: number;
  /** Time until a check requested by `scheduleSoon`; default: 3 seconds. */
  readonly settlingMs?: number;
}

export type RenewalOutcome = 'renewed' | 'overtaken' | 'failed';

export function createRenewal({ periodMs = 60_000, settlingMs = 3_000, ...options }: RenewalOptions): Renewal {
  const { clock, context, resyncScheduler, overrides } = options;
  let pauseController = new AbortController();
  let isCheckRequested = false;
  const check = async (): Promise<void> => {
    if (!context.ready) return;
    const changedObjects: ObjectVersion[] = [];
    for (const { service, result, ...object } of context.evaluate(overrides())) {
      if (result.due !== undefined && service !== undefined) resyncScheduler.at(service, result.due);
      if (result.changed) changedObjects.push(object);
    }
    for (const object of changedObjects) await renew(object, options);
  };
  return {
    check,
    scheduleSoon() {
      isCheckRequested = true;
      pauseController.abort();
    },
    async run(signal) {
      signal.addEventListener('abort', () => pauseController.abort(), { once: true });
      while (!signal.aborted) {
        await pause(clock, periodMs, pauseController.signal);
        if (signal.aborted) return;
        pauseController = new AbortController();
        if (isCheckRequested) await pause(clock, settlingMs, signal);
        isCheckRequested = false;
        if (!signal.aborted) await check();
      }
    },
  };
}

interface ObjectVersion {
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string | undefined;
}

/** Triggers a review with an empty patch, which is reviewed like any write, and stored if the rules change the object. */
async function renew({ resource, namespace, name, resourceVersion }: ObjectVersion, { port, onEvent }: RenewalOptions): Promise<void> {
  const key = `${resource.plural} ${namespace}/${name}`;
  const patch = { metadata: { ...(resourceVersion && { resourceVersion }) } };
  try {
    await port.patch(resource, { namespace, name }, patch, { type: 'merge' });
    onEvent('renewed', key);
  } catch (error) {
    const isOutdated = hasReason(error, 'Conflict', 'NotFound');
    onEvent(isOutdated ? 'overtaken' : 'failed', key, isOutdated ? undefined : error);
  }
}
