import { type CelDuration, type CelUint, kindOf, nanosecondsOf } from './kinds.ts';

/**
 * Compares like the Compare methods of cel-go 0.26's common/types. Returns a negative or positive number or 0; undefined if the values are
 * not comparable.
 */
export function compareValues(a: unknown, b: unknown): number | undefined {
  const kind = kindOf(a);
  if (isNumeric(kind) && isNumeric(kindOf(b))) return compareNumbers(numberOf(a), numberOf(b));
  return kind === kindOf(b) ? comparers[kind]?.(a as never, b as never) : undefined;
}

export const isComparable = (value: unknown): boolean => isNumeric(kindOf(value)) || kindOf(value) in comparers;

const isNumeric = (kind: string): boolean => kind === 'int' || kind === 'uint' || kind === 'double';

export const numberOf = (value: unknown): number | bigint =>
  typeof value === 'object' ? (value as CelUint).value : (value as number | bigint);

function compareNumbers(a: number | bigint, b: number | bigint): number | undefined {
  if (a < b) return -1;
  if (a > b) return 1;
  return Number.isNaN(a) || Number.isNaN(b) ? undefined : 0;
}

const comparers: Readonly<Record<string, (a: never, b: never) => number>> = {
  bool: (a: boolean, b: boolean) => Number(a) - Number(b),
  string: compareTexts,
  bytes: compareBytes,
  'google.protobuf.Timestamp': (a: Date, b: Date) => a.getTime() - b.getTime(),
  'google.protobuf.Duration': (a: CelDuration, b: CelDuration) => Number(nanosecondsOf(a) - nanosecondsOf(b)),
};

/** Compares by code point, which equals the byte order of UTF-8. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i += 1) {
    const [left, right] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (left !== right) return codeUnitRank(left) - codeUnitRank(right);
  }
  return a.length - b.length;
}

/** Surrogates encode the code points above U+FFFF, so they sort after all other code units. */
const codeUnitRank = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit);

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const index = a.findIndex((byte, i) => byte !== b[i]);
  return index < 0 || index >= b.length ? a.length - b.length : (a[index] as number) - (b[index] as number);
}
