import { expect, test } from 'vitest';
import { drawNotes, fonts } from '../../../src/trace/page/drawn-text.ts';
import type { TraceNote } from '../../../src/trace/trace.ts';

const note = (message: string, remedy?: string): TraceNote => ({ code: 'Code', message, ...(remedy === undefined ? {} : { remedy }) });
const draw = (...notes: TraceNote[]): string => String(drawNotes(notes, 0, 500, fonts.note).draw(0));

test('drawNotes draws a remedy behind a bar below its sentence', () => {
  expect(draw(note('It is so.', 'Do that.'))).toMatch(/>It is so\.<[\s\S]*class="remedy-bar"[\s\S]*>Fix: Do that\.</);
  expect(draw(note('It is so.'))).not.toContain('remedy');
});

test('drawNotes shows the first eight of many sentences, and counts the rest', () => {
  const svg = draw(...Array.from({ length: 30 }, (_, i) => note(`Sentence ${i}.`)));
  expect(svg.match(/Sentence/g)).toHaveLength(8);
  expect(svg).toContain('and 22 more');
});
