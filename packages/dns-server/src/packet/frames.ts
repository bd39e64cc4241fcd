/** Cuts what comes over TCP into messages. */
export interface Frames {
  add(chunk: Uint8Array): void;
  /** The next message that is whole; undefined where there is none yet, null where what comes is none. */
  next(): Uint8Array | undefined | null;
}

export function createFrames(): Frames {
  let chunks: Uint8Array[] = [];
  let size = 0;
  const joined = (): Uint8Array => {
    if (chunks.length !== 1) chunks = [Buffer.concat(chunks)];
    return chunks[0] as Uint8Array;
  };
  /** Of the message that is being received, with its length; undefined as long as that is not known. */
  let wanted: number | undefined;
  return {
    add(chunk) {
      chunks.push(chunk);
      size += chunk.length;
    },
    next() {
      if (wanted === undefined && size >= 2) {
        const [high = 0, low = 0] = joined();
        wanted = ((high << 8) | low) + 2;
      }
      if (wanted === undefined) return undefined;
      if (wanted < shortest + 2 || wanted > longest + 2) return null;
      if (size < wanted) return undefined;
      const whole = joined();
      const message = whole.subarray(2, wanted);
      chunks = [whole.subarray(wanted)];
      size -= wanted;
      wanted = undefined;
      return message;
    },
  };
}

/** A header is the least there is. */
const shortest = 12;
/** No query is longer: whoever announces more would have it kept in memory. */
const longest = 4096;

/** A message with its length before it. */
export const framed = (message: Uint8Array): Buffer => Buffer.concat([Uint8Array.of(message.length >> 8, message.length & 255), message]);
