import { BlockList, isIP } from 'node:net';
import type { DnsAnswer, DnsQuestion, DnsRecord } from 'kube-endpoints/dns';
import { type Resolver, safeObserver } from 'kube-endpoints/internal';
import { type Clock, systemClock } from 'kube-endpoints/port';
import type { DnsTransport, TellDns } from './happening.ts';

export interface DnsServerOptions {
  /** What is answered: `answer` of a ClusterZone. */
  readonly answer: (question: DnsQuestion) => DnsAnswer;
  /**
   * A number that grows with every change of what is answered: `revision` of a ClusterZone. With it, answers over UDP are kept as they
   * were sent until it changes; without it, none are.
   */
  readonly revision?: () => number;
  /** The zones that can be transferred: those of a ClusterZone; none by default. */
  readonly zones?: readonly string[];
  /** All records of one of `zones`: `transfer` of a ClusterZone. */
  readonly transfer?: (zone: string) => Iterable<DnsRecord>;
  /** Whether answers are complete. Until they are, SERVFAIL is answered in their place. By default they are. */
  readonly ready?: () => boolean;
  /** Looks up names outside of the zones that answers lead to. Without it, such an answer ends with the name. */
  readonly resolver?: Resolver;
  /** Answers, as they are, queries that no zone answers and that ask for recursion. Without it, they are refused. */
  readonly forward?: (packet: Uint8Array, transport: DnsTransport, signal: AbortSignal) => Promise<Uint8Array>;
  /** Addresses and ranges that may have whole zones; none by default. */
  readonly transferTo?: readonly string[];
  /** The address to listen at; "127.0.0.1" by default. */
  readonly address?: string;
  /** The port for UDP and TCP; any that is free by default. */
  readonly port?: number;
  readonly limits?: Partial<DnsLimits>;
  readonly clock?: Clock;
  readonly tell?: TellDns;
}

/** What clients may ask of the server. */
export interface DnsLimits {
  /** The bytes of a message over UDP, both ways, 512 to 4096; 1232 by default, which fits into a packet on all networks. */
  readonly udpPayload: number;
  /** How many connections there may be; 256 by default. More are closed at once. */
  readonly connections: number;
  /** Milliseconds after which a connection on which nothing happens is closed; 10,000 by default. */
  readonly idleMs: number;
  /** How many queries of a connection are worked on at a time; 32 by default. The next ones are read later. */
  readonly openPerConnection: number;
  /** How many queries of all clients may wait for other servers; 512 by default. Beyond that, they are answered with SERVFAIL. */
  readonly open: number;
  /** How many names outside are looked up for an answer; 16 by default. Further ones stand in it without their addresses. */
  readonly outside: number;
  /** Milliseconds that all of them may take; 5,000 by default. What is not known by then is left out. */
  readonly outsideMs: number;
  /** How many zones may be on their way at a time; 4 by default. Beyond that, transfers are refused. */
  readonly transfers: number;
}

export const defaultDnsLimits: DnsLimits = {
  udpPayload: 1232,
  connections: 256,
  idleMs: 10_000,
  openPerConnection: 32,
  open: 512,
  outside: 16,
  outsideMs: 5000,
  transfers: 4,
};

/** The options, checked, with their defaults. */
export interface DnsSettings extends Required<Omit<DnsServerOptions, 'revision' | 'resolver' | 'forward' | 'limits' | 'transferTo'>> {
  readonly revision: DnsServerOptions['revision'];
  readonly resolver: Resolver | undefined;
  readonly forward: DnsServerOptions['forward'];
  readonly limits: DnsLimits;
  readonly transferTo: AddressList;
}

/** @throws RangeError that names the option which is wrong */
export function dnsSettingsOf(options: DnsServerOptions): DnsSettings {
  checkFunctions(options);
  const limits = limitsOf(options.limits);
  const { answer, revision, zones = [], transfer = () => [], ready = () => true, resolver, forward } = options;
  const { address = '127.0.0.1', port = 0, clock = systemClock, tell, transferTo = [] } = options;
  if (!Number.isSafeInteger(port) || port < 0 || port > 65_535)
    throw new RangeError(`port is ${port}: give a whole number from 0 to 65535`);
  const names = zones.map(originOf);
  const fixed = { address, port, clock, limits, tell: safeObserver(tell), transferTo: createAddressList(transferTo) };
  return { answer, revision, zones: names, transfer, ready, resolver, forward, ...fixed };
}

function checkFunctions(options: DnsServerOptions): void {
  if (typeof options.answer !== 'function') throw new RangeError(`answer is ${options.answer}: give a function, as that of a ClusterZone`);
  for (const name of ['revision', 'transfer', 'ready', 'forward', 'tell'] as const) {
    const value = options[name];
    if (value !== undefined && typeof value !== 'function') throw new RangeError(`${name} is ${JSON.stringify(value)}: give a function`);
  }
}

function limitsOf(given: DnsServerOptions['limits']): DnsLimits {
  const limits = { ...defaultDnsLimits, ...given };
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(defaultDnsLimits, name)) {
      throw new RangeError(`limits.${name} is no limit: there are ${Object.keys(defaultDnsLimits).join(', ')}`);
    }
    const [least, most] = name === 'udpPayload' ? [512, 4096] : [1, 0x7fffffff];
    if (!Number.isSafeInteger(value) || value < least || value > most) {
      throw new RangeError(`limits.${name} is ${value}: give a whole number from ${least} to ${most}`);
    }
  }
  return limits;
}

function originOf(zone: string): string {
  if (typeof zone !== 'string' || zone === '')
    throw new RangeError(`zones has ${JSON.stringify(zone)}: give names, such as "cluster.local"`);
  return (zone.endsWith('.') ? zone : `${zone}.`).toLowerCase();
}

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
