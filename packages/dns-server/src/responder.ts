import { type DnsAnswer, type DnsQuestion, type DnsReply, withOutside } from 'kube-endpoints/dns';
import type { Resolver } from 'kube-endpoints/internal';
import { createKeptAnswers, type KeptAnswer, type KeptAnswers } from './kept-answers.ts';
import type { DnsSettings } from './options.ts';
import { createEncoder, type Encoder, type Refusal } from './packet/encode.ts';
import { type Query, type QueryHead, readQuery } from './packet/query.ts';
import { mostBytes } from './packet/writer.ts';
import type { Messages, Sender } from './server-event.ts';
import { createTransfers, type Transfers } from './transfers.ts';

/** Answers any packet, valid or not. */
export interface Responder {
  /** Returns synchronously if the records suffice; otherwise a promise, which never rejects. */
  respond(packet: Uint8Array, sender: Sender, signal: AbortSignal): Messages | Promise<Messages>;
}

export function createResponder(settings: DnsSettings): Responder {
  const encoder = createEncoder();
  const kept = settings.revision && createKeptAnswers(settings.revision);
  const room: Room = { settings, encoder, transfers: createTransfers(settings, encoder), kept, open: 0 };
  return {
    respond(packet, sender, signal) {
      const known = sender.transport === 'udp' ? keptFor(room, packet) : undefined;
      if (known) return sent(room, known, sender);
      const received = readQuery(packet);
      if (received.kind === 'drop') {
        settings.onEvent({ kind: 'dropped', transport: sender.transport, reason: received.reason });
        return [];
      }
      if (received.kind === 'refuse') return refused(room, received.rcode, { ...received, sender });
      const { query } = received;
      try {
        return answered(room, { query, sender, signal });
      } catch (error) {
        return failed(room, query, sender, error);
      }
    },
  };
}

interface Room {
  readonly settings: DnsSettings;
  readonly encoder: Encoder;
  readonly transfers: Transfers;
  /** Cached UDP responses that depend on the records alone. */
  readonly kept: KeptAnswers | undefined;
  /** Number of queries that wait for other servers. */
  open: number;
}

interface Call {
  readonly query: Query;
  readonly sender: Sender;
  readonly signal: AbortSignal;
}

function keptFor({ kept, settings }: Room, packet: Uint8Array): KeptAnswer | undefined {
  try {
    return kept && settings.ready() ? kept.find(packet) : undefined;
  } catch {
    // The error recurs when the query is answered, and the client then gets SERVFAIL.
    return undefined;
  }
}

function answered(room: Room, call: Call): Messages | Promise<Messages> {
  const { query, sender } = call;
  const { answer, ready, forward, resolver } = room.settings;
  if (query.type === 'AXFR' || query.type === 'IXFR') {
    const transfer = room.transfers.start(query, sender);
    return transfer ?? refused(room, ready() ? 'REFUSED' : 'SERVFAIL', { head: query, query, sender });
  }
  const found = answer({ name: query.name, type: query.type });
  if (found.reply === undefined) {
    if (!forward || !query.recursionDesired) return refused(room, 'REFUSED', { head: query, query, sender });
    return waited(room, call, () => forwarded(room, call, forward));
  }
  if (!ready()) return refused(room, 'SERVFAIL', { head: query, query, sender });
  if (!found.outside) {
    const written = write(room, found.reply, call);
    if (sender.transport === 'udp') room.kept?.keep(query.packet, written);
    return sent(room, written, sender);
  }
  if (!resolver) return replied(room, withOutside(found, undefined), call);
  return waited(room, call, () => completed(room, found, call, resolver));
}

/** Answers asynchronously, unless too many queries wait already. */
function waited(room: Room, { query, sender }: Call, work: () => Promise<Messages>): Messages | Promise<Messages> {
  const { limits, onEvent } = room.settings;
  if (room.open >= limits.open) {
    onEvent({ kind: 'dropped', transport: sender.transport, reason: 'crowded' });
    return refused(room, 'SERVFAIL', { head: query, query, sender });
  }
  room.open += 1;
  return work()
    .catch((error: unknown) => failed(room, query, sender, error))
    .finally(() => {
      room.open -= 1;
    });
}

