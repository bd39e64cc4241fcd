import { dirname, join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readMarkdown } from '../support/markdown.ts';
import { type Entry, entriesOf, isInternal, listFiles, packages, readTextFile } from '../support/repository.ts';

const entries = packages.flatMap(entriesOf).filter((entry) => !isInternal(entry));
const names = new Map(entries.map((entry) => [entry.specifier, namesOf(entry)]));
const distinctNames = new Set([...names.values()].flat());

/** Documents, programs in documents and examples, and the contract tests. Every public name must appear in them as code. */
const documentedNames = new Set(
  [
    ...listFiles('', '.md')
      .filter((path) => !/^(CHANGELOG|docs\/migration|docs\/decisions\/)/.test(path))
      .flatMap((path) => codeIn(readTextFile(path))),
    ...[...listFiles('examples', '.ts'), ...listFiles('test/contract', '.ts'), 'test/package/consumer.ts'].map(readTextFile),
  ].flatMap((code) => code.match(/\w+/g) ?? []),
);

describe('public names', () => {
  // 449 without the entry of the simulator, whose eleven names are `checkRollout`, `checkDrain` and `checkSimulation`, their types, and the
  // tables that they read.
  test('are at most 60 in the root entry and 460 in total', () => {
    console.log(`${distinctNames.size} public names; ${[...names].map(([specifier, list]) => `${specifier} ${list.length}`).join(', ')}`);
    expect(names.get('kube-endpoints')?.length).toBeLessThanOrEqual(60);
    expect(distinctNames.size).toBeLessThanOrEqual(460);
  });

  test('are mentioned by a document, an example or a contract test', () => {
    expect(
      Object.fromEntries([...names].map(([specifier, list]) => [specifier, list.filter((name) => !documentedNames.has(name))])),
    ).toEqual(Object.fromEntries([...names.keys()].map((specifier) => [specifier, []])));
  });

  test('have one import path each', () => {
    const origins = new Map<string, Set<string>>();
    for (const entry of packages.flatMap(entriesOf))
      for (const [name, origin] of originsOf(entry.source)) {
        const key = `${name} of ${origin}`;
        origins.set(key, (origins.get(key) ?? new Set()).add(entry.specifier));
      }
    const repeated = [...origins]
      .filter(([, specifiers]) => specifiers.size > 1)
      .map(([key, specifiers]) => `${key}: ${[...specifiers].join(', ')}`);
    expect(repeated).toEqual([]);
  });
});

function namesOf({ source }: Entry): string[] {
  return [...originsOf(source).keys()].sort();
}

/** The exported names of a module, each with the file that declares it; resolves re-exports. */
function originsOf(path: string): Map<string, string> {
  const source = readTextFile(path);
  const exported = new Map<string, string>();
  for (const [, list = '', from = ''] of source.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)'/gm)) {
    const target = from.startsWith('.') ? posix.normalize(posix.join(dirname(path), from)) : undefined;
    const inner = target === undefined ? new Map<string, string>() : originsOf(target);
    for (const item of list.split(',').flatMap((text) => text.trim() || [])) {
      const [original = '', alias = original] = item.replace(/^type /, '').split(' as ');
      exported.set(alias, inner.get(original) ?? target ?? `${from}#${original}`);
    }
  }
  for (const [, name = ''] of source.matchAll(/^export (?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm))
    exported.set(name, path);
  return exported;
}

/** The code in a document: fenced blocks, and words between backticks. */
function codeIn(markdown: string): string[] {
  const fenced = readMarkdown(markdown).blocks.map(({ text }) => text);
  return [...fenced, ...[...markdown.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)];
}

test('every entry has its own source module', () => {
  expect(new Set(entries.map(({ source }) => join(source))).size).toBe(entries.length);
});
