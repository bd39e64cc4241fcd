import { CelFailure } from '../library.ts';
import { doubleOf, formatFixed, formatScientific, padLeft, writeText } from './format-values.ts';
import { kindOf } from './kinds.ts';
import { checkTextLength } from './limits.ts';
import { numberOf } from './order.ts';

export type ClauseLetter = 's' | 'd' | 'f' | 'e' | 'b' | 'x' | 'X' | 'o';

interface Clause {
  readonly kinds: readonly string[];
  readonly problem: string;
  readonly write: (value: unknown, precision: number | undefined) => string;
}

const createClause = (
  problem: string,
  kinds: readonly string[],
  write: (value: never, precision: number | undefined) => string,
): Clause => ({
  kinds,
  problem,
  write(value, precision) {
    const kind = kindOf(value);
    if (!kinds.includes(kind)) throw new CelFailure(`${problem}, was given ${kind}`);
    return write(value as never, precision);
  },
});

const textClause = createClause(
  'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  [
    ...['string', 'bool', 'bytes', 'int', 'uint', 'double', 'map', 'list', 'type', 'null_type'],
    ...['google.protobuf.Duration', 'google.protobuf.Timestamp'],
  ],
  writeText,
);
const hexClause = createClause(
  'only integers, byte buffers, and strings can be formatted as hex',
  ['int', 'uint', 'string', 'bytes'],
  formatHex,
);

const createFloatClause = (name: string, write: (value: number, precision: number | undefined) => string): Clause =>
  createClause(`${name} clause can only be used on doubles`, ['double', 'string'], (value: unknown, precision) => {
    const double = doubleOf(value);
    if (double === undefined) throw new CelFailure(`${name} clause can only be used on doubles, was given string`);
    checkTextLength(precision ?? 0);
    return write(double, precision);
  });

/** The clauses of `format`, by letter. */
export const clauses: Readonly<Record<ClauseLetter, Clause>> = {
  s: textClause,
  d: createClause('decimal clause can only be used on integers', ['int', 'uint'], (value) => String(numberOf(value))),
  f: createFloatClause('fixed-point', (value, precision = 6) => formatFixed(value, precision)),
  // cel-go uses the precision as the minimum width for this clause.
  e: createFloatClause('scientific', (value, width = 6) => padLeft(formatScientific(value), width)),
  b: createClause('only integers and bools can be formatted as binary', ['int', 'uint', 'bool'], (value: unknown) =>
    typeof value === 'boolean' ? String(Number(value)) : numberOf(value).toString(2),
  ),
  x: hexClause,
  X: { ...hexClause, write: (value: unknown) => hexClause.write(value, undefined).toUpperCase() },
  o: createClause('octal clause can only be used on integers', ['int', 'uint'], (value) => numberOf(value).toString(8)),
};

export const isClauseLetter = (letter: string): letter is ClauseLetter => Object.hasOwn(clauses, letter);

function formatHex(value: unknown): string {
  if (kindOf(value) === 'int' || kindOf(value) === 'uint') return numberOf(value).toString(16);
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : (value as Uint8Array);
  checkTextLength(bytes.length * 2);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
