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

/** A problem of a Service. The repair fixes only what is not allocated; for all other problems the Service must be re-created. */
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
export const releasedInRound = 3;

/** For each leak of earlier rounds, the number of rounds it stays allocated. Pass it to the next round. */
export type LeakCounts<T> = ReadonlyMap<T, number>;

/** An allocation without a Service, and whether this round frees it. */
export interface Leak<T> {
  readonly value: T;
  readonly released: boolean;
}

export interface Leaks<T> {
  readonly leaks: readonly Leak<T>[];
  readonly counts: LeakCounts<T>;
}

/**
 * Decides which allocations without a Service to free. An allocation may belong to a Service that is not stored yet, so it is kept for two
 * rounds and freed in the third; one that leaks again is freed at once. Mirrors checkLeaked
 * (pkg/registry/core/service/ipallocator/controller/repair.go).
 */
export function checkLeaks<T>(unowned: readonly T[], isUsed: (value: T) => boolean, counts: LeakCounts<T>): Leaks<T> {
  const next = new Map([...counts].filter(([value]) => !isUsed(value)));
  const leaks = unowned.map((value) => {
    const rounds = next.get(value) ?? releasedInRound - 1;
    if (rounds > 0) next.set(value, rounds - 1);
    return { value, released: rounds === 0 };
  });
  return { leaks, counts: next };
}
