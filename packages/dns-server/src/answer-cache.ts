import type { DnsRcode } from 'kube-endpoints/internal';

/** A cached response, and the fields reported for it. */
export interface CachedAnswer {
  readonly message: Uint8Array;
  readonly type: string;
  readonly rcode: DnsRcode;
  readonly truncated: boolean;
}

/**
 * A response cache for UDP. The key is the query packet without its ID, and entries are valid until a record changes.
 * A hit needs neither a lookup nor encoding.
 */
export interface AnswerCache {
  /** Returns the cached response with the query's ID; undefined on a miss. */
  find(packet: Uint8Array): CachedAnswer | undefined;
  put(packet: Uint8Array, answer: CachedAnswer): void;
}

/** @param revision returns the current revision of the records; the cache is cleared when it changes */
export function createAnswerCache(revision: () => number): AnswerCache {
  let lastRevision = revision();
  let [recentGeneration, previousGeneration] = [createGeneration(), createGeneration()];
  const clearIfStale = (): void => {
    const currentRevision = revision();
    if (currentRevision !== lastRevision) [recentGeneration, previousGeneration] = [createGeneration(), createGeneration()];
    lastRevision = currentRevision;
  };
  const insert = (key: string, answer: CachedAnswer): void => {
    if (recentGeneration.answers.size >= maxAnswersPerGeneration || recentGeneration.bytes >= maxBytesPerGeneration)
      [recentGeneration, previousGeneration] = [createGeneration(), recentGeneration];
    recentGeneration.answers.set(key, answer);
    recentGeneration.bytes += answer.message.length + key.length + entryOverheadBytes;
  };
  return {
    find(packet) {
      clearIfStale();
      const key = keyOf(packet);
      let cached = recentGeneration.answers.get(key);
      if (!cached) {
        cached = previousGeneration.answers.get(key);
        if (!cached) return undefined;
        insert(key, cached);
      }
      return { ...cached, message: withId(cached.message, packet) };
    },
    put(packet, answer) {
      clearIfStale();
      if (packet.length <= maxQueryBytes && answer.message.length <= maxAnswerBytes) insert(keyOf(packet), answer);
    },
  };
}

/**
 * Half of the cache. When the recent generation is full, it becomes the previous one, and the entries of the previous one are dropped unless
 * they were hit meanwhile.
 * The limits apply to each generation.
 */
interface Generation {
  readonly answers: Map<string, CachedAnswer>;
  bytes: number;
}

const createGeneration = (): Generation => ({ answers: new Map(), bytes: 0 });

const maxAnswersPerGeneration = 16_384;
const maxBytesPerGeneration = 8 * 1024 * 1024;
/** Approximate overhead of an entry, in bytes. */
const entryOverheadBytes = 200;
/** Enough for a name and EDNS with one or two options. */
const maxQueryBytes = 512;
const maxAnswerBytes = 4096;

/** The whole packet except its 2-byte ID. */
const keyOf = (packet: Uint8Array): string => Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength).toString('latin1', 2);

function withId(message: Uint8Array, packet: Uint8Array): Uint8Array {
  const copy = Buffer.allocUnsafe(message.length);
  copy.set(message);
  copy[0] = packet[0] as number;
  copy[1] = packet[1] as number;
  return copy;
}
