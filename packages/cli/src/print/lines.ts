import type { Detail } from './outline.ts';
import type { Colour, Style } from './style.ts';
import { escapeUnprintable } from './text.ts';

/** One line of a difference. */
export interface Edit {
  readonly kind: 'same' | 'removed' | 'added';
  readonly line: string;
}

/** The maximum number of line pairs to compare; beyond it, all lines are removed and added. */
const maxComparedPairs = 9_000_000;

/**
 * Computes the shortest edit script from `before` to `after`; removes and adds all differing lines if there are too many. Replaced lines are
 * removed before their replacements are added.
 */
export function diffLines(before: readonly string[], after: readonly string[]): Edit[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < before.length - head && tail < after.length - head && before[before.length - 1 - tail] === after[after.length - 1 - tail])
    tail++;
  return [
    ...before.slice(0, head).map((line): Edit => ({ kind: 'same', line })),
    ...diffMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map((line): Edit => ({ kind: 'same', line })),
  ];
}

function diffMiddle(before: readonly string[], after: readonly string[]): Edit[] {
  const edits: Edit[] = [];
  const add = (kind: Edit['kind'], line: string | undefined): void => void edits.push({ kind, line: line as string });
  let [i, j] = [0, 0];
  if (before.length * after.length <= maxComparedPairs) {
    const commonLengths = computeCommonLengths(before, after);
    const width = after.length + 1;
    while (i < before.length && j < after.length) {
      if (before[i] === after[j]) {
        add('same', before[i++]);
        j++;
      } else if ((commonLengths[(i + 1) * width + j] as number) >= (commonLengths[i * width + j + 1] as number))
        add('removed', before[i++]);
      else add('added', after[j++]);
    }
  }
  while (i < before.length) add('removed', before[i++]);
  while (j < after.length) add('added', after[j++]);
  return edits;
}

/** Computes, for each pair of positions, the length of the longest common subsequence of the remaining lines. */
function computeCommonLengths(before: readonly string[], after: readonly string[]): Uint32Array {
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const position = i * width + j;
      lengths[position] =
        before[i] === after[j]
          ? (lengths[position + width + 1] as number) + 1
          : Math.max(lengths[position + width] as number, lengths[position + 1] as number);
    }
  }
  return lengths;
}

/** The number of unchanged lines shown before and after a change. */
const contextLineCount = 3;

/** Shortens edits to a unified difference: replaces unchanged lines far from any change by "...". */
export function toUnifiedDiff(edits: readonly Edit[]): Edit[] {
  const shownIndexes = new Set<number>();
  for (const [index, { kind }] of edits.entries()) {
    if (kind !== 'same') for (let i = index - contextLineCount; i <= index + contextLineCount; i++) shownIndexes.add(i);
  }
  return edits.flatMap((edit, index): Edit[] => {
    if (shownIndexes.has(index)) return [edit];
    return index === 0 || shownIndexes.has(index - 1) ? [{ kind: 'same', line: '...' }] : [];
  });
}

/** Computes a unified difference of two objects: of their brief outlines if these differ, otherwise of their full outlines. */
export function diffObjects(
  outlines: (detail: Detail) => { readonly before: readonly string[]; readonly after: readonly string[] },
): Edit[] {
  const diffOutlines = (detail: Detail): Edit[] => {
    const { before, after } = outlines(detail);
    return diffLines(before, after);
  };
  const briefEdits = diffOutlines('brief');
  return toUnifiedDiff(briefEdits.some(({ kind }) => kind !== 'same') ? briefEdits : diffOutlines('full'));
}

const signs: Readonly<Record<Edit['kind'], { readonly sign: string; readonly colour: Colour | undefined }>> = {
  same: { sign: ' ', colour: undefined },
  removed: { sign: '-', colour: 'red' },
  added: { sign: '+', colour: 'green' },
};

/** Formats one line of a difference with its sign. */
export function formatEdit({ kind, line }: Edit, style: Style): string {
  const { sign, colour } = signs[kind];
  return style.paint(`  ${sign} ${escapeUnprintable(line)}`, colour);
}
