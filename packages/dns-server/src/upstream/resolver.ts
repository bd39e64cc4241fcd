import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect, isIP } from 'node:net';
import type { DnsQuestion, DnsReply } from 'kube-endpoints/dns';
import type { Resolver } from 'kube-endpoints/internal';
import { messageOf, requireWholeNumber } from 'kube-endpoints/internal/apimachinery';
import { type Clock, systemClock } from 'kube-endpoints/port';
import { parseRecordType } from '../packet/types.ts';
import type { DnsTransport } from '../server-event.ts';
import { isResponseTo, isTruncated, readReply, writeQuery } from './message.ts';

export interface UpstreamOptions {
  /** Timeout for each server, in milliseconds; 2,000 by default. */
  readonly timeout?: number;
  /** Maximum number of concurrent queries; 256 by default. Further queries fail immediately. */
  readonly open?: number;
  readonly clock?: Clock;
}

/** Queries other DNS servers. */
export interface UpstreamResolver extends Resolver {
  /** Forwards a query with a new ID, and returns the response with the original ID. @throws Error if no server answers */
  forward(packet: Uint8Array, transport: DnsTransport, signal?: AbortSignal): Promise<Uint8Array>;
}

/**
 * Creates a resolver that tries the given servers in order, always starting with the first.
 * @param servers "10.0.0.1", "10.0.0.1:5353", "[fd00::1]:5353"
 * @throws RangeError if the list is empty, an address is invalid, or an option is out of range
 */
export function createUpstreamResolver(servers: readonly string[], options: UpstreamOptions = {}): UpstreamResolver {
  const { timeout = 2000, open = 256, clock = systemClock } = options;
  const addresses = servers.map(parseServerAddress);
  if (addresses.length === 0) throw new RangeError('servers is empty: give the address of at least one server');
  requireWholeNumber('timeout', timeout, 1);
  requireWholeNumber('open', open, 1);
  let openQueries = 0;
  const sendQuery = async (packet: Uint8Array, transport: DnsTransport, signal: AbortSignal | undefined): Promise<Uint8Array> => {
    if (openQueries >= open) throw new Error(`too many concurrent queries (limit ${open})`);
    openQueries += 1;
    try {
      return await queryInTurn({ addresses, timeout, clock, signal }, packet, transport);
    } finally {
      openQueries -= 1;
    }
  };
  return {
    async resolve(question, signal) {
      if (parseRecordType(question.type) === undefined)
        throw new RangeError(`${JSON.stringify(question.type)} is not a record type: give a name such as "A", or "TYPE64"`);
      return resolveQuestion(sendQuery, question, signal);
    },
    async forward(packet, transport, signal) {
      const message = Uint8Array.from(packet);
      setId(message, randomInt(0x10000));
      const answer = Uint8Array.from(await sendQuery(message, transport, signal));
      setId(answer, ((packet[0] as number) << 8) | (packet[1] as number));
      return answer;
    },
  };
}

type SendQuery = (packet: Uint8Array, transport: DnsTransport, signal: AbortSignal | undefined) => Promise<Uint8Array>;

/** Retries over TCP if the UDP response is truncated. */
async function resolveQuestion(sendQuery: SendQuery, question: DnsQuestion, signal: AbortSignal | undefined): Promise<DnsReply> {
  const query = writeQuery(question, randomInt(0x10000));
  const answer = await sendQuery(query, 'udp', signal);
  return readReply(isTruncated(answer) ? await sendQuery(query, 'tcp', signal) : answer);
}

function setId(message: Uint8Array, id: number): void {
  message[0] = id >> 8;
  message[1] = id & 255;
}

