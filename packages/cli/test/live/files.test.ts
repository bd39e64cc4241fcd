import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../../test/support/temporary.ts';
import { replaceFiles } from '../../src/live/files.ts';

test('replaceFiles writes files with their modes and leaves no temporary file', () => {
  const folder = makeFolder();
  const [first, second] = [join(folder, 'a'), join(folder, 'b')];
  writeFileSync(first, 'old');
  replaceFiles([
    { path: first, text: 'new', mode: 0o600 },
    { path: second, text: 'more', mode: 0o644 },
  ]);
  expect([readFileSync(first, 'utf8'), readFileSync(second, 'utf8')]).toStrictEqual(['new', 'more']);
  expect(statSync(first).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toStrictEqual(['a', 'b']);
});

test('replaceFiles leaves no temporary file if a file cannot be replaced', () => {
  const folder = makeFolder();
  mkdirSync(join(folder, 'directory'));
  expect(() => replaceFiles([{ path: join(folder, 'directory'), text: 'x', mode: 0o600 }])).toThrow('EISDIR');
  expect(readdirSync(folder)).toStrictEqual(['directory']);
});
