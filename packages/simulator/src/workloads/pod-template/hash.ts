import { printPodTemplate } from './print.ts';

/**
 * The label pod-template-hash of a template: `ComputeHash` (1.36, pkg/controller/controller_utils.go).
 * @param collisionCount is undefined until the first collision, and then counts
 */
export function computeHash(template: object, collisionCount: number | undefined): string {
  const bytes = new TextEncoder().encode(printPodTemplate(template));
  let hash = offsetBasis;
  for (const byte of bytes) hash = addByte(hash, byte);
  // Eight bytes, of which four contain the number.
  if (collisionCount !== undefined) for (let i = 0; i < 8; i++) hash = addByte(hash, i < 4 ? (collisionCount >>> (8 * i)) & 0xff : 0);
  return safeEncode(String(hash >>> 0));
}

/** 32-bit FNV-1a */
const offsetBasis = 0x811c9dc5;
const addByte = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193);

/** Replaces digits by characters that do not form words: `rand.SafeEncodeString`. */
const safeEncode = (text: string): string => [...text].map((char) => alphanums[char.charCodeAt(0) % alphanums.length]).join('');

const alphanums = 'bcdfghjklmnpqrstvwxz2456789';
