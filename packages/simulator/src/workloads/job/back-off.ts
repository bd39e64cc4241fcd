import type { Pod } from '../types.ts';
import { finishTimeOf } from './finish-time.ts';
import { allFailuresOf } from './indexes.ts';

/** How often pods of a Job failed since the last one succeeded. Mirrors pkg/controller/job/backoff_utils.go of 1.36. */
export interface BackOffRecord {
  readonly failures: number;
  /** When the last of them failed, in milliseconds since the epoch. */
  readonly lastFailure: number;
}

/** The record after pods have ended: newBackoffRecord. */
export function nextBackOff(record: BackOffRecord | undefined, succeeded: readonly Pod[], failed: readonly Pod[]): BackOffRecord {
  const before = record ?? noFailures;
  const failures = failed.map(finishTimeOf);
  if (succeeded.length === 0)
    return failures.length === 0 ? before : { failures: before.failures + failures.length, lastFailure: Math.max(...failures) };
  const lastSuccess = Math.max(...succeeded.map(finishTimeOf));
  const later = failures.filter((time) => time > lastSuccess);
  return later.length === 0 ? noFailures : { failures: later.length, lastFailure: Math.max(...later) };
}

const noFailures: BackOffRecord = { failures: 0, lastFailure: 0 };

/** Milliseconds until the next pod may be created; 0 if it may be now: getRemainingTimeForFailuresCount. */
export function remainingBackOff({ failures, lastFailure }: BackOffRecord, now: number): number {
  if (failures === 0) return 0;
  const backOff = Math.min(defaultBackOffMs * 2 ** Math.max(failures - 1, 0), maxBackOffMs);
  return Math.max(backOff - (now - lastFailure), 0);
}

/** Milliseconds until the pod that replaces a failed one of its index may be created: getRemainingTimePerIndex. */
export const remainingIndexBackOff = (lastFailed: Pod | undefined, now: number): number =>
  lastFailed ? remainingBackOff({ failures: allFailuresOf(lastFailed) + 1, lastFailure: finishTimeOf(lastFailed) }, now) : 0;

const defaultBackOffMs = 10_000;
const maxBackOffMs = 600_000;
