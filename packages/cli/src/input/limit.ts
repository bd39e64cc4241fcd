/** How much is read in all. */
export const inputLimit: number = 256 * 1024 * 1024;

/** Counts what is read from all sources together. */
export interface Allowance {
  left: number;
}

/** All bytes of a source, or undefined as soon as they are more than is allowed. */
export async function readWithin(chunks: AsyncIterable<Uint8Array>, allowance: Allowance): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    allowance.left -= chunk.length;
    if (allowance.left < 0) return undefined;
    parts.push(chunk);
    length += chunk.length;
  }
  if (parts.length === 1) return parts[0] as Uint8Array;
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