interface QueryContext {
  readonly addresses: readonly ServerAddress[];
  readonly timeout: number;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

async function queryInTurn({ addresses, ...context }: QueryContext, message: Uint8Array, transport: DnsTransport): Promise<Uint8Array> {
  const failures: string[] = [];
  for (const server of addresses) {
    try {
      return await queryWithTimeout(context, { server, message, accepts: (received) => isResponseTo(received, message) }, transport);
    } catch (error) {
      context.signal?.throwIfAborted();
      failures.push(`${server.address}: ${messageOf(error)}`);
    }
  }
  throw new Error(`no answer (${failures.join('; ')})`);
}

async function queryWithTimeout(
  { timeout, clock, signal }: Omit<QueryContext, 'addresses'>,
  exchange: Omit<Exchange, 'signal'>,
  transport: DnsTransport,
): Promise<Uint8Array> {
  const endController = new AbortController();
  const abort = (): void => endController.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  const call = clock.schedule(() => endController.abort(new Error(`no answer within ${timeout} ms`)), timeout);
  try {
    return await (transport === 'udp' ? exchangeOverUdp : exchangeOverTcp)({ ...exchange, signal: endController.signal });
  } finally {
    call.cancel();
    signal?.removeEventListener('abort', abort);
  }
}

/** The address of a DNS server. */
export interface ServerAddress {
  readonly address: string;
  readonly port: number;
}

/**
 * Parses the address of a DNS server; port 53 by default: "10.0.0.1", "10.0.0.1:5353", "fd00::1", "[fd00::1]:5353".
 * @throws RangeError if it is invalid
 */
export function parseServerAddress(text: string): ServerAddress {
  const parts = isIP(text) === 6 ? [text, text] : /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text);
  const address = parts?.[1] ?? parts?.[2] ?? '';
  const port = Number(parts?.[3] ?? 53);
  const isBracketed = text.startsWith('[');
  if (isIP(address) !== (isBracketed || text.split(':').length > 2 ? 6 : 4) || port < 1 || port > 65_535) {
    throw new RangeError(
      `${JSON.stringify(text)} is not the address of a DNS server: give, for example, "10.0.0.1", "10.0.0.1:5353" or "[fd00::1]:5353"`,
    );
  }
  return { address, port };
}

/** A query to one server. */
export interface Exchange {
  readonly server: ServerAddress;
  readonly message: Uint8Array;
  /** Whether a message is the response. Over UDP, other messages are ignored. */
  accepts(message: Uint8Array): boolean;
  /** Aborts the exchange; the promise then rejects with the signal's reason. */
  readonly signal: AbortSignal;
}

/** Sends over UDP, from a random port each time. Accepts only packets of the server itself. */
export function exchangeOverUdp({ server, message, accepts, signal }: Exchange): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const socket = createSocket(isIP(server.address) === 6 ? 'udp6' : 'udp4');
    const end = (settle: () => void): void => {
      signal.removeEventListener('abort', abort);
      socket.removeAllListeners();
      // The socket may still emit an error while it closes.
      socket.on('error', () => {});
      socket.close();
      settle();
    };
    const abort = (): void => end(() => reject(signal.reason));
    signal.addEventListener('abort', abort, { once: true });
    socket.on('error', (error) => end(() => reject(error)));
    socket.on('message', (received) => {
      if (accepts(received)) end(() => resolve(received));
    });
    socket.connect(server.port, server.address, () => socket.send(message));
  });
}

/** Sends over TCP, on a new connection. */
export function exchangeOverTcp({ server, message, accepts, signal }: Exchange): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const socket = connect(server.port, server.address);
    const end = (settle: () => void): void => {
      signal.removeEventListener('abort', abort);
      socket.removeAllListeners();
      socket.on('error', () => {});
      socket.destroy();
      settle();
    };
    const abort = (): void => end(() => reject(signal.reason));
    signal.addEventListener('abort', abort, { once: true });
    let received: Buffer = Buffer.alloc(0);
    socket.on('error', (error) => end(() => reject(error)));
    socket.on('close', () => end(() => reject(new Error(`${server.address} closed the connection without an answer`))));
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const length = received.length >= 2 ? received.readUInt16BE(0) : 0;
      if (received.length < 2 || received.length < length + 2) return;
      const answer = received.subarray(2, length + 2);
      end(() => (accepts(answer) ? resolve(answer) : reject(new Error(`${server.address} sent a response to another query`))));
    });
    socket.on('connect', () => socket.write(Buffer.concat([Uint8Array.of(message.length >> 8, message.length & 255), message])));
  });
}
