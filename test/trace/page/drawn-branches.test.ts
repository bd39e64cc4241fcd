import { describe, expect, test } from 'vitest';
import { drawBranches } from '../../../src/trace/page/svg.ts';
import type { TraceItem, TraceStep } from '../../../src/trace/trace.ts';

const items = (count: number): TraceItem[] => Array.from({ length: count }, (_, i) => ({ id: `${i}`, label: `item-${i}`, notes: [] }));
const step = (chosen: number, leftOut: number): TraceStep => ({
  stage: 'endpoints',
  title: '',
  outcome: 'ok',
  notes: [],
  chosen: items(chosen),
  leftOut: items(leftOut),
});
const draw = (chosen: number, leftOut: number): string => String(drawBranches(step(chosen, leftOut)).draw(100));
const cardsOf = (svg: string): number[][] =>
  [...svg.matchAll(/<rect class="card[^"]*" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"/g)].map(([, ...numbers]) => numbers.map(Number));

describe('drawBranches', () => {
  test('draws nothing without items', () => {
    expect(drawBranches(step(0, 0)).height).toBe(0);
    expect(draw(0, 0).trim()).toBe('');
  });

  test('draws chosen and left-out items side by side; one list alone uses the full width', () => {
    const [chosenCard, leftOutCard] = cardsOf(draw(1, 1));
    expect((chosenCard?.[0] ?? 0) + (chosenCard?.[2] ?? 0)).toBeLessThan(leftOutCard?.[0] ?? 0);
    expect(cardsOf(draw(1, 0))[0]?.[2]).toBeGreaterThan(2 * (chosenCard?.[2] ?? 0));
    expect(cardsOf(draw(0, 1))[0]?.[0]).toBe(chosenCard?.[0]);
  });

  test('ends branches with a stop for left-out items, and with a dot for chosen items', () => {
    const count = (svg: string, name: string): number => svg.match(new RegExp(`class="${name}"`, 'g'))?.length ?? 0;
    expect([count(draw(2, 3), 'dot'), count(draw(2, 3), 'stop')]).toEqual([2, 3]);
  });

  test('draws the first 12 items and the number of the others', () => {
    expect(cardsOf(draw(500, 0))).toHaveLength(12);
    expect(draw(500, 0)).toContain('and 488 more');
    expect(draw(12, 0)).not.toContain('more');
  });

  test('returns a height that includes every card', () => {
    const { height, draw: drawAt } = drawBranches(step(3, 5));
    for (const [, y = 0] of cardsOf(String(drawAt(100)))) expect(y + 30).toBeLessThanOrEqual(100 + height);
  });
});
