import type { DnsRcode } from 'kube-endpoints/internal';

/** A cached response, and the fields reported for it. */
export interface KeptAnswer {
  readonly message: Uint8Array;
  readonly type: string;
  readonly rcode: DnsRcode;
  readonly truncated: boolean;
}

/**
 * A response cache for UDP. The key is the query packet without its ID, and entries are valid until a record changes.
 * A hit needs neither a lookup nor encoding.
 */
export interface KeptAnswers {
  /** Returns the cached response with the query's ID; undefined on a miss. */
  find(packet: Uint8Array): KeptAnswer | undefined;
  keep(packet: Uint8Array, answer: KeptAnswer): void;
}

/** @param revision returns the current revision of the records; the cache is cleared when it changes */
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

/**
 * Half of the cache. When the recent generation is full, it replaces the former one: entries that were not hit meanwhile are dropped.
 * The limits apply to each generation.
 */
interface Generation {
  readonly answers: Map<string, KeptAnswer>;
  bytes: number;
}

const createGeneration = (): Generation => ({ answers: new Map(), bytes: 0 });

const mostAnswers = 16_384;
const mostBytes = 8 * 1024 * 1024;
/** Approximate overhead of an entry, in bytes. */
const overhead = 200;
/** Enough for a name and EDNS with one or two options. */
const longestQuery = 512;
const longestAnswer = 4096;

/** The whole packet except its 2-byte ID. */
const keyOf = (packet: Uint8Array): string => Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength).toString('latin1', 2);

function withId(message: Uint8Array, packet: Uint8Array): Uint8Array {
  const copy = Buffer.allocUnsafe(message.length);
  copy.set(message);
  copy[0] = packet[0] as number;
  copy[1] = packet[1] as number;
  return copy;
}
