import { expect, test } from 'vitest';
import { drawingStyle, pageStyle, theme } from '../../../src/trace/page/style.ts';

const blocks = String(theme).split('@media');
const namesIn = (css = ''): string[] => [...css.matchAll(/(--[a-z-]+):/g)].map(([, name]) => name ?? '').sort();

test('light, dark and print themes define the same colours', () => {
  expect(blocks).toHaveLength(3);
  expect(namesIn(blocks[0]).length).toBeGreaterThan(10);
  expect(namesIn(blocks[1])).toEqual(namesIn(blocks[0]));
  expect(namesIn(blocks[2])).toEqual(namesIn(blocks[0]));
});

test('the print theme is light', () => {
  expect(blocks[2]).toContain('--ground:#ffffff');
});

test('every colour in use is defined', () => {
  const usedNames = [...`${drawingStyle}${pageStyle}`.matchAll(/var\((--[a-z-]+)\)/g)].map(([, name]) => name ?? '');
  expect([...new Set(usedNames)].filter((name) => !namesIn(blocks[0]).includes(name) && name !== '--gap')).toEqual([]);
});
