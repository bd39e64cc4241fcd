import { messageOf } from 'kube-endpoints/internal';
import type { Clock } from 'kube-endpoints/port';
import { aborted, callWithin } from '../base/time.ts';

/** Which Services this replica is responsible for at the moment: all where it leads, some where they are shared out. */
export interface Ownership {
  /** Whether the Service of this key is to be synced and written by this replica. Asked again right before each write. */
  owns(key: string): boolean;
  /** Calls back whenever the answer may have become another one, so that what is newly owned is synced. Returns how to stop. */
  onChange(listener: () => void): () => void;
}

/** A replica that is alone. */
export const ownsAll: Ownership = { owns: () => true, onChange: () => () => {} };

/** A replica that has no others to get on with. */
export interface Alone {
  /** Owns everything, and nothing any more once the run has ended. */
  readonly ownership: Ownership;
  /** Resolves when the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
}

/** What leader election and sharding are to a host, where neither is wanted: nothing is read or written for it. */
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
 * When something was last seen to change, by the time of this process: nobody's time of day is compared with anybody else's. Mirrors
 * `observedRecord` and `observedTime` of tools/leaderelection.
 */
export interface Observation {
  readonly text: string;
  /** By `clock.elapsed()`. */
  readonly at: number;
}

/** What is seen at a moment: the moment of the observation before, if nothing has changed since. */
export const observe = (before: Observation | undefined, text: string, now: number): Observation =>
  before?.text === text ? before : { text, at: now };

/** Whether it had not changed for that long at some moment. The moment must not be later than the look that saw it last began. */
export const isStale = ({ at }: Observation, milliseconds: number, moment: number): boolean => moment - at >= milliseconds;

/** Those who want to know that an ownership may have changed. */
export interface ChangeListeners {
  /** Returns how to stop. */
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

/** What is still to be done when nothing is owned any more, and how long that may take. */
export interface Drain {
  readonly beforeRelease: (() => Promise<void>) | undefined;
  readonly drainTimeout: number;
}

/** Waits for the work to end. Answers with what kept it from ending; undefined when all has been done. */
export async function drain(clock: Clock, { beforeRelease, drainTimeout }: Drain): Promise<unknown> {
  if (!beforeRelease) return undefined;
  try {
    await callWithin({ clock, milliseconds: drainTimeout }, beforeRelease);
    return undefined;
  } catch (error) {
    return new Error(`the work did not end before its lease was to be released: ${messageOf(error)}`, { cause: error });
  }
}
