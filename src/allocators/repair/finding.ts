import type { AllocatableService } from '../service/types.ts';

/** The problems that a repair finds: the reasons of the Events that the API server emits. */
export type FindingCode =
  | 'ClusterIPNotValid'
  | 'ClusterIPNotAllocated'
  | 'ClusterIPAlreadyAllocated'
  | 'ClusterIPOutOfRange'
  | 'PortNotAllocated'
  | 'PortAlreadyAllocated'
  | 'PortOutOfRange';

/** A problem of a Service. The repair fixes only values that are not allocated; for all other problems the Service must be re-created. */
export interface Finding {
  readonly code: FindingCode;
  readonly message: string;
  readonly namespace: string;
  readonly name: string;
  /** The address or port, as in the Service. */
  readonly value: string;
}

export const createFinding = (service: AllocatableService, code: FindingCode, message: string, value: string | number): Finding => ({
  code,
  message,
  namespace: service.metadata?.namespace ?? '',
  name: service.metadata?.name ?? '',
  value: String(value),
});

/** The round in which a leak is freed. Mirrors numRepairsBeforeLeakCleanup of both repair controllers. */
export const releaseRound = 3;

/** For each leak of earlier rounds, the number of rounds that it remains allocated. Pass the map to the next round. */
export type LeakCounts<T> = ReadonlyMap<T, number>;

/** An allocation without a Service, and whether this round frees it. */
export interface Leak<T> {
  readonly value: T;
  readonly released: boolean;
}

export interface LeakCheck<T> {
  readonly leaks: readonly Leak<T>[];
  readonly counts: LeakCounts<T>;
}

/**
 * Decides which allocations without a Service to free. Keeps each for two rounds, because its Service may not be stored yet, and frees it
 * in the third. An allocation that leaks again is freed at once, unless a Service used it in between. Mirrors checkLeaked
 * (pkg/registry/core/service/ipallocator/controller/repair.go).
 */
export function checkLeaks<T>(unowned: readonly T[], isUsed: (value: T) => boolean, counts: LeakCounts<T>): LeakCheck<T> {
  const nextCounts = new Map([...counts].filter(([value]) => !isUsed(value)));
  const leaks = unowned.map((value) => {
    const remainingRounds = nextCounts.get(value) ?? releaseRound - 1;
    if (remainingRounds > 0) nextCounts.set(value, remainingRounds - 1);
    return { value, released: remainingRounds === 0 };
  });
  return { leaks, counts: nextCounts };
}
