/** Why an allocator refuses, as a stable code. */
export type RefusalCode = 'full' | 'allocated' | 'not-in-range' | 'mismatched-network' | 'not-an-address';

/** A refused allocation; the message is the API server's. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly message: string;
}

/** The allocated value, or a refusal. */
export type AllocationResult<T> =
  | { readonly value: T; readonly refusal?: undefined }
  | { readonly value?: undefined; readonly refusal: Refusal };

/** The fixed messages of the allocators. Mirrors the errors of ipallocator and portallocator. */
export const refusals: Readonly<Record<'full' | 'addressAllocated' | 'portAllocated' | 'mismatchedNetwork' | 'mismatchedPorts', Refusal>> =
  {
    full: { code: 'full', message: 'range is full' },
    addressAllocated: { code: 'allocated', message: 'provided IP is already allocated' },
    portAllocated: { code: 'allocated', message: 'provided port is already allocated' },
    mismatchedNetwork: { code: 'mismatched-network', message: 'the provided network does not match the current range' },
    mismatchedPorts: { code: 'mismatched-network', message: 'the provided port range does not match the current port range' },
  };

/** @param namesAddress whether the message contains the address, as from 1.23 on */
export const createAddressNotInRange = (address: string | undefined, range: string, namesAddress: boolean): Refusal => ({
  code: 'not-in-range',
  message: namesAddress
    ? `the provided IP (${address ?? nilAddress}) is not in the valid range. The range of valid IPs is ${range}`
    : `provided IP is not in the valid range. The range of valid IPs is ${range}`,
});

export const createPortNotInRange = (range: string): Refusal => ({
  code: 'not-in-range',
  message: `provided port is not in the valid range. The range of valid ports is ${range}`,
});

export const createNotAnAddress = (): Refusal => ({ code: 'not-an-address', message: `ParseAddr("${nilAddress}"): unable to parse IP` });

/** How Go prints a nil IP. */
const nilAddress = '<nil>';
