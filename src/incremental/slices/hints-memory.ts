import { isOverloaded } from '../../spec/slices/hints/allocation.ts';
import type { AddressType } from '../../types/index.ts';

/** Which Services have hints by topology, how many endpoints each zone was given, and whether the user was told. */
export interface HintsMemory {
  /** Remembers what was given; true where the user is to be told that there are hints now. */
  enable(key: string, addressType: AddressType, hinted: ReadonlyMap<string, number>): boolean;
  isAnnounced(key: string): boolean;
  drop(key: string, addressType: AddressType): void;
  /** The Services for which these shares leave a zone with too few endpoints. */
  overloaded(shares: ReadonlyMap<string, number> | undefined): string[];
  forget(key: string): void;
}

/**
 * Makes an empty memory.
 *
 * Mirrors TopologyCache (1.36, staging/src/k8s.io/endpointslice/topologycache/topologycache.go), the oddity included that to
 * drop the hints of one address type is to forget that the user was told of the other's.
 */
export function createHintsMemory(): HintsMemory {
  const hintedByService = new Map<string, Map<AddressType, ReadonlyMap<string, number>>>();
  const announced = new Set<string>();
  return {
    enable(key, addressType, hinted) {
      const byType = hintedByService.get(key) ?? new Map<AddressType, ReadonlyMap<string, number>>();
      hintedByService.set(key, byType.set(addressType, hinted));
      const isNews = !announced.has(key);
      announced.add(key);
      return isNews;
    },
    isAnnounced: (key) => announced.has(key),
    drop(key, addressType) {
      const byType = hintedByService.get(key);
      byType?.delete(addressType);
      if (byType?.size === 0) hintedByService.delete(key);
      announced.delete(key);
    },
    overloaded: (shares) =>
      [...hintedByService].filter(([, byType]) => [...byType.values()].some((hinted) => isOverloaded(hinted, shares))).map(([key]) => key),
    forget(key) {
      hintedByService.delete(key);
      announced.delete(key);
    },
  };
}
