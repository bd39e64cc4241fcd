import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { readDocuments } from '../../src/input/documents.ts';

const values = (text: string): unknown[] => [...readDocuments(text)].map(({ content }) => content.error ?? content.value);

describe('YAML documents', () => {
  test('are numbered without the empty documents, and locate their lines', () => {
    const text = '# a\n---\na: 1\n---\n\n# nothing\n--- # b\nb:\n  c: 2\n...\n---\n{"d":\n 3}\n';
    const documents = [...readDocuments(text)];
    expect(documents.map(({ number, content }) => [number, content.error ?? content.value])).toEqual([
      [1, { a: 1 }],
      [2, { b: { c: 2 } }],
      [3, { d: 3 }],
    ]);
    expect(documents.map(({ lineOf }) => lineOf([]))).toEqual([3, 8, 12]);
    expect([documents[1]?.lineOf(['b', 'c']), documents[1]?.lineOf(['b', 'missing']), documents[2]?.lineOf(['d'])]).toEqual([9, 9, 13]);
  });

  test('are not separated by an indented separator in block text', () => {
    expect(values('a: |\n  ---\n  b\n---\nc: 1\n')).toEqual([{ a: '---\nb\n' }, { c: 1 }]);
  });

  test('parse the boolean words of YAML 1.1, unless quoted', () => {
    expect(values('a: yes\nb: Off\nc: "on"\nd: y\ne: yellow\nf: n')).toEqual([
      { a: true, b: false, c: 'on', d: true, e: 'yellow', f: false },
    ]);
  });

  test('keep times, quoted numbers and keys as text', () => {
    expect(values('a: 2026-01-31T12:00:00Z\nb: "1"\n1: x\n')).toEqual([{ '1': 'x', a: '2026-01-31T12:00:00Z', b: '1' }]);
  });

  test('limit an error to its document', () => {
    expect(values('a: "\n---\nb: 1\n---\n{\n---\nc: [\n---\nd: 1\n')).toEqual([
      'not YAML: a quote, bracket or comma is missing; close what was opened',
      { b: 1 },
      'not JSON: the text ends here; give a key in double quotes or "}"',
      expect.stringContaining('not YAML'),
      { d: 1 },
    ]);
  });
});

describe('a long YAML list', () => {
  const items = Array.from({ length: 400 }, (_, i) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `p${i}`, note: `${'x'.repeat(150)}\n- y\n` },
  }));
  const list = { apiVersion: 'v1', items, kind: 'List' };

  test.each([
    ['without indentation, as kubectl prints it', { indentSeq: false }],
    ['with indentation', { indentSeq: true }],
  ])('is read item by item: %s', (_, options) => {
    const text = stringify(list, options);
    expect(text.length).toBeGreaterThan(64 * 1024);
    const documents = [...readDocuments(`# head\n---\n${text}`)];
    expect(documents).toHaveLength(items.length);
    expect(documents.map(({ content }) => content.error ?? (content.value as typeof list).items[0])).toEqual(items);
    expect(documents.map(({ content }) => content)).toMatchObject(items.map(() => ({ value: { kind: 'List' } })));
    expect(documents.map(({ firstItemIndex }) => firstItemIndex)).toEqual([...items.keys()]);
    const line = documents[2]?.lineOf(['items', 2, 'metadata', 'name']) as number;
    expect(`# head\n---\n${text}`.split('\n')[line - 1]).toContain('name: p2');
  });

  test('limits an error to its item', () => {
    const text = stringify(list, { indentSeq: false }).replace('name: p7\n', 'name: "p7\n');
    const documents = [...readDocuments(text)];
    expect(documents.filter(({ content }) => content.error !== undefined).map(({ firstItemIndex }) => firstItemIndex)).toEqual([7]);
  });

  test('is read as a whole if its kind does not end with List', () => {
    const text = stringify({ ...list, kind: 'Menu' }, { indentSeq: false });
    expect(values(text)).toEqual([{ ...list, kind: 'Menu' }]);
  });
});
