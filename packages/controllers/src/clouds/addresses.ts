import { type CIDR, parseCIDR } from 'kube-endpoints/internal/apimachinery';
import { createInvalidErrorFactory, type Demand, formatPort } from './demand.ts';

/** The addresses that a cloud can assign. Services may share an address that they request, if their ports differ. */
export interface AddressPool {
  /**
   * Finds an address for a Service: the requested address, else its current address, else the address in its status if free, else the next
   * free address. Does not reserve it.
   * @throws CloudError `Invalid` if no address is free, the requested address is outside of the range, or another Service has the port on it
   */
  find(demand: Demand): string;
  /** Sets the addresses and ports that a Service occupies; an empty list releases all. */
  hold(demand: Demand, addressPorts: readonly AddressPorts[]): void;
  /** Number of addresses in use. */
  readonly usedCount: number;
}

/** An address with some of its ports ("80/TCP"). */
export interface AddressPorts {
  readonly address: string;
  readonly ports: readonly string[];
}

export interface AddressPoolOptions {
  /** An IPv4 range in CIDR notation, /16 or smaller. */
  readonly range: string;
  /** Whether a Service may request an address outside of the range. False by default. */
  readonly allowsOutsideRange?: boolean;
}

/** @throws RangeError if the range is invalid */
export function createAddressPool({ range, allowsOutsideRange = false }: AddressPoolOptions): AddressPool {
  const { first, count } = parseRange(range);
  const holders = new Map<string, Holder>();
  /** Holders by address, then by port ("80/TCP"). */
  const holdersByAddress = new Map<string, Map<string, Holder>>();
  let nextOffset = 0;
  const release = (uid: string): void => {
    for (const { address, ports } of holders.get(uid)?.addressPorts ?? []) {
      const holdersByPort = holdersByAddress.get(address);
      for (const port of ports) if (holdersByPort?.get(port)?.demand.reference.uid === uid) holdersByPort.delete(port);
      if (holdersByPort?.size === 0) holdersByAddress.delete(address);
    }
    holders.delete(uid);
  };
  const contains = (address: string): boolean => isInRange(address, first, count);
  return {
    find(demand) {
      const { reference, previousAddress } = demand;
      const createInvalidError = createInvalidErrorFactory(reference);
      const currentAddress = holders.get(reference.uid)?.addressPorts[0]?.address;
      const freePreviousAddress =
        previousAddress !== undefined && contains(previousAddress) && !holdersByAddress.has(previousAddress) ? previousAddress : undefined;
      const preferred = demand.address ?? currentAddress ?? freePreviousAddress;
      if (preferred === undefined) {
        const offset = findFreeOffset(count, nextOffset, (candidate) => !holdersByAddress.has(formatIPv4(first + candidate)));
        if (offset === undefined)
          throw createInvalidError(`all ${count} addresses of ${range} are taken: delete Services or give a larger range`);
        return formatIPv4(first + offset);
      }
      if (!allowsOutsideRange && !contains(preferred))
        throw createInvalidError(`spec.loadBalancerIP ${preferred} is not in ${range}: give one in that range, or leave it out`);
      throwIfOverlapping(demand, preferred, holdersByAddress.get(preferred));
      return preferred;
    },
    hold(demand, addressPorts) {
      release(demand.reference.uid);
      if (addressPorts.length === 0) return;
      const holder = { demand, addressPorts };
      holders.set(demand.reference.uid, holder);
      for (const { address, ports } of addressPorts) {
        const holdersByPort = holdersByAddress.get(address) ?? new Map<string, Holder>();
        holdersByAddress.set(address, holdersByPort);
        for (const port of ports) holdersByPort.set(port, holder);
        // Reuse a released address as late as possible, because clients of the previous Service may still connect to it.
        if (contains(address)) nextOffset = (parseIPv4(address) - first + 1) % count;
      }
    },
    get usedCount() {
      return holdersByAddress.size;
    },
  };
}

interface Holder {
  readonly demand: Demand;
  readonly addressPorts: readonly AddressPorts[];
}

function throwIfOverlapping(demand: Demand, address: string, holdersByPort: ReadonlyMap<string, Holder> | undefined): void {
  for (const port of demand.ports) {
    const holder = holdersByPort?.get(formatPort(port));
    if (!holder || holder.demand.reference.uid === demand.reference.uid) continue;
    const { namespace, name } = holder.demand.reference;
    throw createInvalidErrorFactory(demand.reference)(
      `${port.path} overlaps with Service ${namespace}/${name}, which has ${formatPort(port)} on ${address}: ` +
        'give one of them another port or another spec.loadBalancerIP',
    );
  }
}

function findFreeOffset(count: number, start: number, isFree: (offset: number) => boolean): number | undefined {
  for (let i = 0; i < count; i++) {
    const offset = (start + i) % count;
    if (isFree(offset)) return offset;
  }
  return undefined;
}

/** Excludes the network and broadcast addresses, unless the range is too small to have them. */
function parseRange(range: string): { readonly first: number; readonly count: number } {
  const { family, base, hostBits } = requireCIDR(range);
  if (family !== 'IPv4' || hostBits > 16) throw new RangeError(`${range} cannot be used as an address pool: ${advice}`);
  const reservedCount = hostBits > 1 ? 1 : 0;
  return { first: Number(base) + reservedCount, count: 2 ** hostBits - 2 * reservedCount };
}

function requireCIDR(range: string): CIDR {
  try {
    return parseCIDR(range);
  } catch (cause) {
    throw new RangeError(`${range} is not a CIDR range: ${advice}`, { cause });
  }
}

function isInRange(address: string, first: number, count: number): boolean {
  const offset = parseIPv4(address) - first;
  return !address.includes(':') && offset >= 0 && offset < count;
}

const advice = 'give an IPv4 range from /16 to /32, such as 10.9.0.0/24';

const parseIPv4 = (ipv4: string): number => ipv4.split('.').reduce((value, octet) => value * 256 + Number(octet), 0);

const formatIPv4 = (value: number): string => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
