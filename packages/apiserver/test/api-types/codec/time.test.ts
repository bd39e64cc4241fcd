import { expect, test } from 'vitest';
import { parseTime } from '../../../src/api-types/codec/time.ts';

test.each([
  ['2025-06-07T08:09:10Z', '2025-06-07T08:09:10Z'],
  ['2025-06-07T08:09:10.9999Z', '2025-06-07T08:09:10Z'],
  ['2025-06-07T00:09:10+01:30', '2025-06-06T22:39:10Z'],
  ['2024-02-29T23:59:59-00:01', '2024-03-01T00:00:59Z'],
  ['0099-01-01T00:00:00Z', '0099-01-01T00:00:00Z'],
])('parseTime reads %s as %s', (text, utc) => expect(parseTime(text, 'seconds')).toEqual({ text: utc }));

test('parseTime with micros requires six fractional digits', () => {
  expect(parseTime('2025-06-07T08:09:10.123456+00:00', 'micros')).toEqual({ text: '2025-06-07T08:09:10.123456Z' });
  expect(parseTime('2025-06-07T08:09:10Z', 'micros')).toEqual({
    problem: 'parsing time "2025-06-07T08:09:10Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
  });
});

test.each([
  ['yesterday', 'parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"'],
  ['2025-13-01T00:00:00Z', 'parsing time "2025-13-01T00:00:00Z": month out of range'],
  ['2025-02-29T00:00:00Z', 'parsing time "2025-02-29T00:00:00Z": day out of range'],
  ['2025-01-01T24:00:00Z', 'parsing time "2025-01-01T24:00:00Z": hour out of range'],
  ['2025-01-01T00:00:00Zx', 'parsing time "2025-01-01T00:00:00Zx": extra text: "x"'],
])('parseTime refuses %s', (text, problem) => expect(parseTime(text, 'seconds')).toEqual({ problem }));
