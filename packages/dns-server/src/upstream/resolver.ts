import { randomInt } from 'node:crypto';
import type { DnsQuestion, DnsReply, Resolver } from 'kube-endpoints/dns';
import { messageOf } from 'kube-endpoints/internal';
import { type Clock, systemClock } from 'kube-endpoints/port';
import type { DnsTransport } from '../happening.ts';
import { typeCode } from '../packet/types.ts';
import { type Exchange, exchangeOverTcp, exchangeOverUdp } from './exchange.ts';
import { answers, isTruncated, readReply, writeQuery } from './message.ts';
import { readServer, type ServerAddress } from './servers.ts';

export interface UpstreamOptions {
  /** Milliseconds that each server is waited for; 2,000 by default. */
  readonly timeout?: number;
  /** How many questions may be open at a time; 256 by default. Beyond that, they fail at once. */
  readonly open?: number;
  readonly clock?: Clock;
}

/** Asks other DNS servers. */
export interface UpstreamResolver extends Resolver {
  /** Passes a query on as it is, but for its id, and the answer back. @throws where nobody answers */
  forward(packet: Uint8Array, transport: DnsTransport, signal?: AbortSignal): Promise<Uint8Array>;
}

/**
 * Makes a resolver that asks the given servers one after the other, the first one first each time.
 * @param servers "10.0.0.1", "10.0.0.1:5353", "[fd00::1]:5353"
 * @throws RangeError where there are none, one is no address, or an option is out of range
 */
export function createUpstreamResolver(servers: readonly string[], options: UpstreamOptions = {}): UpstreamResolver {
  const { timeout = 2000, open = 256, clock = systemClock } = options;
  const addresses = servers.map(readServer);
  if (addresses.length === 0) throw new RangeError('no servers: give the address of one at least');
  for (const [name, value] of Object.entries({ timeout, open })) {
    if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`${name} is ${value}: give a whole number from 1 on`);
  }
  let busy = 0;
  const ask = async (packet: Uint8Array, transport: DnsTransport, signal: AbortSignal | undefined): Promise<Uint8Array> => {
    if (busy >= open) throw new Error(`${open} questions are open already`);
    busy += 1;
    try {
      return await askInTurn({ addresses, timeout, clock, signal }, packet, transport);
    } finally {
      busy -= 1;
    }
  };
  return {
    async resolve(question, signal) {
      if (typeCode(question.type) === undefined) throw new RangeError(`${JSON.stringify(question.type)} is no type of records`);
      return resolveBy(ask, question, signal);
    },
    async forward(packet, transport, signal) {
      const message = Uint8Array.from(packet);
      renumber(message, randomInt(0x10000));
      const answer = Uint8Array.from(await ask(message, transport, signal));
      renumber(answer, ((packet[0] as number) << 8) | (packet[1] as number));
      return answer;
    },
  };
}

type Ask = (packet: Uint8Array, transport: DnsTransport, signal: AbortSignal | undefined) => Promise<Uint8Array>;

/** What does not fit over UDP is asked for over TCP. */
async function resolveBy(ask: Ask, question: DnsQuestion, signal: AbortSignal | undefined): Promise<DnsReply> {
  const query = writeQuery(question, randomInt(0x10000));
  const answer = await ask(query, 'udp', signal);
  return readReply(isTruncated(answer) ? await ask(query, 'tcp', signal) : answer);
}

function renumber(message: Uint8Array, id: number): void {
  message[0] = id >> 8;
  message[1] = id & 255;
}

interface Turn {
  readonly addresses: readonly ServerAddress[];
  readonly timeout: number;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

async function askInTurn({ addresses, ...turn }: Turn, message: Uint8Array, transport: DnsTransport): Promise<Uint8Array> {
  const failures: string[] = [];
  for (const server of addresses) {
    try {
      return await askWithin(turn, { server, message, accepts: (received) => answers(received, message) }, transport);
    } catch (error) {
      turn.signal?.throwIfAborted();
      failures.push(`${server.address}: ${messageOf(error)}`);
    }
  }
  throw new Error(`no answer (${failures.join('; ')})`);
}

async function askWithin(
  { timeout, clock, signal }: Omit<Turn, 'addresses'>,
  exchange: Omit<Exchange, 'signal'>,
  transport: DnsTransport,
): Promise<Uint8Array> {
  const end = new AbortController();
  const abort = (): void => end.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  const call = clock.schedule(() => end.abort(new Error(`no answer within ${timeout} ms`)), timeout);
  try {
    return await (transport === 'udp' ? exchangeOverUdp : exchangeOverTcp)({ ...exchange, signal: end.signal });
  } finally {
    call.cancel();
    signal?.removeEventListener('abort', abort);
  }
}
