import type { ChooseDelay, DelayName } from '../../engine/delays.ts';
import { isComponent } from '../drop.ts';

/** A disturbance of delays while it is in force. */
export interface DelayFault {
  readonly delay: DelayName;
  /** The components that wait; all by default. */
  readonly component?: string | undefined;
  /** Multiplies the delay. */
  readonly factor?: number;
  /** Delays that begin now start at this time, in milliseconds since the epoch; Infinity if never. */
  readonly until?: number;
}

export interface DelayFaults {
  readonly choose: ChooseDelay;
  add(fault: DelayFault): void;
  remove(fault: DelayFault): void;
  /** When the last of the delays that have begun ends, in milliseconds since the epoch. Those that begin again and again do not count. */
  pendingUntil(): number;
}

const periodicDelays: readonly DelayName[] = ['podResync', 'leaseRenewal', 'probe'];

/** Disturbs a choice of delays. @param now milliseconds since the epoch */
export function createDelayFaults(choose: ChooseDelay, now: () => number): DelayFaults {
  const faults = new Set<DelayFault>();
  let pendingUntil = 0;
  return {
    pendingUntil: () => pendingUntil,
    add: (fault) => void faults.add(fault),
    remove: (fault) => void faults.delete(fault),
    choose(request, range) {
      const inForce = [...faults].filter(
        ({ delay, component }) => delay === request.name && isComponent(request.actor, component === undefined ? undefined : [component]),
      );
      const delay = inForce.reduce((product, { factor = 1 }) => product * factor, choose(request, range));
      const start = Math.max(now(), ...inForce.map(({ until = 0 }) => until));
      const end = start + delay;
      if (Number.isFinite(end) && !periodicDelays.includes(request.name)) pendingUntil = Math.max(pendingUntil, end);
      return end - now();
    },
  };
}
