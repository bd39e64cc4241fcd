import { type CIDR, parseCIDR } from 'kube-endpoints/internal';
import { type Demand, portText, refusalFor } from './demand.ts';

/** The addresses that a cloud can assign. Services may share an address that they request, if their ports differ. */
export interface AddressPool {
  /**
   * Finds an address for a Service: the requested one, else its current one, else the one in its status if free, else the next free one.
   * Does not reserve it.
   * @throws CloudError `Invalid` if no address is free, it is outside of the range, or another Service has the port
   */
  find(demand: Demand): string;
  /** Sets the addressPorts that a Service holds; an empty list releases all. */
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
  /** Whether a Service may request an address outside of the range. */
  readonly foreign?: boolean;
}

/** @throws RangeError if the range is invalid */
export function createAddressPool({ range, foreign = false }: AddressPoolOptions): AddressPool {
  const { first, count } = readPool(range);
  const holders = new Map<string, Holder>();
  /** Address -> port -> holder. */
  const taken = new Map<string, Map<string, Holder>>();
  let next = 0;
  const forget = (uid: string): void => {
    for (const { address, ports } of holders.get(uid)?.addressPorts ?? []) {
      const byPort = taken.get(address);
      for (const port of ports) if (byPort?.get(port)?.demand.reference.uid === uid) byPort.delete(port);
      if (byPort?.size === 0) taken.delete(address);
    }
    holders.delete(uid);
  };
  const contains = (address: string): boolean => {
    const offset = numberOf(address) - first;
    return !address.includes(':') && offset >= 0 && offset < count;
  };
  return {
    find(demand) {
      const own = holders.get(demand.reference.uid)?.addressPorts[0]?.address;
      const previous = demand.previousAddress;
      const requested =
        demand.address ?? own ?? (previous !== undefined && contains(previous) && !taken.has(previous) ? previous : undefined);
      if (requested === undefined) {
        const offset = findFree(count, next, (candidate) => !taken.has(printIPv4(first + candidate)));
        if (offset === undefined)
          throw refusalFor(demand.reference)(`all ${count} addresses of ${range} are taken: delete Services or give a larger range`);
        return printIPv4(first + offset);
      }
      if (!foreign && !contains(requested))
        throw refusalFor(demand.reference)(`spec.loadBalancerIP ${requested} is not in ${range}: give one in that range, or leave it out`);
      refuseOverlap(demand, requested, taken.get(requested));
      return requested;
    },
    hold(demand, addressPorts) {
      forget(demand.reference.uid);
      if (addressPorts.length === 0) return;
      const holder = { demand, addressPorts };
      holders.set(demand.reference.uid, holder);
      for (const { address, ports } of addressPorts) {
        const byPort = taken.get(address) ?? new Map<string, Holder>();
        taken.set(address, byPort);
        for (const port of ports) byPort.set(port, holder);
        // Reuse a released address as late as possible: clients of the previous Service may still connect to it.
        if (contains(address)) next = (numberOf(address) - first + 1) % count;
      }
    },
    get used() {
      return taken.size;
    },
  };
}

interface Holder {
  readonly demand: Demand;
  readonly addressPorts: readonly AddressPorts[];
}

function refuseOverlap(demand: Demand, address: string, byPort: ReadonlyMap<string, Holder> | undefined): void {
  for (const port of demand.ports) {
    const holder = byPort?.get(portText(port));
    if (!holder || holder.demand.reference.uid === demand.reference.uid) continue;
    const { namespace, name } = holder.demand.reference;
    throw refusalFor(demand.reference)(
      `${port.path} overlaps with Service ${namespace}/${name}, which has ${portText(port)} on ${address}: ` +
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
function readPool(range: string): { readonly first: number; readonly count: number } {
  const { family, base, hostBits } = readCIDR(range);
  if (family !== 'IPv4' || hostBits > 16) throw new RangeError(`${range} cannot be used as an address pool: ${advice}`);
  const ends = hostBits > 1 ? 1 : 0;
  return { first: Number(base) + ends, count: 2 ** hostBits - 2 * ends };
}

function readCIDR(range: string): CIDR {
  try {
    return parseCIDR(range);
  } catch (cause) {
    throw new RangeError(`${range} is not a CIDR range: ${advice}`, { cause });
  }
}

const advice = 'give an IPv4 range from /16 to /32, such as 10.9.0.0/24';

const numberOf = (ipv4: string): number => ipv4.split('.').reduce((value, octet) => value * 256 + Number(octet), 0);

const printIPv4 = (value: number): string => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
