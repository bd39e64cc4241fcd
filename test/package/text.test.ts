import { expect, test } from 'vitest';
import { listFiles, readTextFile } from '../support/repository.ts';

/** Patterns of local hosts and paths, which must not appear in any file. */
const forbiddenPatterns: readonly RegExp[] = [
  /\bregistry\.(?:[a-z0-9-]+\.)+(?:com|dev|io|net|org)\b/,
  /\bproxy\.golang\b/,
  /\bgoproxy\.[a-z]/,
  /\/work\//,
  /\/root\//,
];

test('no file contains a registry host or a local path', () => {
  const texts = listFiles('').map((path) => ({ path, text: readTextFile(path) }));
  expect(texts.map(({ path }) => path)).toEqual(expect.arrayContaining(['.ci/run', '.npmrc', 'package-lock.json', 'src/index.ts']));
  const textFiles = texts.filter(({ text }) => !text.includes('\0'));
  const occurrences = textFiles.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, i) => (forbiddenPatterns.some((pattern) => pattern.test(line)) ? [`${path}:${i + 1}`] : [])),
  );
  expect(occurrences).toEqual([]);
});

test('property tests import fast-check only through test/support/property.ts, which sets the seed', () => {
  const importers = listFiles('test', '.ts').filter((path) => /from 'fast-check'/.test(readTextFile(path)));
  expect(importers).toEqual(['test/package/text.test.ts', 'test/support/property.ts']);
});
