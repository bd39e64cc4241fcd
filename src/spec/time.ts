import type { Optional, Timestamp } from '../types/index.ts';

/**
 * A point in time as RFC 3339 text in UTC, without the final Z, without trailing zeros of the fraction: such texts
 * compare like the times they stand for, to the nanosecond.
 */
export type Instant = string;

/**
 * Reads a timestamp; undefined where there is none, or it is Go's zero time.
 * @param field names the object and the field, or a function that does: most timestamps need no name
 * @throws TypeError naming the field, for a text or Date that is no time
 */
export function readInstant(timestamp: Optional<Timestamp>, field: string | (() => string)): Instant | undefined {
  if (timestamp === null || timestamp === undefined) return undefined;
  const text = timestamp instanceof Date ? dateText(timestamp, field) : timestamp;
  if (typeof text === 'string' && wholeSecondsInUTC.test(text)) return unlessZero(text.slice(0, -1));
  const match = typeof text === 'string' ? rfc3339.exec(text) : null;
  const date = match?.[1] as string;
  if (!match || !isDate(date)) throw invalid(timestamp, field);
  const seconds = Date.parse(`${date}T${match[2]}${match[4]}`);
  if (Number.isNaN(seconds)) throw invalid(timestamp, field);
  const fraction = (match[3] ?? '').slice(0, nanoseconds).replace(/0+$/, '');
  const whole = new Date(seconds).toISOString().slice(0, -'.000Z'.length);
  return unlessZero(fraction === '' ? whole : `${whole}.${fraction}`);
}

/** Whether that day is in that month. */
function isDate(text: string): boolean {
  const midnight = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(text);
}

/**
 * RFC 3339 text with as many fractional digits as it takes, as Go's RFC3339Nano prints a time.
 * @param timeZone IANA name such as "Europe/Berlin"; UTC by default
 * @throws RangeError for a zone that is none
 */
export function formatInstant(instant: Instant, timeZone = 'UTC'): string {
  const offset = timeZone === 'UTC' ? undefined : offsetAt(instant, timeZone);
  if (!offset) return `${instant}Z`;
  const [whole, fraction] = instant.split('.') as [string, string | undefined];
  const local = new Date(Date.parse(`${whole}Z`) + offset.seconds * 1000).toISOString().slice(0, -'.000Z'.length);
  return `${local}${fraction === undefined ? '' : `.${fraction}`}${offset.text}`;
}

/** The offset of a zone from UTC at some time; undefined where there is none. Seconds of old local mean times are not printed. */
function offsetAt(instant: Instant, timeZone: string): { readonly text: string; readonly seconds: number } | undefined {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const name = format.formatToParts(new Date(`${instant}Z`)).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes, seconds] = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name) ?? [];
  const total = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
  return total === 0 ? undefined : { text: `${sign}${hours}:${minutes}`, seconds: sign === '-' ? -total : total };
}

/** By far the most common form, and in the form of an Instant but for the Z; days that not every month has are looked at closer. */
const wholeSecondsInUTC = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;
const rfc3339 = /^(\d{4}-\d{2}-\d{2})T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d+))?(Z|[+-]\d{2}:\d{2})$/;
const nanoseconds = 9;
const zeroTime: Instant = '0001-01-01T00:00:00';

const unlessZero = (instant: Instant): Instant | undefined => (instant === zeroTime ? undefined : instant);

const dateText = (date: Date, field: string | (() => string)): string => {
  if (Number.isNaN(date.getTime())) throw invalid(date, field);
  return date.toISOString();
};

const invalid = (value: unknown, field: string | (() => string)): TypeError =>
  new TypeError(
    `${typeof field === 'string' ? field : field()}: ${String(value).slice(0, 60)} is no time: give RFC 3339 text such as "2026-01-31T12:00:00Z", or a valid Date`,
  );
