import { expect, test } from 'vitest';
import { createGap, drawText, fonts, stack } from '../../../src/trace/page/drawn-text.ts';

test('drawText draws each line of a wrapped text', () => {
  const drawn = drawText('one two three', 10, 60, fonts.note);
  const lines = [...String(drawn.draw(100)).matchAll(/y="([\d.]+)">([^<]*)</g)].map(([, y, text]) => [Number(y), text]);
  expect(lines).toEqual([
    [114, 'one two'],
    [134, 'three'],
  ]);
  expect(drawn.height).toBe(40);
});

test('stack places its parts below each other and adds their heights', () => {
  const drawn = stack([drawText('a', 0, 100, fonts.note), createGap(5), drawText('b', 0, 100, fonts.note)]);
  expect(drawn.height).toBe(45);
  expect(String(drawn.draw(0))).toMatch(/y="14">a[\s\S]*y="39">b/);
});

test('stack and drawText give empty parts no height', () => {
  expect([stack([]).height, drawText('', 0, 100, fonts.note).height]).toEqual([0, 0]);
});
