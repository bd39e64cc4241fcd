import type { DnsRcode } from 'kube-endpoints/internal';

/** A message that answered a query, and what was told of it. */
export interface KeptAnswer {
  readonly message: Uint8Array;
  readonly type: string;
  readonly rcode: DnsRcode;
  readonly truncated: boolean;
}

/**
 * Answers as they were sent, by the packets that asked for them: the same packet but for its id gets the same answer, as long as no record
 * has changed. So a name that is asked for often costs neither a lookup nor a message written anew.
 */
export interface KeptAnswers {
  /** The answer to a packet with its id; undefined where none is kept. */
  find(packet: Uint8Array): KeptAnswer | undefined;
  keep(packet: Uint8Array, answer: KeptAnswer): void;
}

/** @param revision of the records: what was kept under another one is forgotten */
export function createKeptAnswers(revision: () => number): KeptAnswers {
  let known = revision();
  let [recent, former] = [createGeneration(), createGeneration()];
  const settle = (): void => {
    const now = revision();
    if (now !== known) [recent, former] = [createGeneration(), createGeneration()];
    known = now;
  };
  const put = (key: string, answer: KeptAnswer): void => {
    if (recent.answers.size >= mostAnswers || recent.bytes >= mostBytes) [recent, former] = [createGeneration(), recent];
    recent.answers.set(key, answer);
    recent.bytes += answer.message.length + key.length + overhead;
  };
  return {
    find(packet) {
      settle();
      const key = keyOf(packet);
      let kept = recent.answers.get(key);
      if (!kept) {
        kept = former.answers.get(key);
        if (!kept) return undefined;
        put(key, kept);
      }
      return { ...kept, message: withId(kept.message, packet) };
    },
    keep(packet, answer) {
      settle();
      if (packet.length <= longestQuery && answer.message.length <= longestAnswer) put(keyOf(packet), answer);
    },
  };
}

/** What was not asked for while a whole generation was filled is forgotten with it: two of them are all the memory there is. */
interface Generation {
  readonly answers: Map<string, KeptAnswer>;
  bytes: number;
}

const createGeneration = (): Generation => ({ answers: new Map(), bytes: 0 });

const mostAnswers = 16_384;
const mostBytes = 8 * 1024 * 1024;
/** About what an entry takes beside its bytes. */
const overhead = 200;
/** A name and EDNS with an option or two. */
const longestQuery = 512;
const longestAnswer = 4096;

/** All that an answer hangs on: everything but the id. */
const keyOf = (packet: Uint8Array): string => Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength).toString('latin1', 2);

function withId(message: Uint8Array, packet: Uint8Array): Uint8Array {
  const copy = Buffer.allocUnsafe(message.length);
  copy.set(message);
  copy[0] = packet[0] as number;
  copy[1] = packet[1] as number;
  return copy;
}
