import { type IP, ipBits, isIPv4Mapped, parseAddr, printIP, quote } from 'kube-endpoints/internal/apimachinery';
import { CelFailure, type CelPart } from '../library.ts';

/** An IP address without a zone, and not IPv4-mapped IPv6. */
export class CelIP {
  readonly family: IP['family'];
  readonly value: bigint;
  constructor({ family, value }: IP) {
    this.family = family;
    this.value = value;
  }
  get bits(): number {
    return ipBits[this.family];
  }
  valueOf(): string {
    return printIP(this);
  }
}

/** A network; bits after the prefix may be set. */
export class CelCIDR {
  readonly address: CelIP;
  readonly length: number;
  constructor(address: CelIP, length: number) {
    this.address = address;
    this.length = length;
  }
  valueOf(): string {
    return `${this.address.valueOf()}/${this.length}`;
  }
}

/** Mirrors apiserver/pkg/cel/library/ip.go and cidr.go (1.36). */
export const ipFunctions: CelPart = {
  namespaces: ['ip'],
  types: [
    { name: 'net.IP', ctor: CelIP, equals: isSame },
    { name: 'net.CIDR', ctor: CelCIDR, equals: isSame },
  ],
  functions: [
    { signature: 'ip(string): net.IP', run: (text: string) => unwrapOrThrow(parseIP(text)) },
    { signature: 'isIP(string): bool', run: (text: string) => parseIP(text) instanceof CelIP },
    { signature: 'ip.isCanonical(string): bool', run: isCanonical },
    // Also for a text as receiver, because a variable named ip hides the namespace: `list.map(ip, ip.isCanonical(ip))`.
    { signature: 'string.isCanonical(string): bool', run: isCanonical },
    { signature: 'string(net.IP): string', run: (ip: CelIP) => ip.valueOf() },
    { signature: 'net.IP.family(): int', run: ({ bits }: CelIP) => (bits === 32 ? 4n : 6n) },
    { signature: 'net.IP.isUnspecified(): bool', run: ({ value }: CelIP) => value === 0n },
    { signature: 'net.IP.isLoopback(): bool', run: isLoopback },
    { signature: 'net.IP.isLinkLocalMulticast(): bool', run: isLinkLocalMulticast },
    { signature: 'net.IP.isLinkLocalUnicast(): bool', run: isLinkLocalUnicast },
    { signature: 'net.IP.isGlobalUnicast(): bool', run: isGlobalUnicast },
    { signature: 'cidr(string): net.CIDR', run: (text: string) => parseCIDROrThrow(text) },
    { signature: 'isCIDR(string): bool', run: (text: string) => parseCIDR(text) instanceof CelCIDR },
    { signature: 'string(net.CIDR): string', run: (cidr: CelCIDR) => cidr.valueOf() },
    { signature: 'net.CIDR.containsIP(string): bool', run: containsIPText },
    { signature: 'net.CIDR.containsIP(net.IP): bool', run: containsIP },
    { signature: 'net.CIDR.containsCIDR(string): bool', run: (cidr: CelCIDR, text: string) => containsCIDR(cidr, parseCIDROrThrow(text)) },
    { signature: 'net.CIDR.containsCIDR(net.CIDR): bool', run: containsCIDR },
    { signature: 'net.CIDR.ip(): net.IP', run: ({ address }: CelCIDR) => address },
    { signature: 'net.CIDR.prefixLength(): int', run: ({ length }: CelCIDR) => BigInt(length) },
    { signature: 'net.CIDR.masked(): net.CIDR', run: maskCIDR },
  ],
};

function parseIP(text: string): CelIP | string {
  const address = parseAddr(text);
  if (typeof address === 'string') return `IP Address ${quote(text)} ${parseErrorText}: ${address}`;
  if (address.zone !== '') return `IP address ${quote(text)} with zone value is not allowed`;
  return isIPv4Mapped(address) ? createMappedMessage(text) : new CelIP(address);
}

