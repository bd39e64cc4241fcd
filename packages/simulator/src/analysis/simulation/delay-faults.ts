import type { ChooseDelay, DelayName } from '../../engine/delays.ts';
import { isComponent } from '../drop.ts';

/** A disturbance of delays while it is in force. */
export interface DelayFault {
  readonly delay: DelayName;
  /** The components that wait; all by default. */
  readonly component?: string | undefined;
  /** Multiplies the delay. */
  readonly factor?: number;
  /** Delays that begin now end after this time, in milliseconds since the epoch. */
  readonly until?: number;
}

export interface DelayFaults {
  readonly choose: ChooseDelay;
  add(fault: DelayFault): void;
  remove(fault: DelayFault): void;
}

/** Disturbs a choice of delays. @param now milliseconds since the epoch */
export function createDelayFaults(choose: ChooseDelay, now: () => number): DelayFaults {
  const faults = new Set<DelayFault>();
  return {
    add: (fault) => void faults.add(fault),
    remove: (fault) => void faults.delete(fault),
    choose(request, range) {
      let delay = choose(request, range);
      for (const { delay: name, component, factor = 1, until } of faults) {
        if (name !== request.name || !isComponent(request.actor, component === undefined ? undefined : [component])) continue;
        delay = delay * factor + (until === undefined ? 0 : Math.max(0, until - now()));
      }
      return delay;
    },
  };
}
