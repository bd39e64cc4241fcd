import { aborted } from '../signals.ts';
import { createChangeListeners } from './listeners.ts';
import type { Ownership } from './ownership.ts';

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
