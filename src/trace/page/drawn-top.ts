import type { Trace } from '../trace.ts';
import { type Drawn, drawText, fonts, frame, gap, stack } from './drawn-text.ts';
import { markup } from './markup.ts';
import { sign } from './signs.ts';
import { outcomeLooks, outcomeWords, startWords } from './words.ts';

/** What was asked, and the answer, above the way. */
export function drawTop(trace: Trace): Drawn {
  const start = startWords(trace);
  return stack([
    drawText(trace.target, frame.margin, WIDTH, fonts.target, 3),
    ...(start === '' ? [] : [drawText(start, frame.margin, WIDTH, fonts.quiet, 2)]),
    gap(14),
    drawVerdict(trace),
  ]);
}

const WIDTH = frame.right - frame.margin;
const PAD = 14;

function drawVerdict({ outcome, verdict }: Trace): Drawn {
  const width = frame.right - PAD - frame.text;
  const inner = stack([
    drawText(outcomeWords[outcome], frame.text, width, fonts.outcome),
    drawText(verdict, frame.text, width, fonts.verdict),
  ]);
  const height = inner.height + 2 * PAD;
  const look = outcomeLooks[outcome];
  return {
    height,
    draw: (y) => markup`<rect class="plate ${look}" x="${frame.margin - 10}" y="${y}" width="${WIDTH + 10}" height="${height}" rx="10"/>
<g transform="translate(${frame.line} ${y + height / 2})">${sign(look)}</g>
${inner.draw(y + PAD - 2)}`,
  };
}
