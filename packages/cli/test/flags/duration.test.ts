import { InvalidArgumentError } from 'commander';
import { expect, test } from 'vitest';
import { formatDuration, parseDuration } from '../../src/flags/duration.ts';

test.each([
  ['15s', 15_000],
  ['1m30s', 90_000],
  ['500ms', 500],
  ['1.5s', 1500],
  ['2h', 7_200_000],
  ['0', 0],
  ['0s', 0],
])('parseDuration reads %s as %d milliseconds', (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds);
});

test.each(['', '15', '-1s', 's', '1d', '1s x', '15 s', '600h'])('parseDuration refuses %j as a duration', (text) => {
  expect(() => parseDuration(text)).toThrow(InvalidArgumentError);
});

test.each([
  [0, '0s'],
  [90_000, '90s'],
  [2400, '2400ms'],
])('formatDuration formats %d ms as %s, which parseDuration reads back', (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text);
  expect(parseDuration(text)).toBe(milliseconds);
});
