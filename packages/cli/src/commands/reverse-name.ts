import { addressBytes } from '@kube-endpoints/dns-server/internal';

/** The name that tells whose an address is: "1.0.0.10.in-addr.arpa.", and of IPv6 its 32 digits, the last one first. */
export function reverseName(address: string): string {
  if (!address.includes(':')) return `${address.split('.').reverse().join('.')}.in-addr.arpa.`;
  const digits = addressBytes(address, 16).map((byte) => byte.toString(16).padStart(2, '0'));
  return `${[...digits.join('')].reverse().join('.')}.ip6.arpa.`;
}
