import type { Detail } from './outline.ts';
import type { Colour, Style } from './style.ts';
import { printable } from './text.ts';

/** One line of a difference. */
export interface Edit {
  readonly kind: 'same' | 'removed' | 'added';
  readonly line: string;
}

/** The maximum number of line pairs to compare; beyond it, all lines are removed and added. */
const maxComparedPairs = 9_000_000;

/** The shortest edit script from `before` to `after`; removals come first. */
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
  const take = (kind: Edit['kind'], line: string | undefined): void => void edits.push({ kind, line: line as string });
  let [i, j] = [0, 0];
  if (before.length * after.length <= maxComparedPairs) {
    const common = commonLengths(before, after);
    const width = after.length + 1;
    while (i < before.length && j < after.length) {
      if (before[i] === after[j]) {
        take('same', before[i++]);
        j++;
      } else if ((common[(i + 1) * width + j] as number) >= (common[i * width + j + 1] as number)) take('removed', before[i++]);
      else take('added', after[j++]);
    }
  }
  while (i < before.length) take('removed', before[i++]);
  while (j < after.length) take('added', after[j++]);
  return edits;
}

/** For each pair of positions, the length of the longest common subsequence of the remaining lines. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array {
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const at = i * width + j;
      lengths[at] =
        before[i] === after[j]
          ? (lengths[at + width + 1] as number) + 1
          : Math.max(lengths[at + width] as number, lengths[at + 1] as number);
    }
  }
  return lengths;
}

/** Unchanged lines shown around a change. */
const context = 3;

/** A unified difference: replaces unchanged lines far from any change by "...". */
export function unified(edits: readonly Edit[]): Edit[] {
  const near = new Set<number>();
  for (const [at, { kind }] of edits.entries()) {
    if (kind !== 'same') for (let i = at - context; i <= at + context; i++) near.add(i);
  }
  return edits.flatMap((edit, at): Edit[] => {
    if (near.has(at)) return [edit];
    return at === 0 || near.has(at - 1) ? [{ kind: 'same', line: '...' }] : [];
  });
}

/** A unified difference of two outlines: brief if that shows a change, otherwise full. */
export function differences(
  outlines: (detail: Detail) => { readonly before: readonly string[]; readonly after: readonly string[] },
): Edit[] {
  const between = (detail: Detail): Edit[] => {
    const { before, after } = outlines(detail);
    return diffLines(before, after);
  };
  const brief = between('brief');
  return unified(brief.some(({ kind }) => kind !== 'same') ? brief : between('full'));
}

const signs: Readonly<Record<Edit['kind'], { readonly sign: string; readonly colour: Colour | undefined }>> = {
  same: { sign: ' ', colour: undefined },
  removed: { sign: '-', colour: 'red' },
  added: { sign: '+', colour: 'green' },
};

/** One line of a difference with its sign. */
export function formatEdit({ kind, line }: Edit, style: Style): string {
  const { sign, colour } = signs[kind];
  return style.paint(`  ${sign} ${printable(line)}`, colour);
}
