import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readGzippedJsonLines } from '../../../../test/support/jsonl.ts';
import { descriptions, type ResourceKey, readObject } from '../../src/resources/index.ts';
import type { RecordedTable } from './golden/record-tables.ts';
import { recordedOutcome, replayOutcome, type Vector } from './golden/replay.ts';

const folder = join(import.meta.dirname, 'golden');
const read = (file: string): string => gunzipSync(readFileSync(join(folder, file))).toString('utf8');
const vectors = readGzippedJsonLines<Vector>(join(folder, 'answers.jsonl.gz'));
const tables = JSON.parse(read('tables.json.gz')) as RecordedTable[];
const resources = [...new Set(vectors.map(({ resource }) => resource))];

/** Known differences from kube-apiserver, recognized by a text in its answer. */
const knownDifferences: readonly { readonly text: string; readonly reason: string }[] = [
  { text: 'resource name may not be empty', reason: 'this server has no RuntimeClasses and does not look up the empty name' },
  { text: 'Pod Overhead set without corresponding RuntimeClass', reason: 'this server has no RuntimeClasses to compare overhead with' },
  { text: '.nodePort: Duplicate value', reason: 'the replay does not allocate node ports' },
];

const differenceIndex = (vector: Vector): number => {
  const answer = JSON.stringify(vector.answer);
  return knownDifferences.findIndex(({ text }) => answer.includes(text));
};

describe('recorded answers of kube-apiserver 1.36.3', () => {
  it.each(resources)('the replay of %s yields the same object or the same causes', (resource) => {
    const comparable = vectors.filter((vector) => vector.resource === resource && differenceIndex(vector) < 0);
    expect(comparable.length).toBeGreaterThan(50);
    for (const vector of comparable) expect(replayOutcome(vector), JSON.stringify(vector.body)).toEqual(recordedOutcome(vector));
  });

  it('the replay differs for every known difference', () => {
    const differing = vectors.filter((vector) => differenceIndex(vector) >= 0);
    expect(new Set(differing.map(differenceIndex)).size).toBe(knownDifferences.length);
    for (const vector of differing) expect(replayOutcome(vector)).not.toEqual(recordedOutcome(vector));
  });

  it('the replay does not modify the recorded requests', () => {
    for (const vector of vectors.filter((_, i) => i % 7 === 0)) {
      const before = JSON.stringify(vector);
      replayOutcome(vector);
      expect(JSON.stringify(vector)).toBe(before);
    }
  });
});

describe('recorded tables of kube-apiserver 1.36.3', () => {
  /** Later than every recorded time, so that all ages are positive. */
  const now = new Date('2027-01-01T00:00:00Z');
  const withoutAges = (cells: readonly unknown[]): unknown[] =>
    cells.map((cell) => (typeof cell === 'string' ? cell.replace(/\b\d+[smhdy](?:\d+[smhd])?\b/g, 'some time') : cell));

  it.each(tables.map((table) => [table.resource, table] as const))('%s has the same columns and cells', (resource, { columns, rows }) => {
    const description = descriptions[resource as ResourceKey];
    expect(description.columns).toEqual(columns);
    for (const { object, cells } of rows) {
      const ourCells = description.cells(readObject(description, object).value, now);
      expect(withoutAges(ourCells), JSON.stringify(object)).toEqual(withoutAges(cells));
    }
  });
});
