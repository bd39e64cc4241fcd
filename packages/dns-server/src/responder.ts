import { type DnsAnswer, type DnsQuestion, type DnsReply, withOutside } from 'kube-endpoints/dns';
import type { Resolver } from 'kube-endpoints/internal';
import { type AnswerCache, type CachedAnswer, createAnswerCache } from './answer-cache.ts';
import type { DnsSettings } from './options.ts';
import { createEncoder, type Encoder, type ResponseCode } from './packet/encode.ts';
import { parseQuery, type Query, type QueryHead } from './packet/query.ts';
import { maxMessageBytes } from './packet/writer.ts';
import type { Messages, Sender } from './server-event.ts';
import { createTransfers, type Transfers } from './transfers.ts';

/** Answers any packet, valid or not. */
export interface Responder {
  /** Returns synchronously if the records suffice; otherwise a promise, which never rejects. */
  respond(packet: Uint8Array, sender: Sender, signal: AbortSignal): Messages | Promise<Messages>;
}

export function createResponder(settings: DnsSettings): Responder {
  const encoder = createEncoder();
  const cache = settings.revision && createAnswerCache(settings.revision);
  const state: ResponderState = { settings, encoder, transfers: createTransfers(settings, encoder), cache, openQueries: 0 };
  return {
    respond(packet, sender, signal) {
      const cachedAnswer = sender.transport === 'udp' ? findCachedAnswer(state, packet) : undefined;
      if (cachedAnswer) return reportAnswered(state, cachedAnswer, sender);
      const parsedPacket = parseQuery(packet);
      if (parsedPacket.kind === 'drop') {
        settings.onEvent({ kind: 'dropped', transport: sender.transport, reason: parsedPacket.reason });
        return [];
      }
      if (parsedPacket.kind === 'refuse') return refuse(state, parsedPacket.rcode, { ...parsedPacket, sender });
      const { query } = parsedPacket;
      try {
        return answerQuery(state, { query, sender, signal });
      } catch (error) {
        return failQuery(state, query, sender, error);
      }
    },
  };
}

interface ResponderState {
  readonly settings: DnsSettings;
  readonly encoder: Encoder;
  readonly transfers: Transfers;
  /** Cached UDP responses that depend on the records alone. */
  readonly cache: AnswerCache | undefined;
  /** Number of queries that wait for other servers. */
  openQueries: number;
}

interface PendingQuery {
  readonly query: Query;
  readonly sender: Sender;
  readonly signal: AbortSignal;
}

function findCachedAnswer({ cache, settings }: ResponderState, packet: Uint8Array): CachedAnswer | undefined {
  try {
    return cache && settings.ready() ? cache.find(packet) : undefined;
  } catch {
    // The error recurs when the query is answered, and the client then gets SERVFAIL.
    return undefined;
  }
}

function answerQuery(state: ResponderState, pending: PendingQuery): Messages | Promise<Messages> {
  const { query, sender } = pending;
  const { answer, ready, forward, resolver } = state.settings;
  if (query.type === 'AXFR' || query.type === 'IXFR') {
    const transfer = state.transfers.start(query, sender);
    return transfer ?? refuse(state, ready() ? 'REFUSED' : 'SERVFAIL', { head: query, query, sender });
  }
  const dnsAnswer = answer({ name: query.name, type: query.type });
  if (dnsAnswer.reply === undefined) {
    if (!forward || !query.recursionDesired) return refuse(state, 'REFUSED', { head: query, query, sender });
    return answerLater(state, pending, () => forwardQuery(state, pending, forward));
  }
  if (!ready()) return refuse(state, 'SERVFAIL', { head: query, query, sender });
  if (!dnsAnswer.outside) {
    const encodedAnswer = encodeReply(state, dnsAnswer.reply, pending);
    if (sender.transport === 'udp') state.cache?.put(query.packet, encodedAnswer);
    return reportAnswered(state, encodedAnswer, sender);
  }
  if (!resolver) return sendReply(state, withOutside(dnsAnswer, undefined), pending);
  return answerLater(state, pending, () => answerWithOutsideNames(state, dnsAnswer, pending, resolver));
}

/** Answers asynchronously; SERVFAIL if too many queries wait already. */
function answerLater(state: ResponderState, { query, sender }: PendingQuery, work: () => Promise<Messages>): Messages | Promise<Messages> {
  const { limits, onEvent } = state.settings;
  if (state.openQueries >= limits.open) {
    onEvent({ kind: 'dropped', transport: sender.transport, reason: 'crowded' });
    return refuse(state, 'SERVFAIL', { head: query, query, sender });
  }
  state.openQueries += 1;
  return work()
    .catch((error: unknown) => failQuery(state, query, sender, error))
    .finally(() => {
      state.openQueries -= 1;
    });
}

