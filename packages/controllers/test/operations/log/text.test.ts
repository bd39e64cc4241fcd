import { expect, test } from 'vitest';
import { formatLine } from '../../../src/operations/log/logger.ts';

const line = (fields: object): string =>
  formatLine(JSON.stringify({ level: 'info', time: '2026-01-31T12:34:56.789Z', ...fields, msg: 'done' }));

test.each<[object, string]>([
  [{}, ''],
  [{ name: 'web', writes: 2, duration: 0.5 }, ' name=web writes=2 duration=0.5'],
  [{ empty: '', text: 'two words' }, ' empty="" text="two words"'],
  [{ list: ['a', 'b'], yes: true }, ' list=["a","b"] yes=true'],
  [{ url: 'http://127.0.0.1:8080' }, ' url=http://127.0.0.1:8080'],
  [{ text: '\u202egnihton' }, ' text="\\u202egnihton"'],
])('%j', (fields, expected) => {
  expect(line(fields)).toBe(`12:34:56.789 info  done${expected}\n`);
});
