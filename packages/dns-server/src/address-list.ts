import { BlockList, isIP } from 'node:net';

/** Addresses and ranges of them. */
export interface AddressList {
  has(address: string): boolean;
}

/**
 * Reads addresses ("10.0.0.1", "fd00::1") and ranges ("10.0.0.0/8", "fd00::/64").
 * @throws RangeError that names the first that is neither
 */
export function createAddressList(texts: readonly string[]): AddressList {
  const list = new BlockList();
  for (const text of texts) {
    const [address = '', prefix, ...more] = text.split('/');
    const family = isIP(address);
    const longest = family === 4 ? 32 : 128;
    const bits = prefix === undefined ? longest : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
    if (family === 0 || more.length > 0 || !(bits <= longest) || address.includes('%')) {
      throw new RangeError(`${JSON.stringify(text)} is no address and no range: give such as "10.0.0.1", "10.0.0.0/8" or "fd00::/64"`);
    }
    list.addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6');
  }
  return {
    has(address) {
      const plain = plainAddress(address);
      const family = isIP(plain);
      return family !== 0 && list.check(plain, family === 4 ? 'ipv4' : 'ipv6');
    },
  };
}

/** Of a socket for both families, IPv4 addresses come as IPv6 ones; link-local ones come with their interface. */
export function plainAddress(address: string): string {
  const plain = address.split('%')[0] as string;
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(plain) ? plain.slice('::ffff:'.length) : plain;
}
