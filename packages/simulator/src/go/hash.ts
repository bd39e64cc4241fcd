/** The hashes by which Kubernetes names and compares objects, and their text. */

const offsetBasis = 0x811c9dc5;
const prime = 0x01000193;

/** 32-bit FNV-1a; `hash` continues an earlier one. */
export function fnv32a(bytes: Iterable<number>, hash: number = offsetBasis): number {
  let result = hash;
  for (const byte of bytes) result = Math.imul(result ^ byte, prime);
  return result >>> 0;
}

/** 32-bit FNV-1. */
export function fnv32(bytes: Iterable<number>): number {
  let result = offsetBasis;
  for (const byte of bytes) result = Math.imul(result, prime) ^ byte;
  return result >>> 0;
}

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A hash as part of a name, in characters that form no words. Mirrors SafeEncodeString (1.36, apimachinery/pkg/util/rand). */
export const encodeHash = (hash: number): string =>
  Array.from(String(hash), (char) => safeCharacters[char.charCodeAt(0) % safeCharacters.length]).join('');

const safeCharacters = 'bcdfghjklmnpqrstvwxz2456789';
