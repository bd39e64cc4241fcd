import { describe, expect, it } from 'vitest';
import { formatInstant, parseInstant } from '../../src/spec/time.ts';

describe('parseInstant', () => {
  it.each([
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00'],
    ['2026-01-31T12:00:00.5Z', '2026-01-31T12:00:00.5'],
    ['2026-01-31T12:00:00.123456789Z', '2026-01-31T12:00:00.123456789'],
    ['2026-01-31T12:00:00.1234567899Z', '2026-01-31T12:00:00.123456789'],
    ['2026-01-31T12:00:00.120000000Z', '2026-01-31T12:00:00.12'],
    ['2026-01-31T12:00:00.000Z', '2026-01-31T12:00:00'],
    ['2026-01-31T23:30:00-02:30', '2026-02-01T02:00:00'],
    ['2026-02-01T00:30:00.25+02:00', '2026-01-31T22:30:00.25'],
    ['2026-01-31T12:00:00+00:00', '2026-01-31T12:00:00'],
    ['0001-01-01T00:00:01Z', '0001-01-01T00:00:01'],
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59'],
    ['2026-12-09T09:08:07Z', '2026-12-09T09:08:07'],
    ['2026-10-30T20:59:59Z', '2026-10-30T20:59:59'],
  ])('reads %s as %s', (text, expected) => {
    expect(parseInstant(text, 'f')).toBe(expected);
  });

  it.each([null, undefined, '0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z', '0001-01-01T01:00:00+01:00'])(
    'reads %s as undefined',
    (timestamp) => {
      expect(parseInstant(timestamp, 'f')).toBeUndefined();
    },
  );

  it('reads a Date, to the millisecond', () => {
    expect(parseInstant(new Date('2026-01-31T12:00:00.250Z'), 'f')).toBe('2026-01-31T12:00:00.25');
    expect(parseInstant(new Date('2026-01-31T12:00:00Z'), 'f')).toBe('2026-01-31T12:00:00');
  });

  it.each([
    '',
    'now',
    '2026-01-31',
    '2026-01-31T12:00:00',
    '2026-01-31 12:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-01-32T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00.5Z',
    '2026-01-31T24:00:00.5Z',
    '2026-01-31T25:00:00Z',
    '2026-01-31T12:60:00Z',
    '2026-01-31T12:00:61Z',
    '2026-01-31T12:00:00.Z',
    '2026-01-31T12:00:00z',
    ' 2026-01-31T12:00:00Z',
    '2026-01-31T12:00:00Z ',
    'x2026-01-31T12:00:00+01:00',
    '2026-01-31T12:00:00+01:00x',
    '2026-01-31T12:00:00+0100',
    '2026-01-31T12:00:00+99:00',
    '12026-01-31T12:00:00Z',
    '2026-1-31T12:00:00Z',
    'x2026-01-15T12:00:00Z',
    '2026-01-15T12:00:00Zx',
    '6-01-15T12:00:00Z',
    'abcd-01-15T12:00:00Z',
    '2026-13-15T12:00:00Z',
    '2026-00-15T12:00:00Z',
    '2026-1x-15T12:00:00Z',
    '2026-01-00T12:00:00Z',
    '2026-01-0xT12:00:00Z',
    '2026-01-1xT12:00:00Z',
    '2026-02-29T12:00:00Z',
    '2026-01-2xT12:00:00Z',
    '2026-01-15T24:00:00Z',
    '2026-01-15T32:00:00Z',
    '2026-01-15T1x:00:00Z',
    '2026-01-15T12:60:00Z',
    '2026-01-15T12:0x:00Z',
    '2026-01-15T12:00:60Z',
    '2026-01-15T12:00:0xZ',
  ])('refuses %j and names its field', (text) => {
    expect(() => parseInstant(text, 'Pod shop/a status')).toThrow(
      new TypeError(`Pod shop/a status: ${text} is not a valid time: give RFC 3339 text such as "2026-01-31T12:00:00Z", or a valid Date`),
    );
  });

  it('refuses an invalid Date, and values that are neither text nor Date', () => {
    expect(() => parseInstant(new Date('x'), 'f')).toThrow(/^f: Invalid Date is not a valid time/);
    for (const value of [5, ['2026-01-15T12:00:00Z'], ['2026-01-15T12:00:00.5Z'], {}, true]) {
      expect(() => parseInstant(value as unknown as string, 'f')).toThrow(TypeError);
    }
    expect(() => parseInstant(5 as unknown as string, 'f')).toThrow(/^f: 5 is not a valid time/);
  });

  it('truncates a long text in the error', () => {
    expect(() => parseInstant('y'.repeat(1000), 'f')).toThrow(/^f: y{60} is not a valid time/);
  });
});

describe('formatInstant', () => {
  it.each([
    ['2026-01-31T12:00:00', undefined, '2026-01-31T12:00:00Z'],
    ['2026-01-31T12:00:00.000000001', undefined, '2026-01-31T12:00:00.000000001Z'],
    ['2026-01-31T12:00:00', 'UTC', '2026-01-31T12:00:00Z'],
    ['2026-01-31T12:00:00', 'Europe/London', '2026-01-31T12:00:00Z'],
    ['2026-07-31T12:00:00', 'Europe/London', '2026-07-31T13:00:00+01:00'],
    ['2026-01-31T12:00:00', 'Etc/UTC', '2026-01-31T12:00:00Z'],
    ['1850-01-01T12:00:00', 'America/St_Johns', '1850-01-01T08:29:08-03:30'],
    ['2026-01-31T12:00:00', 'Asia/Kathmandu', '2026-01-31T17:45:00+05:45'],
    ['2026-01-31T12:00:00.5', 'Europe/Berlin', '2026-01-31T13:00:00.5+01:00'],
    ['2026-07-31T23:30:00.123456789', 'Europe/Berlin', '2026-08-01T01:30:00.123456789+02:00'],
    ['2026-01-01T01:00:00', 'America/St_Johns', '2025-12-31T21:30:00-03:30'],
    ['2026-07-01T01:00:00', 'America/St_Johns', '2026-06-30T22:30:00-02:30'],
  ])('formats %s in %s as %s', (instant, timeZone, expected) => {
    expect(formatInstant(instant, timeZone)).toBe(expected);
  });

  it('refuses an unknown time zone', () => {
    expect(() => formatInstant('2026-01-31T12:00:00', 'Middle/Earth')).toThrow(RangeError);
  });
});
