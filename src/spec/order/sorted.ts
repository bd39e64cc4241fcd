import type { EndpointAddress, EndpointAddressInput } from '../../types/index.ts';
import { compareAddresses } from './addresses.ts';

/** A list of addresses that stays sorted. */
export interface SortedAddresses {
  /** While the list is empty, callers may fill it directly with sorted addresses. */
  readonly list: EndpointAddress[];
  add(address: EndpointAddress): void;
  remove(address: EndpointAddress): void;
  /** Whether the list has an address with the same IP and target UID. */
  hasAddress(address: EndpointAddress): boolean;
}

/**
 * Creates an empty list. It is one array with insertion by index: moving even thousands of elements costs less than building one
 * address of the object that is then written.
 */
export function createSortedAddresses(): SortedAddresses {
  const list: EndpointAddress[] = [];
  return {
    list,
    add(address) {
      list.splice(insertionIndexOf(list, address), 0, address);
    },
    remove(address) {
      list.splice(list.indexOf(address, insertionIndexOf(list, address)), 1);
    },
    hasAddress: (address) => hasAddress(list, address),
  };
}

/** Whether a sorted list has an address with the same IP and target UID. */
export function hasAddress(list: readonly EndpointAddressInput[], address: EndpointAddressInput): boolean {
  const candidate = list[insertionIndexOf(list, address)];
  return candidate !== undefined && compareAddresses(candidate, address) === 0;
}

/** Finds the index of the first address that is not less than the given address, by binary search. */
function insertionIndexOf(list: readonly EndpointAddressInput[], address: EndpointAddressInput): number {
  let from = 0;
  let to = list.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (compareAddresses(list[middle] as EndpointAddressInput, address) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}
