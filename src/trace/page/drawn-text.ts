import { type Markup, markup } from './markup.ts';
import { type Font, wrap } from './measure.ts';

/** Something of a known height that can be drawn anywhere. */
export interface Drawn {
  readonly height: number;
  draw(y: number): Markup;
}

/** Where things stand in the picture. */
export const frame = { width: 960, margin: 36, line: 56, text: 96, right: 924 } as const;

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

/** `text` at x, broken into lines of at most `width`. */
export function drawText(text: string, x: number, width: number, font: Font, most = 6): Drawn {
  const lines = wrap(text, width, font, most);
  return {
    height: lines.length * font.line,
    draw: (y) =>
      markup`${lines.map((line, i) => markup`<text class="${font.class}" x="${x}" y="${y + font.size + i * font.line}">${line}</text>`)}
`,
  };
}

/** Room between two things. */
export function gap(height: number): Drawn {
  return { height, draw: () => markup`` };
}

/** One below the other. */
export function stack(parts: readonly Drawn[]): Drawn {
  return {
    height: parts.reduce((sum, { height }) => sum + height, 0),
    draw(top) {
      let y = top;
      const drawn = parts.map((part) => {
        const at = y;
        y += part.height;
        return part.draw(at);
      });
      return markup`${drawn}`;
    },
  };
}
