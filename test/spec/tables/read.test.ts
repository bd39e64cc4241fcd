import { describe, expect, it } from 'vitest';
import { readSources, readTable, tableNames, toTable } from './read.ts';
import { allReleases, findEdges, parseReleases } from './releases.ts';

const sources = readSources();
const row = { name: 'does something', upstream: 'syncService', expect: { always: 'empty' } };
const createReader =
  (content: object, rest: object = {}) =>
  () =>
    toTable('t.yaml', { title: 't', rows: [{ ...row, ...content }], ...rest }, sources, false);

describe('toTable refuses a table and names the row', () => {
  it.each<[string, object, string]>([
    ['for an unknown key of a row', { podz: [] }, 't.yaml: row "does something": unknown key "podz"'],
    ['for an unknown key of an outcome', { expect: { always: { redy: [] } } }, 't.yaml: row "does something", always: unknown key "redy"'],
    ['for an outcome that its kind of row does not check', { current: {}, expect: { always: { why: 'X' } } }, 'unknown key "why"'],
    ['without an upstream reference', { upstream: undefined }, 'row "does something": no upstream function is named'],
    ['with a pull request as its only reference', { upstream: [110255] }, 'no upstream function is named'],
    ['for an upstream function without a file', { upstream: 'nope' }, 'upstream "nope" is neither in functions.yaml nor in changes.yaml'],
    ['for a name that is not a sentence', { name: 'word' }, 'the name is no sentence'],
    ['for releases without an outcome', { expect: { 'since 1.20': 'empty' } }, 'expect names 1.9.0 0 times'],
    ['for releases with two outcomes', { expect: { always: 'empty', 'before 1.18': 'nothing' } }, 'expect names 1.9.0 2 times'],
    ['for an unknown change', { expect: { 'since 12': 'empty' } }, '"since 12" names no releases'],
    ['for an outcome that expects nothing', { expect: { always: {} } }, 'nothing is expected'],
  ])('%s', (_, content, message) => {
    expect(createReader(content)).toThrow(message);
  });

  it('toTable refuses two rows with the same name', () => {
    expect(createReader({}, { rows: [row, row] })).toThrow('two rows are named "does something"');
  });

  it('toTable refuses an unknown key of the table', () => {
    expect(createReader({}, { row: [] })).toThrow('t.yaml: unknown key "row"');
  });
});

describe('parseReleases', () => {
  const releasesOf = (text: string) => allReleases.filter(parseReleases(text, sources.changes));

  it.each([
    ['always', ['1.9.0', '1.37.15']],
    ['1.21 - 1.26', ['1.21.0', '1.26.15']],
    ['1.21.3 - 1.21.5', ['1.21.3', '1.21.5']],
    ['since 110255', ['1.22.11', '1.22.17', '1.23.8', '1.23.17', '1.24.2', '1.37.15']],
    ['before 110255', ['1.9.0', '1.22.10', '1.23.0', '1.23.7', '1.24.0', '1.24.1']],
    ['since 98969, before 1.23', ['1.21.0', '1.22.17']],
    ['1.37.0 - 1.37.0', ['1.37.0']],
  ])('selects for %j the ranges with the first and last releases %j', (text, edges) => {
    expect(findEdges(releasesOf(text), false)).toStrictEqual(edges);
  });

  it('findEdges returns the first and last release of every minor version in a full run', () => {
    expect(findEdges(releasesOf('1.21 - 1.22'), true)).toStrictEqual(['1.21.0', '1.21.14', '1.22.0', '1.22.17']);
  });
});

it('the tables have at least 150 rows', () => {
  const count = tableNames.map((name) => readTable(name, sources, false).rows.length).reduce((sum, each) => sum + each, 0);
  expect(count).toBeGreaterThanOrEqual(150);
});
