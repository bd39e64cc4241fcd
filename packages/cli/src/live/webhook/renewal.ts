import { type Kicker, pause } from '@kube-endpoints/controllers/internal';
import type { Overrides } from '@kube-endpoints/overrides';
import { type ClientPort, hasReason, type Resource, type SteadyClock } from 'kube-endpoints/port';
import type { LiveContext } from './context.ts';

/**
 * Has objects reviewed again that rules have something new to say of, though nobody writes them: because the rules are new, a window has
 * begun, or the webhook was away when they were written.
 */
export interface Renewal {
  /** Looks in a moment, not only from time to time: whoever was asked to write objects meanwhile has the time to do it. */
  soon(): void;
  /** Looks once, now. */
  look(): Promise<void>;
  /** Runs until the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
}

export interface RenewalOptions {
  readonly port: Pick<ClientPort, 'patch'>;
  readonly clock: SteadyClock;
  readonly context: Pick<LiveContext, 'evaluate' | 'ready'>;
  readonly kicker: Pick<Kicker, 'at'>;
  /** Those in force. */
  readonly overrides: () => Overrides;
  readonly tell: (outcome: RenewalOutcome, key: string, error?: unknown) => void;
  /** Milliseconds between two looks; a minute by default. */
  readonly period?: number;
  /** Milliseconds until a look that is to be soon; 3 seconds by default. */
  readonly settling?: number;
}

export type RenewalOutcome = 'renewed' | 'overtaken' | 'failed';

export function createRenewal({ period = 60_000, settling = 3_000, ...options }: RenewalOptions): Renewal {
  const { clock, context, kicker, overrides } = options;
  let wake = new AbortController();
  let wanted = false;
  const look = async (): Promise<void> => {
    if (!context.ready) return;
    const changed: Stored[] = [];
    for (const { service, result, ...stored } of context.evaluate(overrides())) {
      if (result.due !== undefined && service !== undefined) kicker.at(service, result.due);
      if (result.changed) changed.push(stored);
    }
    for (const stored of changed) await renew(stored, options);
  };
  return {
    look,
    soon() {
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
        if (!signal.aborted) await look();
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

/** A patch of nothing is reviewed as every write is, and stored where the rules make something else of the object. */
async function renew({ resource, namespace, name, resourceVersion }: Stored, { port, tell }: RenewalOptions): Promise<void> {
  const key = `${resource.plural} ${namespace}/${name}`;
  const patch = { metadata: { ...(resourceVersion && { resourceVersion }) } };
  try {
    await port.patch(resource, { namespace, name }, patch, { type: 'merge' });
    tell('renewed', key);
  } catch (error) {
    const isOvertaken = hasReason(error, 'Conflict', 'NotFound');
    tell(isOvertaken ? 'overtaken' : 'failed', key, isOvertaken ? undefined : error);
  }
}
