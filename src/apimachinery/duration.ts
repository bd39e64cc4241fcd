import { quote } from './go-text.ts';

/**
 * Parses a duration such as "1m30s" to milliseconds.
 * @throws RangeError with the message of Go's time.ParseDuration
 */
export function parseDuration(text: string): number {
  const unsigned = text.replace(/^[-+]/, '');
  if (unsigned === '0') return 0;
  if (unsigned === '') throw createInvalidError(text);
  let total = 0;
  for (let rest = unsigned; rest !== ''; ) {
    const [, number = '', unit = ''] = /^([0-9]*\.?[0-9]*)([^0-9.]*)/.exec(rest) ?? [];
    if (!/[0-9]/.test(number)) throw createInvalidError(text);
    if (unit === '') throw new RangeError(`time: missing unit in duration ${quote(text)}`);
    const factor = millisecondsPerUnit.get(unit);
    if (factor === undefined) throw new RangeError(`time: unknown unit ${quote(unit)} in duration ${quote(text)}`);
    total += Number(number) * factor;
    rest = rest.slice(number.length + unit.length);
  }
  if (total > maxMilliseconds) throw createInvalidError(text);
  return text.startsWith('-') ? -total : total;
}

const createInvalidError = (text: string): RangeError => new RangeError(`time: invalid duration ${quote(text)}`);

const millisecondsPerUnit: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['\u00b5s', 1e-3],
  ['\u03bcs', 1e-3],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

/** 2^63 nanoseconds, in milliseconds. */
const maxMilliseconds = 2 ** 63 / 1e6;
