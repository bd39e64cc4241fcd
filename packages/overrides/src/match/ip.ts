import { canonicalIP } from 'kube-endpoints/internal';

/** An IP address as a number: `v4` below 2^32, or -1 and then `v6`. IPv4-mapped IPv6 is IPv4, so that no form of an address gets past a range. */
export interface IPNumber {
  readonly v4: number;
  readonly v6?: bigint;
}

/** Undefined where the text is no IP address. */
export function readIP(text: string): IPNumber | undefined {
  const plain = readIPv4(text);
  if (plain >= 0) return { v4: plain };
  const canonical = canonicalIP(text);
  if (canonical === undefined) return undefined;
  return canonical.includes(':') ? { v4: -1, v6: readIPv6(canonical) } : { v4: readIPv4(canonical) };
}

/** The number of a plain IPv4 address, or -1 for any other text. */
export function readIPv4(text: string): number {
  let number = 0;
  let octet = -1;
  let dots = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 0x30;
    if (digit === dot && octet >= 0) {
      number = number * 256 + octet;
      octet = -1;
      dots++;
    } else {
      if (digit < 0 || digit > 9 || octet === 0) return -1;
      octet = octet < 0 ? digit : octet * 10 + digit;
      if (octet > 255) return -1;
    }
  }
  return dots === 3 && octet >= 0 ? number * 256 + octet : -1;
}

const dot = 0x2e - 0x30;

/** Of a canonical text: no embedded IPv4, at most one "::". */
function readIPv6(text: string): bigint {
  const [head = '', tail] = text.split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const before = groups(head);
  const behind = tail === undefined ? [] : groups(tail);
  const zeros = Array<string>(8 - before.length - behind.length).fill('0');
  return BigInt(`0x${[...before, ...zeros, ...behind].map((group) => group.padStart(4, '0')).join('')}`);
}
