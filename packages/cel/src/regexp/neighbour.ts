import type { Assertion } from './node.ts';

/** What stands on one side of a place in the text. */
export type Neighbour = 'edge' | 'newline' | 'word' | 'other';

export function holds(what: Assertion, before: Neighbour, after: Neighbour): boolean {
  if (what === 'beginText') return before === 'edge';
  if (what === 'endText') return after === 'edge';
  if (what === 'beginLine') return before === 'edge' || before === 'newline';
  if (what === 'endLine') return after === 'edge' || after === 'newline';
  return ((before === 'word') !== (after === 'word')) === (what === 'wordBoundary');
}

export function neighbourOf(codePoint: number): Neighbour {
  if (codePoint === 10) return 'newline';
  const isWord = codePoint === 0x5f || (codePoint >= 0x30 && codePoint <= 0x39) || isLetter(codePoint | 0x20);
  return isWord && codePoint < 0x80 ? 'word' : 'other';
}

const isLetter = (lower: number): boolean => lower >= 0x61 && lower <= 0x7a;
