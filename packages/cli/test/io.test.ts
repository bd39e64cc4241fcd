import { describe, expect, test } from 'vitest';
import { type IO, UsageError } from '../src/base/io.ts';
import { main } from '../src/index.ts';
import { createFakeFiles } from './fake-io.ts';

/** Runs a command whose writes to stdout fail. */
async function runWithFailingStdout(failure: unknown): Promise<{ code: number; stderr: string }> {
  const messages: string[] = [];
  const io: IO = {
    stdin: (async function* (): AsyncGenerator<Uint8Array> {})(),
    stdout: {
      write: () => {
        throw failure;
      },
      isTTY: false,
    },
    stderr: { write: (text) => void messages.push(text), isTTY: false },
    env: {},
    files: createFakeFiles({ 'a.json': '{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "a"}}' }),
    version: '1.0.0',
    untilStopped: () => Promise.resolve(),
  };
  const code = await main(['compute', '-f', 'a.json'], io);
  return { code, stderr: messages.filter((text) => text.startsWith('error: ')).join('') };
}

describe('an error while a command runs', () => {
  test.each<[string, unknown, string]>([
    ['a UsageError', new UsageError('give more'), 'error: give more\n'],
    ['an unexpected error', new Error('oh'), 'error: this is a bug in kubectl-endpoints: oh\n'],
    ['a thrown text', 'text', 'error: this is a bug in kubectl-endpoints: text\n'],
    ['a message of several lines', new UsageError('a\nb\u001b[31m'), 'error: a\\u000ab\\u001b[31m\n'],
  ])('is printed in one line with exit code 2: %s', async (_, failure, stderr) => {
    expect(await runWithFailingStdout(failure)).toEqual({ code: 2, stderr });
  });
});

test('UsageError is an Error', () => {
  expect(new UsageError('x')).toBeInstanceOf(Error);
  expect(new Error('x')).not.toBeInstanceOf(UsageError);
});
