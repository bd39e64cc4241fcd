import type { Colour, Style } from './style.ts';
import { escapeUnprintable, wrap } from './text.ts';

/** A table cell: lines of text and their colour. */
export interface Cell {
  readonly lines: readonly string[];
  readonly colour?: Colour | undefined;
}

/** Creates a cell; empty text becomes "<none>", as in kubectl. */
export const cell = (text: string | number, colour?: Colour): Cell => ({ lines: [String(text) || none], colour });

const none = '<none>';

/** The column separator, as in kubectl's tables. */
const columnSeparator = '   ';
/** Minimum width of the last column; if less room is left, its text is printed on lines below. */
const minLastColumnWidth = 28;

/**
 * Formats a table as kubectl does, one string per line: upper-case headings, columns three spaces apart, no trailing spaces. On a terminal
 * the last column, the only one with free text, is wrapped, or printed below the row if it has too little room.
 */
export function formatTable(headings: readonly string[], rows: readonly (readonly Cell[])[], style: Style, indent = ''): string[] {
  const columnWidths = headings.map((heading, column) => Math.max(heading.length, ...rows.map((row) => widthOf(row[column]))));
  const otherColumnsWidth = indent.length + columnWidths.slice(0, -1).reduce((sum, width) => sum + width + columnSeparator.length, 0);
  const availableWidth = style.width === undefined ? undefined : style.width - otherColumnsWidth;
  const isLastColumnBelow =
    availableWidth !== undefined && availableWidth < minLastColumnWidth && (columnWidths.at(-1) as number) > availableWidth;
  const heading = headings.map((text) => cell(text, 'bold'));
  if (isLastColumnBelow)
    return [
      ...formatStacked([...heading.slice(0, -1), { lines: [] }], columnWidths, style, indent),
      ...rows.flatMap((row) => formatStacked(row, columnWidths, style, indent)),
    ];
  return [heading, ...rows].flatMap((row) => formatInColumns(row, columnWidths, style, indent, availableWidth));
}

const widthOf = (content: Cell | undefined): number => Math.max(0, ...(content?.lines ?? []).map((line) => escapeUnprintable(line).length));

function formatInColumns(
  row: readonly Cell[],
  columnWidths: readonly number[],
  style: Style,
  indent: string,
  availableWidth: number | undefined,
): string[] {
  const lastColumn = columnWidths.length - 1;
  const cells = row.map(({ lines, colour }, column) => {
    const safeLines = lines.map(escapeUnprintable);
    return { lines: column === lastColumn ? safeLines.flatMap((line) => wrap(line, availableWidth)) : safeLines, colour };
  });
  const height = Math.max(...cells.map(({ lines }) => lines.length));
  return Array.from({ length: height }, (_, lineIndex) => {
    const parts = cells.map(({ lines, colour }, column) => {
      const text = lines[lineIndex] ?? '';
      return { painted: style.paint(text, colour), padding: ' '.repeat(Math.max(0, (columnWidths[column] as number) - text.length)) };
    });
    while (parts.length > 0 && parts.at(-1)?.painted === '') parts.pop();
    return (
      indent +
      parts.map(({ painted, padding }, column) => (column === parts.length - 1 ? painted : painted + padding)).join(columnSeparator)
    );
  });
}

function formatStacked(row: readonly Cell[], columnWidths: readonly number[], style: Style, indent: string): string[] {
  const innerIndent = `${indent}    `;
  const wrappedLines = (row.at(-1) as Cell).lines
    .filter((line) => line !== none)
    .map(escapeUnprintable)
    .flatMap((line) => wrap(line, Math.max(minLastColumnWidth, (style.width ?? 0) - innerIndent.length)));
  return [
    ...formatInColumns(row.slice(0, -1), columnWidths.slice(0, -1), { ...style, width: undefined }, indent, undefined),
    ...wrappedLines.map((line) => innerIndent + style.paint(line, row.at(-1)?.colour)),
  ];
}
