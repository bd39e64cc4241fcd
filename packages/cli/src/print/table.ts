import type { Colour, Style } from './style.ts';
import { printable, wrap } from './text.ts';

/** A table cell: lines of text and their colour. */
export interface Cell {
  readonly lines: readonly string[];
  readonly colour?: Colour | undefined;
}

/** Creates a cell; empty text becomes "<none>", as in kubectl. */
export const cell = (text: string | number, colour?: Colour): Cell => ({ lines: [String(text) || '<none>'], colour });

/** The column separator, as in kubectl's tables. */
const gap = '   ';
/** Minimum width of the last column; if less room is left, its text is printed on lines below. */
const minLastColumnWidth = 28;

/**
 * Formats a table as kubectl does, one string per line: upper-case headings, columns three spaces apart, no trailing spaces. On a terminal
 * the last column, the only one with free text, is wrapped, or printed below the row if it has too little room.
 */
export function formatTable(headings: readonly string[], rows: readonly (readonly Cell[])[], style: Style, indent = ''): string[] {
  const columns = headings.map((heading, column) => Math.max(heading.length, ...rows.map((row) => widthOf(row[column]))));
  const fixed = indent.length + columns.slice(0, -1).reduce((sum, width) => sum + width + gap.length, 0);
  const availableWidth = style.width === undefined ? undefined : style.width - fixed;
  const below = availableWidth !== undefined && availableWidth < minLastColumnWidth && (columns.at(-1) as number) > availableWidth;
  const heading = headings.map((text) => cell(text, 'bold'));
  if (below)
    return [
      ...stacked([...heading.slice(0, -1), { lines: [] }], columns, style, indent),
      ...rows.flatMap((row) => stacked(row, columns, style, indent)),
    ];
  return [heading, ...rows].flatMap((row) => inColumns(row, columns, style, indent, availableWidth));
}

const widthOf = (content: Cell | undefined): number => Math.max(0, ...(content?.lines ?? []).map((line) => printable(line).length));

function inColumns(
  row: readonly Cell[],
  columns: readonly number[],
  style: Style,
  indent: string,
  availableWidth: number | undefined,
): string[] {
  const last = columns.length - 1;
  const cells = row.map(({ lines, colour }, at) => {
    const shown = lines.map(printable);
    return { lines: at === last ? shown.flatMap((line) => wrap(line, availableWidth)) : shown, colour };
  });
  const height = Math.max(...cells.map(({ lines }) => lines.length));
  return Array.from({ length: height }, (_, at) => {
    const parts = cells.map(({ lines, colour }, column) => {
      const text = lines[at] ?? '';
      return { painted: style.paint(text, colour), padding: ' '.repeat(Math.max(0, (columns[column] as number) - text.length)) };
    });
    while (parts.length > 0 && parts.at(-1)?.painted === '') parts.pop();
    return indent + parts.map(({ painted, padding }, column) => (column === parts.length - 1 ? painted : painted + padding)).join(gap);
  });
}

function stacked(row: readonly Cell[], columns: readonly number[], style: Style, indent: string): string[] {
  const deeper = `${indent}    `;
  const text = (row.at(-1) as Cell).lines
    .map(printable)
    .flatMap((line) => wrap(line, Math.max(minLastColumnWidth, (style.width ?? 0) - deeper.length)));
  return [
    ...inColumns(row.slice(0, -1), columns.slice(0, -1), { ...style, width: undefined }, indent, undefined),
    ...text.map((line) => deeper + style.paint(line, row.at(-1)?.colour)),
  ];
}
