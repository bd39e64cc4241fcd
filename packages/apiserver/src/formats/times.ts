/** An existing date: "2006-01-02". */
export function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined || month < 1 || month > 12 || day < 1) return false;
  // The Gregorian calendar repeats every 400 years; this avoids Date.UTC's mapping of the years 0 to 99 to 1900 to 1999.
  return day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}

export function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t');
  if (time === undefined || !isDate(date)) return false;
  const [, hour = '', minute = '', second = ''] = /^(\d\d):(\d\d):(\d\d)(?:.\d+)?(?:z|[+-]\d\d:\d\d)$/.exec(time) ?? [];
  return hour !== '' && hour <= '23' && minute <= '59' && second <= '59';
}

/** A duration of Go's ParseDuration, or numbers with unit words: "3 days". */
export function isDuration(text: string): boolean {
  if (text.length > longest) return false;
  if (/^[-+]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.test(text)) return true;
  return [...text.matchAll(/\d+\s*([A-Za-zµ]+)/g)].some(([, unit = '']) => isUnit(unit.toLowerCase()));
}

/** Maximum length in characters: the search for units is quadratic in the worst case. */
const longest = 4096;

const isUnit = (unit: string): boolean => nanosecondsIn(unit) !== undefined;

/** The nanoseconds of a lower-case unit, abbreviated or a word. */
export const nanosecondsIn = (unit: string): bigint | undefined =>
  units.find(({ short, beginning }) => short.includes(unit) || unit.startsWith(beginning))?.nanoseconds;

const units: readonly { readonly short: readonly string[]; readonly beginning: string; readonly nanoseconds: bigint }[] = [
  { short: ['ns'], beginning: 'nano', nanoseconds: 1n },
  { short: ['us', 'µs'], beginning: 'micro', nanoseconds: 1_000n },
  { short: ['ms'], beginning: 'milli', nanoseconds: 1_000_000n },
  { short: ['s'], beginning: 'sec', nanoseconds: 1_000_000_000n },
  { short: ['m'], beginning: 'min', nanoseconds: 60_000_000_000n },
  { short: ['h', 'hr'], beginning: 'hour', nanoseconds: 3_600_000_000_000n },
  { short: ['d'], beginning: 'day', nanoseconds: 86_400_000_000_000n },
  { short: ['w', 'wk'], beginning: 'week', nanoseconds: 604_800_000_000_000n },
];
