import { parseDuration } from 'kube-endpoints/internal';
import { isDate, isDateTime, isDuration, nanosecondsIn } from '../../formats/times.ts';

/** The bytes of base64, or what was given where it is none. */
export function bytesOf(value: unknown): unknown {
  return typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64')) : value;
}

export const dateOf = (value: unknown): unknown => (typeof value === 'string' && isDate(value) ? new Date(`${value}T00:00:00Z`) : value);

export const timeOf = (value: unknown): unknown => (typeof value === 'string' && isDateTime(value) ? new Date(value) : value);

/** Of what Go reads as a duration, or of numbers with units in words, added up. Mirrors strfmt.ParseDuration (kube-openapi, as of 1.36). */
export function nanosecondsOf(text: string): bigint | undefined {
  if (!isDuration(text)) return undefined;
  try {
    return BigInt(Math.round(parseDuration(text) * 1e6));
  } catch {
    const parts = [...text.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)];
    return parts.reduce((sum, [, count = '0', unit = '']) => sum + BigInt(count) * (nanosecondsIn(unit.toLowerCase()) ?? 0n), 0n);
  }
}