async function completed(room: Room, answer: DnsAnswer, call: Call, resolver: Resolver): Promise<Messages> {
  const [first, ...others] = await lookUpOutside(answer, { ...room.settings, resolver }, call.signal);
  return replied(room, withOutside(answer, first, ...others), call);
}

async function forwarded(room: Room, { query, sender, signal }: Call, forward: NonNullable<DnsSettings['forward']>): Promise<Messages> {
  const { transport } = sender;
  const told = { kind: 'forwarded', transport, type: query.type } as const;
  try {
    const message = await forward(query.packet, transport, signal);
    room.settings.onEvent({ ...told, failed: false });
    return [message];
  } catch (error) {
    room.settings.onEvent({ ...told, failed: true });
    throw error;
  }
}

const replied = (room: Room, reply: DnsReply, call: Call): Messages => sent(room, write(room, reply, call), call.sender);

function write({ settings: { limits, forward }, encoder }: Room, reply: DnsReply, { query, sender }: Call): KeptAnswer {
  const asked = Math.max(query.edns?.payload ?? leastPayload, leastPayload);
  const limit = sender.transport === 'tcp' ? mostBytes : Math.min(asked, limits.udpPayload);
  const message = encoder.reply(query, reply, { limit, payload: limits.udpPayload, recursion: forward !== undefined });
  return { message, type: query.type, rcode: reply.rcode, truncated: ((message[2] as number) & 0x02) !== 0 };
}

function sent({ settings }: Room, { message, type, rcode, truncated }: KeptAnswer, { transport }: Sender): Messages {
  settings.onEvent({ kind: 'answered', transport, type, rcode, bytes: message.length, truncated });
  return [message];
}

/** The payload size that every client accepts over UDP. */
const leastPayload = 512;

interface Refused {
  readonly head: QueryHead;
  readonly query?: Query;
  readonly sender: Sender;
}

function refused({ settings, encoder }: Room, rcode: Refusal, { head, query, sender }: Refused): Messages {
  const { limits, onEvent, forward } = settings;
  const message = encoder.refusal(rcode, head, query, { payload: limits.udpPayload, recursion: forward !== undefined });
  onEvent({ kind: 'answered', transport: sender.transport, type: query?.type ?? '-', rcode, bytes: message.length, truncated: false });
  return [message];
}

function failed(room: Room, query: Query, sender: Sender, error: unknown): Messages {
  room.settings.onEvent({ kind: 'failed', what: 'answer', error });
  return refused(room, 'SERVFAIL', { head: query, query, sender });
}

/**
 * Resolves the outside names of an answer concurrently, up to the limit. Returns a reply for each, or undefined if it failed or timed out.
 * Mirrors A and AAAA (CoreDNS 1.14, plugin/backend_lookup.go), which have no such limits and resolve one name after the other.
 */
export async function lookUpOutside(
  { outside, alsoOutside = [] }: DnsAnswer,
  { resolver, limits, clock, onEvent }: Pick<DnsSettings, 'limits' | 'clock' | 'onEvent'> & { readonly resolver: Resolver },
  signal: AbortSignal,
): Promise<readonly (DnsReply | undefined)[]> {
  const questions = outside ? [outside, ...alsoOutside].slice(0, limits.outside) : [];
  const end = new AbortController();
  // A resolver may ignore the signal.
  const over = new Promise<never>((_, reject) => {
    end.signal.addEventListener('abort', () => reject(end.signal.reason), { once: true });
  });
  over.catch(() => {});
  const stop = (): void => end.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const call = clock.schedule(() => end.abort(new Error(`no answer within ${limits.outsideMs} ms`)), limits.outsideMs);
  const lookUp = async (question: DnsQuestion): Promise<DnsReply | undefined> => {
    try {
      return await Promise.race([resolver.resolve(question, end.signal), over]);
    } catch (error) {
      onEvent({ kind: 'failed', what: 'outside', error });
      return undefined;
    }
  };
  try {
    return await Promise.all(questions.map(lookUp));
  } finally {
    call.cancel();
    signal.removeEventListener('abort', stop);
  }
}
