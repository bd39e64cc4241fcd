import type { Scheduler } from '../../harness/scheduler.ts';
import { type CloudWeather, fairCloud } from '../setting.ts';
import type { Fate } from './link.ts';

/** The disturbances of a process on its way to the cloud. */
export interface CloudFortunes {
  readonly weather: CloudWeather;
  /** The time until which no message gets through. */
  readonly blockedUntil: number;
  block(milliseconds: number): void;
  /** Makes it die at one of its next calls. */
  dieAtCall(after: number, how: Fate): void;
  /** Called before each call. Returns whether the process dies of it. */
  diesOfCall(kill: () => void): Fate | undefined;
  /** Ends the faults of the connection. */
  calm(): void;
}

export function createCloudFortunes(scheduler: Scheduler, weather: CloudWeather): CloudFortunes {
  const never = Number.POSITIVE_INFINITY;
  let [now, blockedUntil, callsToLive] = [weather, 0, never];
  let death: Fate = 'dies';
  return {
    get weather() {
      return now;
    },
    get blockedUntil() {
      return blockedUntil;
    },
    block(milliseconds) {
      blockedUntil = Math.max(blockedUntil, scheduler.time + milliseconds);
    },
    dieAtCall(after, how) {
      callsToLive = after;
      death = how;
    },
    diesOfCall(kill) {
      callsToLive -= 1;
      if (callsToLive > 0) return undefined;
      callsToLive = never;
      if (death !== 'dies of the answer') kill();
      return death;
    },
    calm() {
      [now, blockedUntil, callsToLive] = [fairCloud, 0, never];
    },
  };
}
