import type { Scheduler } from '../../harness/scheduler.ts';
import { type CloudFaultRates, noCloudFaults } from '../settings.ts';
import type { CrashPoint } from './link.ts';

/** The current disturbances of the connection between a process and the cloud. */
export interface CloudConnectionState {
  readonly faultRates: CloudFaultRates;
  /** The time until which no message gets through. */
  readonly blockedUntil: number;
  block(milliseconds: number): void;
  /** Makes the process crash at its nth call from now on. */
  scheduleCrashOnCall(calls: number, point: CrashPoint): void;
  /**
   * Call before each cloud call. Returns the crash point if the process crashes at this call. Unless the point is "on the answer", `kill`
   * has then been called.
   */
  crashOnCall(kill: () => void): CrashPoint | undefined;
  /** Ends the faults of the connection. */
  endFaults(): void;
}

export function createCloudConnectionState(scheduler: Scheduler, faultRates: CloudFaultRates): CloudConnectionState {
  const never = Number.POSITIVE_INFINITY;
  let [currentRates, blockedUntil, callsUntilCrash] = [faultRates, 0, never];
  let crashPoint: CrashPoint = 'before sending';
  return {
    get faultRates() {
      return currentRates;
    },
    get blockedUntil() {
      return blockedUntil;
    },
    block(milliseconds) {
      blockedUntil = Math.max(blockedUntil, scheduler.time + milliseconds);
    },
    scheduleCrashOnCall(calls, point) {
      callsUntilCrash = calls;
      crashPoint = point;
    },
    crashOnCall(kill) {
      callsUntilCrash -= 1;
      if (callsUntilCrash > 0) return undefined;
      callsUntilCrash = never;
      if (crashPoint !== 'on the answer') kill();
      return crashPoint;
    },
    endFaults() {
      [currentRates, blockedUntil, callsUntilCrash] = [noCloudFaults, 0, never];
    },
  };
}
