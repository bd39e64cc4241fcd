import type { Given, Refusal } from '../refusals.ts';
import type { IPFamily } from './address.ts';

/** What is asked of a range of addresses. Addresses are texts, read strictly and printed as Go prints them. */
export interface IPAllocation {
  /** Takes an address; a refusal says why not. */
  allocate(address: string): Refusal | undefined;
  /** Takes any free address. */
  allocateNext(): Given<string>;
  /** Frees an address. One that is free already, or outside of a single range, is none of its business. */
  release(address: string): Refusal | undefined;
}

/** Addresses of one family, each free or taken. */
export interface IPAllocator extends IPAllocation {
  readonly family: IPFamily;
  has(address: string): boolean;
  free(): number;
  used(): number;
  /** The address after the network's own, which is the API server's: it is for explicit requests, like all of the static band. */
  readonly first: string;
  /** The addresses taken, in ascending order. */
  forEach(visit: (address: string) => void): void;
  /** The same questions, answered without taking or freeing anything: the next address is always the network's own. */
  dryRun(): IPAllocation;
}
