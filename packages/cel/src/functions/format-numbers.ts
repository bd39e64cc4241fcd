/** Numbers as Go writes them: the exact decimal digits, the last of them rounded to even where there is a tie. */

/** The number that %f and %e mean by a value; of texts there are some. */
export const doubleOf = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : ({ NaN, Infinity, '-Infinity': -Infinity } as Readonly<Record<string, number>>)[value as string];

/** With a number of digits behind the point, and commas between thousands, as golang.org/x/text writes it for the United States. */
export function fixed(value: number, precision: number): string {
  if (!Number.isFinite(value)) return special(value);
  const [whole = '', fraction] = plain(value, precision).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${value < 0 ? '-' : ''}${grouped}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** The same without commas. */
export const plainFixed = (value: number, precision: number): string =>
  `${value < 0 || Object.is(value, -0) ? '-' : ''}${plain(value, precision)}`;

/** With six digits behind the point, and an exponent of at least two digits. */
export function scientific(value: number): string {
  if (!Number.isFinite(value)) return special(value);
  const { digits, point } = exact(Math.abs(value));
  const rounded = value === 0 ? '0'.repeat(7) : rounding(digits, 7);
  const exponent = value === 0 ? 0 : point - 1 + (rounded.length - 7);
  const power = `${exponent < 0 ? '⁻' : ''}${String(Math.abs(exponent))
    .padStart(2, '0')
    .replace(/\d/g, (digit) => superscripts[Number(digit)] as string)}`;
  return `${value < 0 ? '-' : ''}${rounded[0]}.${rounded.slice(1, 7)}×10${power}`;
}

export function padded(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - text.length)) + text;
}

/** As few digits as say which number it is: strconv's format 'g'. */
export function shortest(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [mantissa = '', exponent = ''] = value.toExponential().split('e');
  if (Number(exponent) >= -4 && Number(exponent) < 6) return String(value);
  return `${mantissa}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

const special = (value: number): string => (Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '-∞');

function plain(value: number, precision: number): string {
  const { digits, point } = exact(Math.abs(value));
  const all = point > 0 ? digits.padEnd(point, '0') : '0'.repeat(1 - point) + digits;
  const whole = Math.max(point, 1);
  const rounded = rounding(all, whole + precision);
  const size = rounded.length - precision;
  return precision === 0 ? rounded : `${rounded.slice(0, size)}.${rounded.slice(size)}`;
}

/** The first of some digits, one more where that is what rounding comes to. */
function rounding(digits: string, count: number): string {
  if (digits.length <= count) return digits.padEnd(count, '0');
  const kept = digits.slice(0, count);
  const rest = digits.slice(count);
  const isTie = /^50*$/.test(rest);
  const up = isTie ? Number(kept.at(-1)) % 2 === 1 : rest >= '5';
  return up ? (BigInt(kept) + 1n).toString().padStart(count, '0') : kept;
}

/** All digits of a number, and how many are before the point. */
function exact(value: number): { readonly digits: string; readonly point: number } {
  const bits = new BigUint64Array(Float64Array.of(value).buffer)[0] as bigint;
  const exponent = Number(bits >> 52n);
  const mantissa = (bits & 0xfffffffffffffn) + (exponent === 0 ? 0n : 1n << 52n);
  const power = Math.max(exponent, 1) - 1075;
  const digits = (power < 0 ? mantissa * 5n ** BigInt(-power) : mantissa << BigInt(power)).toString();
  return { digits, point: digits.length + Math.min(power, 0) };
}
