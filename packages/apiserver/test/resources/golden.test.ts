import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { gzippedJsonLines } from '../../../../test/support/jsonl.ts';
import { descriptions, type ResourceKey, readObject } from '../../src/resources/index.ts';
import type { RecordedTable } from './golden/record-tables.ts';
import { recorded, replayed, type Vector } from './golden/replay.ts';

const folder = join(import.meta.dirname, 'golden');
const read = (file: string): string => gunzipSync(readFileSync(join(folder, file))).toString('utf8');
const vectors = gzippedJsonLines<Vector>(join(folder, 'answers.jsonl.gz'));
const tables = JSON.parse(read('tables.json.gz')) as RecordedTable[];
const resources = [...new Set(vectors.map(({ resource }) => resource))];

/** Known differences from kube-apiserver, found by text in its answer. */
const explained: readonly { readonly says: string; readonly why: string }[] = [
  { says: 'resource name may not be empty', why: 'there are no RuntimeClasses, and nobody asks for the one without a name' },
  { says: 'Pod Overhead set without corresponding RuntimeClass', why: 'there are no RuntimeClasses, so overhead is nobody’s to compare' },
  { says: '.nodePort: Duplicate value', why: 'node ports are given out elsewhere; ports of the same number were given the same one' },
];

const explanationOf = (vector: Vector): number => {
  const words = JSON.stringify(vector.answer);
  return explained.findIndex(({ says }) => words.includes(says));
};

describe('recorded answers of kube-apiserver 1.36.3', () => {
  it.each(resources)('%s: the same object, or the same causes', (resource) => {
    const own = vectors.filter((vector) => vector.resource === resource && explanationOf(vector) < 0);
    expect(own.length).toBeGreaterThan(50);
    for (const vector of own) expect(replayed(vector), JSON.stringify(vector.body)).toEqual(recorded(vector));
  });

  it('differ wherever a difference is explained', () => {
    const differing = vectors.filter((vector) => explanationOf(vector) >= 0);
    expect(new Set(differing.map(explanationOf)).size).toBe(explained.length);
    for (const vector of differing) expect(replayed(vector)).not.toEqual(recorded(vector));
  });

  it('are replayed without changes to the input', () => {
    for (const vector of vectors.filter((_, i) => i % 7 === 0)) {
      const before = JSON.stringify(vector);
      replayed(vector);
      expect(JSON.stringify(vector)).toBe(before);
    }
  });
});

describe('recorded tables of kube-apiserver 1.36.3', () => {
  /** Later than every recorded time, so that all ages are positive. */
  const now = new Date('2027-01-01T00:00:00Z');
  const ages = (cells: readonly unknown[]): unknown[] =>
    cells.map((cell) => (typeof cell === 'string' ? cell.replace(/\b\d+[smhdy](?:\d+[smhd])?\b/g, 'some time') : cell));

  it.each(tables.map((table) => [table.resource, table] as const))('%s has the same columns and cells', (resource, { columns, rows }) => {
    const description = descriptions[resource as ResourceKey];
    expect(description.columns).toEqual(columns);
    for (const { object, cells } of rows) {
      const own = description.cells(readObject(description, object).value, now);
      expect(ages(own), JSON.stringify(object)).toEqual(ages(cells));
    }
  });
});
