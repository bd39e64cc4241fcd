import { expect, test } from 'vitest';
import { drawing, pageStyle, theme } from '../../../src/trace/page/style.ts';

const blocks = String(theme).split('@media');
const namesIn = (css = ''): string[] => [...css.matchAll(/(--[a-z-]+):/g)].map(([, name]) => name ?? '').sort();

test('light, dark and paper give a colour to the same names', () => {
  expect(blocks).toHaveLength(3);
  expect(namesIn(blocks[0]).length).toBeGreaterThan(10);
  expect(namesIn(blocks[1])).toEqual(namesIn(blocks[0]));
  expect(namesIn(blocks[2])).toEqual(namesIn(blocks[0]));
});

test('paper is light', () => {
  expect(blocks[2]).toContain('--ground:#ffffff');
});

test('every colour that is used has been given', () => {
  const used = [...`${drawing}${pageStyle}`.matchAll(/var\((--[a-z-]+)\)/g)].map(([, name]) => name ?? '');
  expect([...new Set(used)].filter((name) => !namesIn(blocks[0]).includes(name) && name !== '--gap')).toEqual([]);
});
