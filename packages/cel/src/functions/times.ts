import { CelFailure } from '../library.ts';

/** Parses an RFC 3339 time like Go's time.Parse; drops fractions of a millisecond. @throws CelFailure */
export function parseTime(text: string): Date {
  const [, date = '', hour = '', minutesAndSeconds = '', fraction = '', zone = ''] =
    (text.length <= maxTimeLength && timePattern.exec(text)) || [];
  const day = Date.parse(`${date}T00:00:00Z`);
  const offset = parseOffset(zone);
  const time = Date.parse(`${date}T${hour.padStart(2, '0')}:${minutesAndSeconds}.${fraction.padEnd(3, '0').slice(0, 3)}Z`);
  const isDay = !Number.isNaN(day) && new Date(day).toISOString().startsWith(date);
  if (date === '' || !isDay || Number.isNaN(time) || Number(hour) > 23 || offset === undefined) {
    throw new CelFailure("type conversion error from 'string' to 'google.protobuf.Timestamp'");
  }
  const value = time - offset;
  if (value < minSeconds * 1000 || value > maxSeconds * 1000 + 999) throw new CelFailure('timestamp overflow');
  return new Date(value);
}

/** Converts seconds since the epoch to a time. @throws CelFailure if the time is outside the years 1 to 9999 */
export function timeFromSeconds(seconds: bigint): Date {
  if (seconds < minSeconds || seconds > maxSeconds) throw new CelFailure('timestamp overflow');
  return new Date(Number(seconds) * 1000);
}

/** The range of google.protobuf.Timestamp: the years 1 to 9999, in seconds since the epoch. */
const minSeconds = -62_135_596_800;
const maxSeconds = 253_402_300_799;

const timePattern = /^(\d{4}-\d\d-\d\d)T(\d{1,2}):(\d\d:\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)$/;
const maxTimeLength = 100;

/** Parses an offset from UTC to milliseconds; undefined if the offset is out of range. */
function parseOffset(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const [hours = 0, minutes = 0] = zone.slice(1).split(':').map(Number);
  // Like Go's time.Parse, accepts 24 hours and 60 minutes.
  if (hours > 24 || minutes > 60) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

/** Parses a duration like Go's time.ParseDuration, in linear time. @throws CelFailure */
export function parseNanoseconds(text: string): bigint {
  const problem = new CelFailure("type conversion error from 'string' to 'google.protobuf.Duration'");
  const isNegative = text.startsWith('-');
  const unsigned = isNegative || text.startsWith('+') ? text.slice(1) : text;
  if (unsigned === '0') return 0n;
  if (unsigned === '' || text.length > maxTimeLength) throw problem;
  let total = 0n;
  let position = 0;
  for (const [part, whole = '', fraction = '', unit = ''] of unsigned.matchAll(/(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/gy)) {
    if (whole === '' && fraction === '') throw problem;
    const factor = nanosecondsByUnit[unit] as bigint;
    total += BigInt(whole || 0) * factor + (BigInt(fraction || 0) * factor) / 10n ** BigInt(fraction.length);
    position += part.length;
  }
  const value = isNegative ? -total : total;
  if (position < unsigned.length || value < -(2n ** 63n) || value >= 2n ** 63n) throw problem;
  return value;
}

const nanosecondsByUnit: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
