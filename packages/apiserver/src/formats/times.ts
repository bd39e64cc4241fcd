/** True for an existing date, such as "2006-01-02". */
export function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined || month < 1 || month > 12 || day < 1) return false;
  // The Gregorian calendar repeats every 400 years; this avoids Date.UTC's mapping of the years 0 to 99 to 1900 to 1999.
  return day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}

export function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t');
  if (time === undefined || !isDate(date)) return false;
  // As in go-openapi's strfmt, any character may precede the fraction.
  const [, hour = '', minute = '', second = ''] = /^(\d\d):(\d\d):(\d\d)(?:.\d+)?(?:z|[+-]\d\d:\d\d)$/.exec(time) ?? [];
  return hour !== '' && hour <= '23' && minute <= '59' && second <= '59';
}

/** True for a duration of Go's ParseDuration, or a text with at least one number and unit, such as "3 days". */
export function isDuration(text: string): boolean {
  if (text.length > maxDurationLength) return false;
  if (/^[-+]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.test(text)) return true;
  return [...text.matchAll(/\d+\s*([A-Za-zµ]+)/g)].some(([, unit = '']) => isUnit(unit.toLowerCase()));
}

/** Maximum length of a duration in characters; limits the search for units, which is quadratic in the worst case. */
const maxDurationLength = 4096;

const isUnit = (unit: string): boolean => nanosecondsIn(unit) !== undefined;

/** Returns the nanoseconds of a lower-case unit, abbreviated or a word; undefined if the unit is unknown. */
export const nanosecondsIn = (unit: string): bigint | undefined =>
  units.find(({ abbreviations, prefix }) => abbreviations.includes(unit) || unit.startsWith(prefix))?.nanoseconds;

const units: readonly { readonly abbreviations: readonly string[]; readonly prefix: string; readonly nanoseconds: bigint }[] = [
  { abbreviations: ['ns'], prefix: 'nano', nanoseconds: 1n },
  { abbreviations: ['us', 'µs'], prefix: 'micro', nanoseconds: 1_000n },
  { abbreviations: ['ms'], prefix: 'milli', nanoseconds: 1_000_000n },
  { abbreviations: ['s'], prefix: 'sec', nanoseconds: 1_000_000_000n },
  { abbreviations: ['m'], prefix: 'min', nanoseconds: 60_000_000_000n },
  { abbreviations: ['h', 'hr'], prefix: 'hour', nanoseconds: 3_600_000_000_000n },
  { abbreviations: ['d'], prefix: 'day', nanoseconds: 86_400_000_000_000n },
  { abbreviations: ['w', 'wk'], prefix: 'week', nanoseconds: 604_800_000_000_000n },
];
