import type { Optional, Timestamp } from '../types/index.ts';

/**
 * A point in time as RFC 3339 text in UTC, without the final Z and without trailing zeros of the fraction. Comparing such texts
 * compares the times, to the nanosecond.
 */
export type Instant = string;

/**
 * Parses a timestamp. Undefined if the timestamp is absent or Go's zero time.
 * @param field the object and field for the error message, or a function that returns it, to skip building unused names
 * @throws TypeError naming the field, for an invalid text or Date
 */
export function parseInstant(timestamp: Optional<Timestamp>, field: string | (() => string)): Instant | undefined {
  if (timestamp === null || timestamp === undefined) return undefined;
  const text = timestamp instanceof Date ? dateToText(timestamp, field) : timestamp;
  if (typeof text === 'string' && wholeSecondsInUTC.test(text)) return omitZeroTime(text.slice(0, -1));
  if (typeof text === 'string' && millisecondsInUTC.test(text)) return omitZeroTime(text.slice(0, -1).replace(/\.?0+$/, ''));
  const match = typeof text === 'string' ? rfc3339.exec(text) : null;
  const date = match?.[1] as string;
  if (!match || !isDate(date)) throw createTimeError(timestamp, field);
  const milliseconds = Date.parse(`${date}T${match[2]}${match[4]}`);
  if (Number.isNaN(milliseconds)) throw createTimeError(timestamp, field);
  const fraction = (match[3] ?? '').slice(0, nanosecondDigits).replace(/0+$/, '');
  const wholeSeconds = new Date(milliseconds).toISOString().slice(0, -'.000Z'.length);
  return omitZeroTime(fraction === '' ? wholeSeconds : `${wholeSeconds}.${fraction}`);
}

/** Whether the date exists in the calendar. */
function isDate(text: string): boolean {
  const midnight = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(text);
}

/**
 * Prints a time as Go's RFC3339Nano does: RFC 3339 text with as many fractional digits as needed.
 * @param timeZone IANA name such as "Europe/Berlin"; UTC by default
 * @throws RangeError for an unknown time zone
 */
export function formatInstant(instant: Instant, timeZone = 'UTC'): string {
  const offset = timeZone === 'UTC' ? undefined : offsetAt(instant, timeZone);
  if (!offset) return `${instant}Z`;
  const [whole, fraction] = instant.split('.') as [string, string | undefined];
  const local = new Date(Date.parse(`${whole}Z`) + offset.seconds * 1000).toISOString().slice(0, -'.000Z'.length);
  return `${local}${fraction === undefined ? '' : `.${fraction}`}${offset.text}`;
}

/**
 * Computes the UTC offset of a zone at some time; undefined if the offset is zero. The seconds of historic local mean times are not
 * printed.
 */
function offsetAt(instant: Instant, timeZone: string): { readonly text: string; readonly seconds: number } | undefined {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const name = format.formatToParts(new Date(`${instant}Z`)).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes, seconds] = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name) ?? [];
  const total = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
  return total === 0 ? undefined : { text: `${sign}${hours}:${minutes}`, seconds: sign === '-' ? -total : total };
}

/** Fast paths for the most common forms, in UTC. Days 29 to 31 take the slow path, because not every month has them. */
const wholeSecondsInUTC = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;
const millisecondsInUTC = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
const rfc3339 = /^(\d{4}-\d{2}-\d{2})T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d+))?(Z|[+-]\d{2}:\d{2})$/;
const nanosecondDigits = 9;
const zeroTime: Instant = '0001-01-01T00:00:00';

const omitZeroTime = (instant: Instant): Instant | undefined => (instant === zeroTime ? undefined : instant);

const dateToText = (date: Date, field: string | (() => string)): string => {
  if (Number.isNaN(date.getTime())) throw createTimeError(date, field);
  return date.toISOString();
};

const createTimeError = (value: unknown, field: string | (() => string)): TypeError =>
  new TypeError(
    `${typeof field === 'string' ? field : field()}: ${String(value).slice(0, 60)} is not a valid time: give RFC 3339 text such as "2026-01-31T12:00:00Z", or a valid Date`,
  );