async function answerWithOutsideNames(
  state: ResponderState,
  answer: DnsAnswer,
  pending: PendingQuery,
  resolver: Resolver,
): Promise<Messages> {
  const [first, ...others] = await resolveOutside(answer, { ...state.settings, resolver }, pending.signal);
  return sendReply(state, withOutside(answer, first, ...others), pending);
}

async function forwardQuery(
  state: ResponderState,
  { query, sender, signal }: PendingQuery,
  forward: NonNullable<DnsSettings['forward']>,
): Promise<Messages> {
  const { transport } = sender;
  const event = { kind: 'forwarded', transport, type: query.type } as const;
  try {
    const message = await forward(query.packet, transport, signal);
    state.settings.onEvent({ ...event, failed: false });
    return [message];
  } catch (error) {
    state.settings.onEvent({ ...event, failed: true });
    throw error;
  }
}

const sendReply = (state: ResponderState, reply: DnsReply, pending: PendingQuery): Messages =>
  reportAnswered(state, encodeReply(state, reply, pending), pending.sender);

function encodeReply(
  { settings: { limits, forward }, encoder }: ResponderState,
  reply: DnsReply,
  { query, sender }: PendingQuery,
): CachedAnswer {
  const requestedPayload = Math.max(query.edns?.payload ?? minPayloadBytes, minPayloadBytes);
  const maxBytes = sender.transport === 'tcp' ? maxMessageBytes : Math.min(requestedPayload, limits.udpPayload);
  const message = encoder.encodeReply(query, reply, { maxBytes, payload: limits.udpPayload, isRecursionAvailable: forward !== undefined });
  return { message, type: query.type, rcode: reply.rcode, truncated: ((message[2] as number) & 0x02) !== 0 };
}

function reportAnswered({ settings }: ResponderState, { message, type, rcode, truncated }: CachedAnswer, { transport }: Sender): Messages {
  settings.onEvent({ kind: 'answered', transport, type, rcode, bytes: message.length, truncated });
  return [message];
}

/** The payload size that every client accepts over UDP. */
const minPayloadBytes = 512;

interface RefusedQuery {
  readonly head: QueryHead;
  readonly query?: Query;
  readonly sender: Sender;
}

function refuse({ settings, encoder }: ResponderState, rcode: ResponseCode, { head, query, sender }: RefusedQuery): Messages {
  const { limits, onEvent, forward } = settings;
  const message = encoder.encodeRefusal(rcode, head, query, { payload: limits.udpPayload, isRecursionAvailable: forward !== undefined });
  onEvent({ kind: 'answered', transport: sender.transport, type: query?.type ?? '-', rcode, bytes: message.length, truncated: false });
  return [message];
}

function failQuery(state: ResponderState, query: Query, sender: Sender, error: unknown): Messages {
  state.settings.onEvent({ kind: 'failed', what: 'answer', error });
  return refuse(state, 'SERVFAIL', { head: query, query, sender });
}

/**
 * Resolves the outside names of an answer concurrently, up to the limit. Returns a reply for each, or undefined if it failed or timed out.
 * Mirrors A and AAAA (CoreDNS 1.14, plugin/backend_lookup.go), which have no such limits and resolve one name after the other.
 */
export async function resolveOutside(
  { outside, alsoOutside = [] }: DnsAnswer,
  { resolver, limits, clock, onEvent }: Pick<DnsSettings, 'limits' | 'clock' | 'onEvent'> & { readonly resolver: Resolver },
  signal: AbortSignal,
): Promise<readonly (DnsReply | undefined)[]> {
  const questions = outside ? [outside, ...alsoOutside].slice(0, limits.outside) : [];
  const endController = new AbortController();
  // Rejects on abort, because a resolver can ignore the signal.
  const abortPromise = new Promise<never>((_, reject) => {
    endController.signal.addEventListener('abort', () => reject(endController.signal.reason), { once: true });
  });
  abortPromise.catch(() => {});
  const stop = (): void => endController.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const timeout = clock.schedule(() => endController.abort(new Error(`no answer within ${limits.outsideMs} ms`)), limits.outsideMs);
  const lookUp = async (question: DnsQuestion): Promise<DnsReply | undefined> => {
    try {
      return await Promise.race([resolver.resolve(question, endController.signal), abortPromise]);
    } catch (error) {
      onEvent({ kind: 'failed', what: 'outside', error });
      return undefined;
    }
  };
  try {
    return await Promise.all(questions.map(lookUp));
  } finally {
    timeout.cancel();
    signal.removeEventListener('abort', stop);
  }
}
