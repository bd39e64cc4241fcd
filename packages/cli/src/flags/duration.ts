import { InvalidArgumentError, Option } from 'commander';

/** Parses a Go duration such as "15s", "1m30s" or "500ms" into milliseconds. @throws InvalidArgumentError */
export function parseDuration(text: string): number {
  const parts = [...text.matchAll(durationPart)];
  const milliseconds = parts.reduce((sum, [, number, unit]) => sum + Number(number) * (units[unit as string] as number), 0);
  const isDuration = text !== '' && parts.map(([matched]) => matched).join('') === text;
  if (text === '0') return 0;
  if (isDuration && milliseconds <= maxMilliseconds) return Math.round(milliseconds);
  throw new InvalidArgumentError('give a duration, such as "15s", "1m30s" or "500ms", of at most 24 days');
}

/** Formats a duration as "5s", or as "2400ms" if it is not a whole number of seconds. */
export const formatDuration = (milliseconds: number): string =>
  milliseconds % 1000 === 0 ? `${milliseconds / 1000}s` : `${milliseconds}ms`;

/** Creates an option for a duration. The help shows the default as a duration, not in milliseconds. */
export const createDurationOption = (flags: string, description: string, parse: (text: string) => number, milliseconds: number): Option =>
  new Option(flags, description).argParser(parse).default(milliseconds, formatDuration(milliseconds));

const durationPart = /(\d+(?:\.\d+)?)(ms|s|m|h)/g;
const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
/** 24 days in milliseconds, just below the maximum delay of a timer. */
const maxMilliseconds = 24 * 24 * 3_600_000;
