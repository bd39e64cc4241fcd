import { expect, test } from 'vitest';
import { createClock } from '../../../controllers/test/queue/clock.ts';
import { createCommandLogger, type LogOptions } from '../../src/live/command-log.ts';

/** A logger whose stderr can be made to stop draining. */
function createTestLogger(options: Partial<LogOptions> = {}, { isTTY = false } = {}) {
  const clock = createClock();
  const output: string[] = [];
  const stderr = { isTTY, writableNeedDrain: false, write: (text: string) => void output.push(text) };
  const { log } = createCommandLogger(stderr, { level: 'info', ...options }, clock);
  const lines = () =>
    output
      .join('')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { readonly level: string; readonly msg: string; readonly lines?: number });
  return { log, lines, output, stderr, clock };
}

const longFields = { text: 'x'.repeat(1000) };

test('the command log is text on a terminal and JSON otherwise, unless a format is given', () => {
  const onTerminal = createTestLogger({}, { isTTY: true });
  onTerminal.log('info', 'one');
  expect(onTerminal.output.join('')).toMatch(/ info {2}one\n$/);
  const explicitJson = createTestLogger({ format: 'json' }, { isTTY: true });
  explicitJson.log('info', 'one');
  const piped = createTestLogger();
  piped.log('info', 'one');
  for (const { lines } of [explicitJson, piped]) expect(lines()).toMatchObject([{ level: 'info', msg: 'one' }]);
});

test('the command log buffers lines in order while stderr does not drain, and writes them once it does', async () => {
  const { log, lines, stderr, clock } = createTestLogger();
  log('info', 'one');
  stderr.writableNeedDrain = true;
  log('info', 'two');
  await clock.pass(10_000);
  expect(lines()).toHaveLength(1);
  stderr.writableNeedDrain = false;
  log('info', 'three');
  await clock.pass(100);
  log('info', 'four');
  expect(lines().map(({ msg }) => msg)).toEqual(['one', 'two', 'three', 'four']);
  expect(clock.scheduled).toBe(0);
});

test('the command log buffers at most 1 MiB, and reports how many lines were dropped', async () => {
  const { log, lines, output, stderr, clock } = createTestLogger();
  stderr.writableNeedDrain = true;
  for (let i = 0; i < 5000; i++) log('info', 'much', longFields);
  log('info', 'short');
  stderr.writableNeedDrain = false;
  await clock.pass(100);
  log('info', 'after');
  const bufferedLines = lines().filter(({ msg }) => msg === 'much').length;
  expect(output.join('').length).toBeLessThan(1.1 * 2 ** 20);
  expect(bufferedLines).toBeGreaterThan(900);
  expect(lines().slice(bufferedLines)).toMatchObject([
    { level: 'warn', msg: 'dropped log lines, because standard error was blocked', lines: 5001 - bufferedLines },
    { level: 'info', msg: 'after' },
  ]);
});

test('the command log reports dropped lines at level error if the log level is error', async () => {
  const { log, lines, stderr, clock } = createTestLogger({ level: 'error' });
  stderr.writableNeedDrain = true;
  for (let i = 0; i < 2000; i++) log('error', 'much', longFields);
  stderr.writableNeedDrain = false;
  await clock.pass(100);
  expect(lines().at(-1)).toMatchObject({ level: 'error', msg: 'dropped log lines, because standard error was blocked' });
});
