import { parseDuration } from '../../../go/index.ts';
import { isDate, isDateTime, isDuration } from '../validation/formats/times.ts';

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
    return parts.reduce((sum, [, count = '0', unit = '']) => sum + BigInt(count) * unitOf(unit.toLowerCase()), 0n);
  }
}

function unitOf(unit: string): bigint {
  return units.find(({ exact, beginning }) => exact.includes(unit) || unit.startsWith(beginning))?.nanoseconds ?? 0n;
}

const units: readonly { readonly exact: readonly string[]; readonly beginning: string; readonly nanoseconds: bigint }[] = [
  { exact: ['ns'], beginning: 'nano', nanoseconds: 1n },
  { exact: ['us', 'µs'], beginning: 'micro', nanoseconds: 1_000n },
  { exact: ['ms'], beginning: 'milli', nanoseconds: 1_000_000n },
  { exact: ['s'], beginning: 'sec', nanoseconds: 1_000_000_000n },
  { exact: ['m'], beginning: 'min', nanoseconds: 60_000_000_000n },
  { exact: ['h', 'hr'], beginning: 'hour', nanoseconds: 3_600_000_000_000n },
  { exact: ['d'], beginning: 'day', nanoseconds: 86_400_000_000_000n },
  { exact: ['w', 'wk'], beginning: 'week', nanoseconds: 604_800_000_000_000n },
];
