import type { EndpointAddress, EndpointAddressInput } from '../../types/index.ts';
import { compareAddresses } from './addresses.ts';

/** Addresses that are kept in their order. */
export interface SortedAddresses {
  /** May be filled with addresses that are in order, as long as there are none. */
  readonly list: EndpointAddress[];
  add(address: EndpointAddress): void;
  remove(address: EndpointAddress): void;
  /** Whether there is one of the same IP and target UID. */
  hasLike(address: EndpointAddress): boolean;
}

/**
 * Makes an empty list. It is one array, into which an address is put in its place: to move all that follow, even thousands,
 * costs less than one address of the object that is then written.
 */
export function createSortedAddresses(): SortedAddresses {
  const list: EndpointAddress[] = [];
  return {
    list,
    add(address) {
      list.splice(placeOf(list, address), 0, address);
    },
    remove(address) {
      list.splice(list.indexOf(address, placeOf(list, address)), 1);
    },
    hasLike: (address) => hasLike(list, address),
  };
}

/** Whether one of some addresses in order has the IP and target UID of another. */
export function hasLike(list: readonly EndpointAddressInput[], address: EndpointAddressInput): boolean {
  const there = list[placeOf(list, address)];
  return there !== undefined && compareAddresses(there, address) === 0;
}

/** The place of the first that is not before an address. */
function placeOf(list: readonly EndpointAddressInput[], address: EndpointAddressInput): number {
  let from = 0;
  let to = list.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (compareAddresses(list[middle] as EndpointAddressInput, address) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}
