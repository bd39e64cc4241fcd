import type { TraceNote } from '../trace.ts';
import { type Markup, markup } from './markup.ts';

/** A drawing of known height that can be placed anywhere. */
export interface Drawing {
  readonly height: number;
  draw(y: number): Markup;
}

/** The coordinates of the picture's columns. */
export const frame = { width: 960, margin: 36, railX: 56, textX: 96, right: 924 } as const;

type FontName = 'target' | 'outcome' | 'verdict' | 'stage' | 'title' | 'note' | 'quiet' | 'heading' | 'label' | 'small';

export const fonts: Readonly<Record<FontName, Font>> = {
  target: { class: 'target', size: 26, line: 34, fixed: true },
  outcome: { class: 'outcome', size: 17, line: 25, bold: true },
  verdict: { class: 'verdict', size: 17, line: 25 },
  stage: { class: 'stage', size: 12.5, line: 18, bold: true },
  title: { class: 'title', size: 18, line: 26, bold: true },
  note: { class: 'note', size: 14, line: 20 },
  quiet: { class: 'note quiet', size: 14, line: 20 },
  heading: { class: 'heading', size: 13.5, line: 22, bold: true },
  label: { class: 'label', size: 13.3, line: 19, fixed: true },
  small: { class: 'small', size: 13, line: 18 },
};

/** Draws `text` at x, wrapped into lines of at most `width`. */
export function drawText(text: string, x: number, width: number, font: Font, maxLines = 6): Drawing {
  const lines = wrap(text, width, font, maxLines);
  return {
    height: lines.length * font.line,
    draw: (y) =>
      markup`${lines.map((line, i) => markup`<text class="${font.class}" x="${x}" y="${y + font.size + i * font.line}">${line}</text>`)}
`,
  };
}

/** Creates vertical space. */
export function createGap(height: number): Drawing {
  return { height, draw: () => markup`` };
}

/** Stacks drawings vertically. */
export function stack(drawings: readonly Drawing[]): Drawing {
  return {
    height: drawings.reduce((sum, { height }) => sum + height, 0),
    draw(top) {
      let y = top;
      const contents = drawings.map((drawing) => {
        const drawingY = y;
        y += drawing.height;
        return drawing.draw(drawingY);
      });
      return markup`${contents}`;
    },
  };
}

const MAX_NOTES = 8;
const BAR_WIDTH = 12;

/** Draws the first MAX_NOTES notes, each with its fix next to a vertical bar, and the number of remaining notes. */
export function drawNotes(notes: readonly TraceNote[], x: number, width: number, font: Font): Drawing {
  const remainder =
    notes.length > MAX_NOTES ? [drawText(`and ${notes.length - MAX_NOTES} more`, x, width, { ...fonts.small, class: 'small quiet' })] : [];
  return stack([...notes.slice(0, MAX_NOTES).flatMap((note) => drawNote(note, x, width, font)), ...remainder]);
}

function drawNote({ message, remedy }: TraceNote, x: number, width: number, font: Font): Drawing[] {
  const text = drawText(message, x, width, font);
  if (remedy === undefined) return [text];
  const fix = drawText(`Fix: ${remedy}`, x + BAR_WIDTH, width - BAR_WIDTH, font);
  const fixWithBar: Drawing = {
    height: fix.height + 6,
    draw: (y) => markup`<rect class="remedy-bar" x="${x}" y="${y + 3}" width="3" height="${fix.height}" rx="1.5"/>${fix.draw(y + 2)}`,
  };
  return [text, fixWithBar];
}

/** The font of a text. SVG does not wrap lines, so widths must be computed in advance. */
export interface Font {
  readonly class: string;
  readonly size: number;
  readonly line: number;
  /** Whether the font is monospaced. */
  readonly fixed?: boolean;
  readonly bold?: boolean;
}

/** The estimated width of `text` in common fonts; errs on the wide side. */
export function measureWidth(text: string, { size, fixed, bold }: Font): number {
  let ems = 0;
  for (const character of text) ems += emsOf(character, fixed === true);
  return ems * size * (bold === true && fixed !== true ? BOLD_FACTOR : 1);
}

/**
 * Wraps `text` into lines of at most `width`, at spaces, and inside a word only if it is wider than a line. Text beyond `maxLines` lines is
 * cut with an ellipsis.
 */
export function wrap(text: string, width: number, font: Font, maxLines = 12): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of splitIntoWords(text, width, font, maxLines)) {
    const extendedLine = line === '' ? word : `${line} ${word}`;
    if (measureWidth(extendedLine, font) <= width) {
      line = extendedLine;
      continue;
    }
    if (lines.length === maxLines - 1) return [...lines, truncate(extendedLine, width, font)];
    lines.push(line);
    line = word;
  }
  return line === '' ? lines : [...lines, line];
}

/** The longest prefix of `text` that fits into `width` with an ellipsis. */
function truncate(text: string, width: number, font: Font): string {
  let prefix = '';
  for (const character of text) {
    if (measureWidth(`${prefix}${character}…`, font) > width) break;
    prefix += character;
  }
  return `${prefix.trimEnd()}…`;
}

/**
 * Splits `text` into words, and words wider than a line into pieces. First cuts the text to the number of characters that `maxLines`
 * lines can hold if all are of the narrowest kind.
 */
function splitIntoWords(text: string, width: number, font: Font, maxLines: number): string[] {
  const maxCharacters = Math.ceil((width / (font.size * NARROW_EMS)) * maxLines) + 1;
  const shortenedText = text.trim().length > maxCharacters ? text.trim().slice(0, maxCharacters) : text.trim();
  return shortenedText.split(/\s+/).flatMap((word) => splitWord(word, width, font));
}

function splitWord(word: string, width: number, font: Font): string[] {
  if (measureWidth(word, font) <= width) return word === '' ? [] : [word];
  const completePieces: string[] = [];
  let piece = '';
  for (const character of word) {
    if (piece !== '' && measureWidth(piece + character, font) > width) {
      completePieces.push(piece);
      piece = '';
    }
    piece += character;
  }
  return [...completePieces, piece];
}

const NARROW_EMS = 0.4;
const BOLD_FACTOR = 1.12;

const characterWidths: readonly { readonly letters: RegExp; readonly ems: number }[] = [
  { letters: /[ijltfrI.,:;!'|()[\]/ -]/, ems: NARROW_EMS },
  { letters: /[mMW@%]/, ems: 1 },
  { letters: /[A-Zw<>=+&~_#…]/, ems: 0.8 },
  { letters: /[\u0020-\u02ff]/, ems: 0.64 },
  { letters: /[\u0300-\u036f]/, ems: 0 },
  { letters: /[\u0370-\u10ff\u2010-\u2027]/, ems: 0.75 },
];

function emsOf(character: string, fixed: boolean): number {
  if (fixed) return character <= '\u10ff' || character === '…' ? 0.61 : 1.1;
  return characterWidths.find(({ letters }) => letters.test(character))?.ems ?? 1.1;
}
