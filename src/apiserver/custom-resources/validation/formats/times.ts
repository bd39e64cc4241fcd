/** A day that there is: "2006-01-02". */
export function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined || month < 1 || month > 12 || day < 1) return false;
  // Four hundred years later the calendar is the same, and no year is taken for one of the last century.
  return day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}

export function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t');
  if (time === undefined || !isDate(date)) return false;
  const [, hour = '', minute = '', second = ''] = /^(\d\d):(\d\d):(\d\d)(?:.\d+)?(?:z|[+-]\d\d:\d\d)$/.exec(time) ?? [];
  return hour !== '' && hour <= '23' && minute <= '59' && second <= '59';
}

/** What Go's ParseDuration takes, or numbers with units in words: "3 days". */
export function isDuration(text: string): boolean {
  if (text.length > longest) return false;
  if (/^[-+]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.test(text)) return true;
  return [...text.matchAll(/\d+\s*([A-Za-zµ]+)/g)].some(([, unit = '']) => isUnit(unit.toLowerCase()));
}

/** Looking for units takes the square of the length, at worst. */
const longest = 4096;

const isUnit = (unit: string): boolean => exactUnits.has(unit) || unitBeginnings.some((each) => unit.startsWith(each));

const exactUnits = new Set(['ns', 'us', 'µs', 'ms', 's', 'm', 'h', 'hr', 'd', 'w', 'wk']);
const unitBeginnings: readonly string[] = ['nano', 'micro', 'milli', 'sec', 'min', 'hour', 'day', 'week'];
