import { messageOf } from 'kube-endpoints/internal/apimachinery';
import type { Clock } from 'kube-endpoints/port';
import { callWithin, waitForAbort } from '../base/time.ts';

/** Which Services this replica owns: all if it leads; with sharding, those of its shard. */
export interface Ownership {
  /** Whether this replica syncs and writes the Service of this key. Checked again right before each write. */
  owns(key: string): boolean;
  /** Calls the listener when `owns` may have changed, so that newly owned keys are synced. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void;
}

/** Owns all keys at all times. */
export const fullOwnership: Ownership = { owns: () => true, onChange: () => () => {} };

/** A single replica. */
export interface SingleReplica {
  /** Owns every key until the run ends, and no key afterwards. */
  readonly ownership: Ownership;
  /** Resolves when the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
}

/** Replaces leader election and sharding if a host uses neither. Makes no API calls. */
export function createSingleReplica(): SingleReplica {
  const listeners = createChangeListeners();
  let ended = false;
  return {
    ownership: { owns: () => !ended, onChange: listeners.add },
    async run(signal) {
      await waitForAbort(signal);
      ended = true;
      listeners.notify();
    },
  };
}

/**
 * A text and when it was last observed to change. Uses this process's clock, because the clocks of different processes may differ.
 * Mirrors `observedRecord` and `observedTime` of tools/leaderelection.
 */
export interface Observation {
  readonly text: string;
  /** By `clock.elapsed()`. */
  readonly changedAt: number;
}

/** Returns `previous` if the text has not changed, otherwise a new observation. */
export const observe = (previous: Observation | undefined, text: string, now: number): Observation =>
  previous?.text === text ? previous : { text, changedAt: now };

/** Whether the text has been unchanged for `milliseconds` at time `now`, which must not be later than the start of the last read. */
export const isStale = ({ changedAt }: Observation, milliseconds: number, now: number): boolean => now - changedAt >= milliseconds;

/** Listeners for possible changes of ownership. */
export interface ChangeListeners {
  /** Returns a function that removes the listener. */
  add(listener: () => void): () => void;
  notify(): void;
}

export function createChangeListeners(): ChangeListeners {
  const listeners = new Map<symbol, () => void>();
  return {
    add(listener) {
      const id = Symbol();
      listeners.set(id, listener);
      return () => void listeners.delete(id);
    },
    notify() {
      for (const listener of [...listeners.values()]) listener();
    },
  };
}

/** Work to finish after ownership has ended, and its time limit in milliseconds. */
export interface DrainOptions {
  readonly beforeRelease: (() => Promise<void>) | undefined;
  readonly drainTimeout: number;
}

/** Waits for the work to end. Resolves with undefined if it has, or with an error if it failed or timed out. */
export async function drain(clock: Clock, { beforeRelease, drainTimeout }: DrainOptions): Promise<unknown> {
  if (!beforeRelease) return undefined;
  try {
    await callWithin({ clock, milliseconds: drainTimeout }, beforeRelease);
    return undefined;
  } catch (error) {
    return new Error(`the work did not stop before the Lease had to be released: ${messageOf(error)}`, { cause: error });
  }
}
