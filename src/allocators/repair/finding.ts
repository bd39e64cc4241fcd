import type { AllocatableService } from '../service/types.ts';

/** What a repair finds wrong with a Service: the reasons of the events that the API server writes. */
export type FindingCode =
  | 'ClusterIPNotValid'
  | 'ClusterIPNotAllocated'
  | 'ClusterIPAlreadyAllocated'
  | 'ClusterIPOutOfRange'
  | 'PortNotAllocated'
  | 'PortAlreadyAllocated'
  | 'PortOutOfRange';

/** Only what is not allocated is mended; the other Services are to be created anew. */
export interface Finding {
  readonly code: FindingCode;
  readonly message: string;
  readonly namespace: string;
  readonly name: string;
  /** The address or the port, as the Service has it. */
  readonly value: string;
}

export const findingOn = (service: AllocatableService, code: FindingCode, message: string, value: string | number): Finding => ({
  code,
  message,
  namespace: service.metadata?.namespace ?? '',
  name: service.metadata?.name ?? '',
  value: String(value),
});

/** In which round of being seen a leak is freed. Mirrors numRepairsBeforeLeakCleanup of both repair controllers. */
export const releasedInRound = 3;

/** What was left over in former rounds: how many more rounds each stays taken. Hand it to the next round. */
export type LeakCounts<T> = ReadonlyMap<T, number>;

/** What the state has and no Service: whether it is freed in this round. */
export interface Leak<T> {
  readonly value: T;
  readonly released: boolean;
}

export interface Leaks<T> {
  readonly leaks: readonly Leak<T>[];
  readonly counts: LeakCounts<T>;
}

/**
 * Judges what no Service has. Something may have been taken for a Service that is not stored yet, so that it stays taken for two
 * rounds and is freed in the third; one that leaks again is freed at once. Mirrors checkLeaked (pkg/registry/core/service/ipallocator/controller/repair.go).
 */
export function judgeLeaks<T>(left: readonly T[], used: (value: T) => boolean, counts: LeakCounts<T>): Leaks<T> {
  const next = new Map([...counts].filter(([value]) => !used(value)));
  const leaks = left.map((value) => {
    const rounds = next.get(value) ?? releasedInRound - 1;
    if (rounds > 0) next.set(value, rounds - 1);
    return { value, released: rounds === 0 };
  });
  return { leaks, counts: next };
}
