import { type CIDR, parseCIDR } from 'kube-endpoints/internal/apimachinery';
import { type Demand, formatPort, invalidErrorFor } from './demand.ts';

/** The addresses that a cloud can assign. Services may share an address that they request, if their ports differ. */
export interface AddressPool {
  /**
   * Finds an address for a Service: the requested address, else its current address, else the address in its status if free, else the next
   * free address. Does not reserve it.
   * @throws CloudError `Invalid` if no address is free, the address is outside of the range, or another Service has the port
   */
  find(demand: Demand): string;
  /** Sets the addresses and ports that a Service occupies; an empty list releases all. */
  hold(demand: Demand, addressPorts: readonly AddressPorts[]): void;
  /** Number of addresses in use. */
  readonly used: number;
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
      const byPort = holdersByAddress.get(address);
      for (const port of ports) if (byPort?.get(port)?.demand.reference.uid === uid) byPort.delete(port);
      if (byPort?.size === 0) holdersByAddress.delete(address);
    }
    holders.delete(uid);
  };
  const contains = (address: string): boolean => isInRange(address, first, count);
  return {
    find(demand) {
      const { reference, previousAddress } = demand;
      const current = holders.get(reference.uid)?.addressPorts[0]?.address;
      const freePrevious =
        previousAddress !== undefined && contains(previousAddress) && !holdersByAddress.has(previousAddress) ? previousAddress : undefined;
      const requested = demand.address ?? current ?? freePrevious;
      if (requested === undefined) {
        const offset = findFree(count, nextOffset, (candidate) => !holdersByAddress.has(formatIPv4(first + candidate)));
        if (offset === undefined)
          throw invalidErrorFor(reference)(`all ${count} addresses of ${range} are taken: delete Services or give a larger range`);
        return formatIPv4(first + offset);
      }
      if (!allowsOutsideRange && !contains(requested))
        throw invalidErrorFor(reference)(`spec.loadBalancerIP ${requested} is not in ${range}: give one in that range, or leave it out`);
      refuseOverlap(demand, requested, holdersByAddress.get(requested));
      return requested;
    },
    hold(demand, addressPorts) {
      release(demand.reference.uid);
      if (addressPorts.length === 0) return;
      const holder = { demand, addressPorts };
      holders.set(demand.reference.uid, holder);
      for (const { address, ports } of addressPorts) {
        const byPort = holdersByAddress.get(address) ?? new Map<string, Holder>();
        holdersByAddress.set(address, byPort);
        for (const port of ports) byPort.set(port, holder);
        // Reuse a released address as late as possible, because clients of the previous Service may still connect to it.
        if (contains(address)) nextOffset = (parseIPv4(address) - first + 1) % count;
      }
    },
    get used() {
      return holdersByAddress.size;
    },
  };
}

interface Holder {
  readonly demand: Demand;
  readonly addressPorts: readonly AddressPorts[];
}

function refuseOverlap(demand: Demand, address: string, byPort: ReadonlyMap<string, Holder> | undefined): void {
  for (const port of demand.ports) {
    const holder = byPort?.get(formatPort(port));
    if (!holder || holder.demand.reference.uid === demand.reference.uid) continue;
    const { namespace, name } = holder.demand.reference;
    throw invalidErrorFor(demand.reference)(
      `${port.path} overlaps with Service ${namespace}/${name}, which has ${formatPort(port)} on ${address}: ` +
        'give one of them another port or another spec.loadBalancerIP',
    );
  }
}

function findFree(count: number, start: number, isFree: (offset: number) => boolean): number | undefined {
  for (let i = 0; i < count; i++) {
    const offset = (start + i) % count;
    if (isFree(offset)) return offset;
  }
  return undefined;
}

/** Excludes the network and broadcast addresses, unless the range is too small to have them. */
function parseRange(range: string): { readonly first: number; readonly count: number } {
  const { family, base, hostBits } = readCIDR(range);
  if (family !== 'IPv4' || hostBits > 16) throw new RangeError(`${range} cannot be used as an address pool: ${advice}`);
  const reserved = hostBits > 1 ? 1 : 0;
  return { first: Number(base) + reserved, count: 2 ** hostBits - 2 * reserved };
}

function readCIDR(range: string): CIDR {
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
