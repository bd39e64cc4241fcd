import { describe, expect, it } from 'vitest';
import { fc } from '../../../../test/support/property.ts';
import { createLines } from '../../src/client-node/watch-iterator.ts';

const rest = (lines: ReturnType<typeof createLines>): string[] => {
  const taken: string[] = [];
  for (let line = lines.take(); line !== undefined; line = lines.take()) taken.push(line);
  return taken;
};

describe('lines', () => {
  it('come together however they are cut', () => {
    const texts = fc.array(fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', '')));
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
    fc.assert(
      fc.property(texts, sizes, (given, cuts) => {
        const lines = createLines(10_000);
        const bytes = Buffer.from(given.join('\n'));
        for (let at = 0, i = 0; at < bytes.length; i += 1) {
          const size = cuts[i % cuts.length] as number;
          expect(lines.add(bytes.subarray(at, at + size))).toBe(true);
          at += size;
        }
        lines.finish();
        expect(lines.bytes).toBe(Buffer.byteLength(given.join('')));
        expect(rest(lines)).toEqual(given.filter((line) => line !== ''));
        expect(lines.bytes).toBe(0);
      }),
    );
  });

  it('are there when their end is', () => {
    const lines = createLines(100);
    lines.add(Buffer.from('on'));
    expect(lines.bytes).toBe(0);
    lines.add(Buffer.from('e\ntw'));
    expect(lines.bytes).toBe(3);
    expect(rest(lines)).toEqual(['one']);
    lines.add(Buffer.from('o\n\n'));
    expect(rest(lines)).toEqual(['two']);
    lines.add(Buffer.from('three\nfo'));
    lines.clear();
    lines.add(Buffer.from('ur\n'));
    expect(rest(lines)).toEqual(['ur']);
  });

  it.each([
    ['in one piece', ['123456\n']],
    ['in pieces', ['12', '34', '56']],
    ['after others', ['1\n2\n', '345', '678\n']],
  ])('are refused where they are too long: %s', (_, chunks) => {
    const lines = createLines(5);
    expect(chunks.map((chunk) => lines.add(Buffer.from(chunk))).at(-1)).toBe(false);
  });

  it('may be as long as allowed', () => {
    const lines = createLines(5);
    expect(lines.add(Buffer.from('12345\n123'))).toBe(true);
    expect(lines.add(Buffer.from('45\n'))).toBe(true);
    expect(rest(lines)).toEqual(['12345', '12345']);
  });
});
