import { expect, test } from 'vitest';
import { isEnough, parseTestList, readTestList } from './list.ts';

test('reads tests under their setup, with reasons', () => {
  const text = '# comment\n== server\n[sig-a] one\n\n[sig-a] two\n  fails: not served: jobs\n== manager\n[sig-b] three\n';
  expect(parseTestList(text)).toStrictEqual([
    { name: '[sig-a] one', needs: 'server' },
    { name: '[sig-a] two', needs: 'server', reason: 'not served: jobs' },
    { name: '[sig-b] three', needs: 'manager' },
  ]);
});

test.each([
  ['a test before a heading', 'one\n', 'tests.txt, line 1: a test before the first heading'],
  ['an unknown heading', '== all\n', 'tests.txt, line 1: the headings are server, endpoints, manager, not all'],
  ['a reason without a test', '== server\n  fails: x\n', 'tests.txt, line 2: a reason without a test'],
  ['a test that is listed twice', '== server\none\n== manager\none\n', 'tests.txt, line 4: a second entry for one'],
])('rejects %s', (_, text, message) => {
  expect(() => parseTestList(text)).toThrow(new Error(message));
});

test('the list in this folder has the format', () => {
  expect(readTestList().length).toBeGreaterThan(200);
});

test('a larger setup is enough for the tests of smaller ones', () => {
  expect(isEnough('manager', 'server')).toBe(true);
  expect(isEnough('endpoints', 'endpoints')).toBe(true);
  expect(isEnough('server', 'endpoints')).toBe(false);
});
