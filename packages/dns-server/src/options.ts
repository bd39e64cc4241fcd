import { BlockList, isIP } from 'node:net';
import type { DnsAnswer, DnsQuestion, DnsRecord } from 'kube-endpoints/dns';
import type { Resolver } from 'kube-endpoints/internal';
import { safeObserver } from 'kube-endpoints/internal/apimachinery';
import { type Clock, systemClock } from 'kube-endpoints/port';
import type { DnsServerObserver, DnsTransport } from './server-event.ts';

export interface DnsServerOptions {
  /** Answers a question: `answer` of a ClusterZone. */
  readonly answer: (question: DnsQuestion) => DnsAnswer;
  /**
   * A number that increases with each change of the answers: `revision` of a ClusterZone.
   * If given, UDP responses are cached until it changes.
   */
  readonly revision?: () => number;
  /** The zones that can be transferred: those of a ClusterZone; none by default. */
  readonly zones?: readonly string[];
  /** All records of one of `zones`: `transfer` of a ClusterZone. */
  readonly transfer?: (zone: string) => Iterable<DnsRecord>;
  /** Whether the records are complete. Until then, the server answers SERVFAIL. True by default. */
  readonly ready?: () => boolean;
  /** Resolves names outside of the zones that an answer refers to. Without it, the answer contains only the name. */
  readonly resolver?: Resolver;
  /**
   * Forwards queries that no zone answers and that request recursion; the response is passed on unchanged. Without it, they are refused.
   */
  readonly forward?: (packet: Uint8Array, transport: DnsTransport, signal: AbortSignal) => Promise<Uint8Array>;
  /** Addresses and ranges that may request zone transfers; none by default. */
  readonly transferTo?: readonly string[];
  /** The address to listen on; "127.0.0.1" by default. */
  readonly address?: string;
  /** The port for UDP and TCP; 0, the default, selects a free port. */
  readonly port?: number;
  readonly limits?: Partial<DnsLimits>;
  readonly clock?: Clock;
  readonly onEvent?: DnsServerObserver;
}

/** Limits on what clients can use. */
export interface DnsLimits {
  /** Maximum bytes of a UDP message in either direction, 512 to 4096; 1232 by default, which avoids fragmentation on all networks. */
  readonly udpPayload: number;
  /**
   * Maximum number of connections; 256 by default. Beyond it, the oldest connection without a complete query is closed, else the
   * longest idle one, else the new one.
   */
  readonly connections: number;
  /** Milliseconds of inactivity after which a connection is closed; 10,000 by default. */
  readonly idleMs: number;
  /** Number of queries of a connection processed concurrently; 32 by default. Further queries are read later. */
  readonly openPerConnection: number;
  /** Maximum number of queries of all clients that wait for other servers; 512 by default. Further queries are answered with SERVFAIL. */
  readonly open: number;
  /** Maximum number of outside names resolved for an answer; 16 by default. Further names stay in the answer without addresses. */
  readonly outside: number;
  /** Milliseconds for resolving the outside names of an answer; 5,000 by default. Names not resolved in time stay without addresses. */
  readonly outsideMs: number;
  /** Maximum number of concurrent zone transfers; 4 by default. Further transfers are refused. */
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

/** The validated options, with defaults applied. */
export interface DnsSettings extends Required<Omit<DnsServerOptions, 'revision' | 'resolver' | 'forward' | 'limits' | 'transferTo'>> {
  readonly revision: DnsServerOptions['revision'];
  readonly resolver: Resolver | undefined;
  readonly forward: DnsServerOptions['forward'];
  readonly limits: DnsLimits;
  readonly transferTo: AddressList;
}

/** @throws RangeError that names the invalid option */
export function validateDnsOptions(options: DnsServerOptions): DnsSettings {
  checkFunctions(options);
  const limits = validateLimits(options.limits);
  const { answer, revision, zones = [], transfer = () => [], ready = () => true, resolver, forward } = options;
  const { address = '127.0.0.1', port = 0, clock = systemClock, onEvent, transferTo = [] } = options;
  if (!Number.isSafeInteger(port) || port < 0 || port > 65_535)
    throw new RangeError(`port is ${port}: give a whole number from 0 to 65535`);
  const zoneNames = zones.map(normalizeZone);
  const validatedOptions = { address, port, clock, limits, onEvent: safeObserver(onEvent), transferTo: createAddressList(transferTo) };
  return { answer, revision, zones: zoneNames, transfer, ready, resolver, forward, ...validatedOptions };
}

function checkFunctions(options: DnsServerOptions): void {
  if (typeof options.answer !== 'function') throw new RangeError(`answer is ${options.answer}: give a function such as ClusterZone.answer`);
  for (const name of ['revision', 'transfer', 'ready', 'forward', 'onEvent'] as const) {
    const value = options[name];
    if (value !== undefined && typeof value !== 'function') throw new RangeError(`${name} is ${JSON.stringify(value)}: give a function`);
  }
}

function validateLimits(input: DnsServerOptions['limits']): DnsLimits {
  const limits = { ...defaultDnsLimits, ...input };
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(defaultDnsLimits, name)) {
      throw new RangeError(`limits.${name} is not a limit: use ${Object.keys(defaultDnsLimits).join(', ')}`);
    }
    const [min, max] = name === 'udpPayload' ? [512, 4096] : [1, 0x7fffffff];
    if (!Number.isSafeInteger(value) || value < min || value > max) {
      throw new RangeError(`limits.${name} is ${value}: give a whole number from ${min} to ${max}`);
    }
  }
  return limits;
}

function normalizeZone(zone: string): string {
  if (typeof zone !== 'string' || zone === '')
    throw new RangeError(`zones contains ${JSON.stringify(zone)}: give a name such as "cluster.local"`);
  return (zone.endsWith('.') ? zone : `${zone}.`).toLowerCase();
}

/** A set of addresses and ranges. */
export interface AddressList {
  has(address: string): boolean;
}

/**
 * Parses addresses ("10.0.0.1", "fd00::1") and ranges ("10.0.0.0/8", "fd00::/64").
 * @throws RangeError that names the first invalid text
 */
export function createAddressList(texts: readonly string[]): AddressList {
  const list = new BlockList();
  for (const text of texts) {
    const [address = '', prefix, ...extraParts] = text.split('/');
    const family = isIP(address);
    const maxBits = family === 4 ? 32 : 128;
    const bits = prefix === undefined ? maxBits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
    if (family === 0 || extraParts.length > 0 || !(bits <= maxBits) || address.includes('%')) {
      throw new RangeError(
        `${JSON.stringify(text)} is neither an address nor a range: give, for example, "10.0.0.1", "10.0.0.0/8" or "fd00::/64"`,
      );
    }
    list.addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6');
  }
  return {
    has(address) {
      const normalized = normalizeAddress(address);
      const family = isIP(normalized);
      return family !== 0 && list.check(normalized, family === 4 ? 'ipv4' : 'ipv6');
    },
  };
}

/** Removes the IPv6 prefix that a dual-stack socket adds to IPv4 addresses, and the interface of link-local addresses. */
export function normalizeAddress(address: string): string {
  const normalized = address.split('%')[0] as string;
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(normalized) ? normalized.slice('::ffff:'.length) : normalized;
}
