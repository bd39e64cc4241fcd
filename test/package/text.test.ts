import { expect, test } from 'vitest';
import { filesIn, textOf } from '../support/repository.ts';

/** Names of local machines and networks, which must not appear in any file. */
const forbidden: readonly RegExp[] = [
  /\bregistry\.(?:[a-z0-9-]+\.)+(?:com|dev|io|net|org)\b/,
  /\bproxy\.golang\b/,
  /\bgoproxy\.[a-z]/,
  /\/work\//,
  /\/root\//,
];

test('no file names a registry host or a path of a machine', () => {
  const texts = filesIn('').map((path) => ({ path, text: textOf(path) }));
  expect(texts.map(({ path }) => path)).toEqual(expect.arrayContaining(['.ci/run', '.npmrc', 'package-lock.json', 'src/index.ts']));
  const readable = texts.filter(({ text }) => !text.includes('\0'));
  const found = readable.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, i) => (forbidden.some((pattern) => pattern.test(line)) ? [`${path}:${i + 1}`] : [])),
  );
  expect(found).toEqual([]);
});

test('every property test uses the common seed', () => {
  const own = filesIn('test', '.ts').filter((path) => /from 'fast-check'/.test(textOf(path)));
  expect(own).toEqual(['test/package/text.test.ts', 'test/support/property.ts']);
});
