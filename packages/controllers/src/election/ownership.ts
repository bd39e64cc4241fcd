import { messageOf } from 'kube-endpoints/internal';
import type { Clock } from 'kube-endpoints/port';
import { aborted, callWithin } from '../base/time.ts';

/** Which Services this replica owns: all if it leads, its part with sharding. */
export interface Ownership {
  /** Whether this replica syncs and writes the Service of this key. Checked again right before each write. */
  owns(key: string): boolean;
  /** Calls the listener when `owns` may have changed, so that newly owned keys are synced. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void;
}

/** Owns all keys at all times. */
export const ownsAll: Ownership = { owns: () => true, onChange: () => () => {} };

/** A single replica. */
export interface Alone {
  /** Owns all keys until the run has ended, and none after that. */
  readonly ownership: Ownership;
  /** Resolves when the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
}

/** Stands in for leader election and sharding if a host uses neither. Makes no API calls. */
export function createAlone(): Alone {
  const listeners = createChangeListeners();
  let over = false;
  return {
    ownership: { owns: () => !over, onChange: listeners.add },
    async run(signal) {
      await aborted(signal);
      over = true;
      listeners.call();
    },
  };
}

/**
 * A text and the time when it was last seen to change, by this process's clock: times of day of different processes are never compared.
 * Mirrors `observedRecord` and `observedTime` of tools/leaderelection.
 */
export interface Observation {
  readonly text: string;
  /** By `clock.elapsed()`. */
  readonly at: number;
}

/** Returns `before` if the text has not changed, otherwise a new observation. */
export const observe = (before: Observation | undefined, text: string, now: number): Observation =>
  before?.text === text ? before : { text, at: now };

/** Whether the text was unchanged for `milliseconds` at `moment`, which must not be later than the start of the last read of it. */
export const isStale = ({ at }: Observation, milliseconds: number, moment: number): boolean => moment - at >= milliseconds;

/** Listeners for possible changes of ownership. */
export interface ChangeListeners {
  /** Returns a function that removes the listener. */
  add(listener: () => void): () => void;
  call(): void;
}

export function createChangeListeners(): ChangeListeners {
  const all = new Map<symbol, () => void>();
  return {
    add(listener) {
      const id = Symbol();
      all.set(id, listener);
      return () => {
        all.delete(id);
      };
    },
    call() {
      for (const listener of [...all.values()]) listener();
    },
  };
}

/** Work to finish after ownership has ended, and its time limit in milliseconds. */
export interface Drain {
  readonly beforeRelease: (() => Promise<void>) | undefined;
  readonly drainTimeout: number;
}

/** Waits for the work to end. Resolves with undefined, or with the error that prevented it. */
export async function drain(clock: Clock, { beforeRelease, drainTimeout }: Drain): Promise<unknown> {
  if (!beforeRelease) return undefined;
  try {
    await callWithin({ clock, milliseconds: drainTimeout }, beforeRelease);
    return undefined;
  } catch (error) {
    return new Error(`the work did not stop before the Lease had to be released: ${messageOf(error)}`, { cause: error });
  }
}
