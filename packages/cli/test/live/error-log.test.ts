import { expect, test } from 'vitest';
import { startListening } from '../../src/live/embedded.ts';
import { createErrorPrinter } from '../../src/live/error-log.ts';

function createPrinter() {
  const lines: string[] = [];
  let now = 0;
  const print = createErrorPrinter(
    (prefix, text) => void lines.push(`${prefix}: ${text}`),
    () => now,
  );
  return { lines, print, advance: (milliseconds: number) => (now += milliseconds) };
}

test('prints an internal error in one line, with the request and the stack', () => {
  const { lines, print } = createPrinter();
  const error = Object.assign(new TypeError('x is undefined'), {
    stack: 'TypeError: x is undefined\n    at f (a.js:1:2)\n    at g (b.js:3:4)',
  });
  print(error, { method: 'GET', path: '/api/v1/pods' });
  print(error);
  print('text', { method: 'PUT', path: `/${'x'.repeat(1000)}` });
  expect(lines).toStrictEqual([
    'error: GET /api/v1/pods failed: TypeError: x is undefined | at f (a.js:1:2) | at g (b.js:3:4)',
    'error: the API server failed: TypeError: x is undefined | at f (a.js:1:2) | at g (b.js:3:4)',
    `error: PUT /${'x'.repeat(199)} failed: text`,
  ]);
});

test('limits the length of a line, and hides tokens in it', () => {
  const { lines, print } = createPrinter();
  print(`authorization=secret-token-1 ${'x'.repeat(5000)}`);
  expect(lines[0]).toHaveLength('error: the API server failed: '.length + 2000 - 'secret-token-1'.length + 1);
  expect(lines[0]).not.toContain('secret-token');
});

test('prints ten lines in ten seconds, and then how many were left out', () => {
  const { lines, print, advance } = createPrinter();
  for (let i = 0; i < 15; i++) {
    print(`e${i}`);
    advance(600);
  }
  advance(1000);
  for (const each of ['late', 'later']) print(each);
  expect(lines.map((line) => line.replace('error: the API server failed: ', ''))).toStrictEqual([
    ...Array.from({ length: 10 }, (_, i) => `e${i}`),
    'late (5 more errors were not printed)',
    'later',
  ]);
});

test('the embedded API server prints its internal errors', async () => {
  const lines: string[] = [];
  const server = {
    listen: async ({ onError }: { onError: (error: unknown, request: unknown) => void }) => {
      onError('broken', { method: 'GET', path: '/api' });
      return { url: 'https://127.0.0.1:1', token: 't' };
    },
  } as unknown as Parameters<typeof startListening>[0];
  const flags = { host: '127.0.0.1', port: 0, token: undefined, kubeconfigOut: undefined };
  await startListening(server, flags, 0, (prefix, text) => void lines.push(`${prefix}: ${text}`));
  expect(lines).toStrictEqual(['error: GET /api failed: broken']);
});