function parseCIDR(text: string): CelCIDR | string {
  const createMessage = (message: string): string => `network address ${parseErrorText}: netip.ParsePrefix(${quote(text)}): ${message}`;
  const slash = text.lastIndexOf('/');
  if (slash < 0) return createMessage("no '/'");
  const address = parseAddr(text.slice(0, slash));
  if (typeof address === 'string') return createMessage(address);
  if (address.zone !== '') return createMessage('IPv6 zones cannot be present in a prefix');
  const length = text.slice(slash + 1);
  if (!isPrefixLength(length)) return createMessage(`bad bits after slash: ${quote(length)}`);
  if (Number(length) > ipBits[address.family]) return createMessage('prefix length out of range');
  return isIPv4Mapped(address) ? createMappedMessage(text) : new CelCIDR(new CelIP(address), Number(length));
}

const parseErrorText = 'parse error during conversion from string';
const createMappedMessage = (text: string): string => `IPv4-mapped IPv6 address ${quote(text)} is not allowed`;

/** True for a decimal number without leading zeros that fits Go's int. */
const isPrefixLength = (text: string): boolean => /^(?:\d|[1-9]\d{1,18})$/.test(text) && BigInt(text) < 1n << 63n;

/** Parses a CIDR. @throws CelFailure; like upstream, its message begins with the same words twice */
function parseCIDROrThrow(text: string): CelCIDR {
  const cidr = parseCIDR(text);
  if (typeof cidr === 'string') throw new CelFailure(`network address ${parseErrorText}: ${cidr}`);
  return cidr;
}

function unwrapOrThrow<T>(result: T | string): T {
  if (typeof result === 'string') throw new CelFailure(result);
  return result;
}

function isSame(a: CelIP | CelCIDR, b: CelIP | CelCIDR): boolean {
  return a.valueOf() === b.valueOf();
}

function isCanonical(_: unknown, text: string): boolean {
  return unwrapOrThrow(parseIP(text)).valueOf() === text;
}

function isLoopback(ip: CelIP): boolean {
  return ip.bits === 32 ? firstBits(ip, 8) === 127 : ip.value === 1n;
}

function isLinkLocalMulticast(ip: CelIP): boolean {
  return ip.bits === 32 ? firstBits(ip, 24) === 0xe00000 : (firstBits(ip, 16) & 0xff0f) === 0xff02;
}

function isLinkLocalUnicast(ip: CelIP): boolean {
  return ip.bits === 32 ? firstBits(ip, 16) === 0xa9fe : firstBits(ip, 10) === 0xfe80 >> 6;
}

function isGlobalUnicast(ip: CelIP): boolean {
  const isBroadcast = ip.bits === 32 && ip.value === 0xffffffffn;
  return ip.value !== 0n && !isBroadcast && !isLoopback(ip) && !isMulticast(ip) && !isLinkLocalUnicast(ip);
}

const isMulticast = (ip: CelIP): boolean => (ip.bits === 32 ? firstBits(ip, 4) === 0xe : firstBits(ip, 8) === 0xff);

const firstBits = ({ bits, value }: CelIP, count: number): number => Number(value >> BigInt(bits - count));

/** True if the range contains the address. Like upstream, the error for an invalid address does not name the cause. */
function containsIPText(cidr: CelCIDR, text: string): boolean {
  const ip = parseIP(text);
  if (typeof ip === 'string') throw new CelFailure('no such overload');
  return containsIP(cidr, ip);
}

function containsIP({ address, length }: CelCIDR, ip: CelIP): boolean {
  const hostBits = BigInt(address.bits - length);
  return address.bits === ip.bits && address.value >> hostBits === ip.value >> hostBits;
}

function containsCIDR(cidr: CelCIDR, other: CelCIDR): boolean {
  return cidr.length <= other.length && containsIP(cidr, other.address);
}

function maskCIDR({ address, length }: CelCIDR): CelCIDR {
  const hostBits = BigInt(address.bits - length);
  return new CelCIDR(new CelIP({ family: address.family, value: (address.value >> hostBits) << hostBits }), length);
}
