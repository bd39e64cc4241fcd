/** A way of writing in a picture: SVG does not break lines, so that widths have to be known beforehand. */
export interface Font {
  readonly class: string;
  readonly size: number;
  readonly line: number;
  /** Whether every letter is as wide as any other. */
  readonly fixed?: boolean;
  readonly bold?: boolean;
}

/** How wide `text` is at most in the usual faces of such a font: guessed a little too wide rather than too narrow. */
export function widthOf(text: string, { size, fixed, bold }: Font): number {
  let ems = 0;
  for (const character of text) ems += emsOf(character, fixed === true);
  return ems * size * (bold === true && fixed !== true ? BOLD : 1);
}

/**
 * `text` in lines of at most `width`, broken at spaces, and inside a word only where it is wider than a line. What does not fit into `most`
 * lines is cut, with an ellipsis.
 */
export function wrap(text: string, width: number, font: Font, most = 12): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of words(text, width, font, most)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer, font) <= width) {
      line = longer;
      continue;
    }
    if (lines.length === most - 1) return [...lines, cut(longer, width, font)];
    lines.push(line);
    line = word;
  }
  return line === '' ? lines : [...lines, line];
}

/** As much of `text` as fits into `width` with an ellipsis after it. */
function cut(text: string, width: number, font: Font): string {
  let kept = '';
  for (const character of text) {
    if (widthOf(`${kept}${character}…`, font) > width) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

/** The words of `text`, those that are wider than a line in pieces: at most so many characters as `most` lines could hold of the narrowest. */
function words(text: string, width: number, font: Font, most: number): string[] {
  const enough = Math.ceil((width / (font.size * NARROW)) * most) + 1;
  const wide = text.trim().length > enough ? text.trim().slice(0, enough) : text.trim();
  return wide.split(/\s+/).flatMap((word) => pieces(word, width, font));
}

function pieces(word: string, width: number, font: Font): string[] {
  if (widthOf(word, font) <= width) return word === '' ? [] : [word];
  const found: string[] = [];
  let piece = '';
  for (const character of word) {
    if (piece !== '' && widthOf(piece + character, font) > width) {
      found.push(piece);
      piece = '';
    }
    piece += character;
  }
  return [...found, piece];
}

const NARROW = 0.4;
const BOLD = 1.12;

const rows: readonly { readonly letters: RegExp; readonly ems: number }[] = [
  { letters: /[ijltfrI.,:;!'|()[\]/ -]/, ems: NARROW },
  { letters: /[mMW@%]/, ems: 1 },
  { letters: /[A-Zw<>=+&~_#…]/, ems: 0.8 },
  { letters: /[\u0020-\u02ff]/, ems: 0.64 },
  { letters: /[\u0300-\u036f]/, ems: 0 },
  { letters: /[\u0370-\u10ff\u2010-\u2027]/, ems: 0.75 },
];

function emsOf(character: string, fixed: boolean): number {
  if (fixed) return character <= '\u10ff' || character === '…' ? 0.61 : 1.1;
  return rows.find(({ letters }) => letters.test(character))?.ems ?? 1.1;
}
