import { quote } from 'kube-endpoints/internal/apimachinery';

/** Parses RFC 3339 as Go's time package does; returns the time in UTC or Go's error. */
export function parseTime(text: string, precision: 'seconds' | 'micros'): { readonly text: string } | { readonly problem: string } {
  if (canonicalTime[precision].test(text)) return { text };
  const layout = precision === 'micros' ? '2006-01-02T15:04:05.000000Z07:00' : '2006-01-02T15:04:05Z07:00';
  const formatProblem = (rest: string, element: string): { problem: string } => ({
    problem: `parsing time ${quote(text)} as ${quote(layout)}: cannot parse ${quote(rest)} as ${quote(element)}`,
  });
  const formatRangeProblem = (element: string): { problem: string } => ({
    problem: `parsing time ${quote(text)}: ${element} out of range`,
  });
  let rest = text;
  for (const { pattern, element, range } of precision === 'micros' ? microSteps : secondSteps) {
    const match = pattern.exec(rest);
    if (!match) return formatProblem(rest, element);
    if (range && (Number(match[1]) < range.min || Number(match[1]) > range.max)) return formatRangeProblem(range.name);
    rest = rest.slice(match[0].length);
  }
  if (rest !== '') return { problem: `parsing time ${quote(text)}: extra text: ${quote(rest)}` };
  return hasExistingDay(text) ? { text: toUTC(text, precision) } : formatRangeProblem('day');
}

/** Canonical UTC times with a day from 1 to 28, which need no further checks. */
const canonicalTime: Readonly<Record<'seconds' | 'micros', RegExp>> = {
  seconds: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/,
  micros: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}Z$/,
};

/** Go's zero time. */
export const zeroTime = '0001-01-01T00:00:00Z';
export const zeroMicroTime = '0001-01-01T00:00:00.000000Z';

interface Step {
  readonly pattern: RegExp;
  readonly element: string;
  readonly range?: { readonly name: string; readonly min: number; readonly max: number };
}

const createStep = (pattern: RegExp, element: string): Step => ({ pattern, element });

const createRangedStep = (pattern: RegExp, element: string, name: string, min: number, max: number): Step => ({
  pattern,
  element,
  range: { name, min, max },
});

const stepsUpToMinutes: readonly Step[] = [
  createStep(/^\d{4}/, '2006'),
  createStep(/^-/, '-'),
  createRangedStep(/^(\d\d)/, '01', 'month', 1, 12),
  createStep(/^-/, '-'),
  createStep(/^\d\d/, '02'),
  createStep(/^T/, 'T'),
  createRangedStep(/^(\d\d)/, '15', 'hour', 0, 23),
  createStep(/^:/, ':'),
  createRangedStep(/^(\d\d)/, '04', 'minute', 0, 59),
  createStep(/^:/, ':'),
];
const zoneStep = createStep(/^(?:Z|[+-]\d\d:\d\d)/, 'Z07:00');
const secondSteps: readonly Step[] = [...stepsUpToMinutes, createRangedStep(/^(\d\d)(?:[.,]\d+)?/, '05', 'second', 0, 59), zoneStep];
const microSteps: readonly Step[] = [
  ...stepsUpToMinutes,
  createRangedStep(/^(\d\d)/, '05', 'second', 0, 59),
  createStep(/^\.\d{6}/, '.000000'),
  zoneStep,
];

const timePattern = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

function hasExistingDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = (timePattern.exec(text) ?? []).slice(1, 4).map(Number);
  return day >= 1 && day <= daysIn(year, month);
}

/** Date.UTC reads years below 100 as 19xx; the calendar repeats every 400 years. */
const daysIn = (year: number, month: number): number => new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();

function toUTC(text: string, precision: 'seconds' | 'micros'): string {
  const [, year, month, day, hour, minute, second, fraction = '', sign, hours, minutes] = timePattern.exec(text) as unknown as string[];
  const date = new Date(Date.UTC(2000, Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)));
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const offset = sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  const utcSeconds = new Date(date.getTime() - offset * 60_000).toISOString().slice(0, 19);
  return precision === 'micros' ? `${utcSeconds}.${fraction.padEnd(6, '0').slice(0, 6)}Z` : `${utcSeconds}Z`;
}
