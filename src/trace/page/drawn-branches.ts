import type { TraceItem, TraceStep } from '../trace.ts';
import { drawNotes } from './drawn-notes.ts';
import { type Drawn, drawText, fonts, frame, stack } from './drawn-text.ts';
import { type Markup, markup } from './markup.ts';

/** What goes on at the left, what ends here at the right; where there is only one of them, it has all the room. */
export function drawBranches({ chosen, leftOut }: TraceStep): Drawn {
  const both = chosen.length > 0 && leftOut.length > 0;
  const width = both ? (frame.right - frame.text - GAP) / 2 : frame.right - frame.text;
  const on = drawSide(chosen, { x: frame.text, from: frame.line, width, out: false });
  const outX = both ? frame.text + width + GAP : frame.text;
  const out = drawSide(leftOut, { x: outX, from: both ? outX - 16 : frame.line, width, out: true });
  return {
    height: Math.max(on.height, out.height),
    draw: (y) => markup`${both ? trunk(outX - 16, y) : undefined}${on.draw(y)}${out.draw(y)}`,
  };
}

interface Side {
  readonly x: number;
  /** The x of the line that the branches leave. */
  readonly from: number;
  readonly width: number;
  readonly out: boolean;
}

const GAP = 48;
const PAD = 10;
const MOST = 12;

/** From the line above everything that goes on to the side of what is left out. */
function trunk(x: number, y: number): Markup {
  return markup`<path class="branch out" d="M${frame.line} ${y - 14}Q${frame.line} ${y - 2} ${frame.line + 14} ${y - 2}H${x - 12}Q${x} ${y - 2} ${x} ${y + 10}"/>
`;
}

function drawSide(items: readonly TraceItem[], side: Side): Drawn {
  if (items.length === 0) return stack([]);
  const heading = drawText(`${side.out ? 'Left out' : 'Goes on'}: ${items.length}`, side.x, side.width, fonts.heading, 1);
  const more = items.length > MOST ? [drawText(`and ${items.length - MOST} more`, side.x, side.width, fonts.quiet, 1)] : [];
  const cards = items.slice(0, MOST).map((item) => drawCard(item, side));
  const drawn = stack([heading, ...cards, ...more]);
  return { height: drawn.height, draw: (y) => markup`${stem(side, y, heading.height, cards)}${drawn.draw(y)}` };
}

/** The dashed line down to the last card that is left out, where the line of the way is not at hand. */
function stem({ from, out }: Side, y: number, top: number, cards: readonly Drawn[]): Markup | undefined {
  if (!out || from === frame.line) return undefined;
  const last = cards.slice(0, -1).reduce((sum, { height }) => sum + height, y + top);
  return markup`<path class="branch out" d="M${from} ${y + 10}V${last + 8}"/>
`;
}

function drawCard({ label, notes }: TraceItem, { x, from, width, out }: Side): Drawn {
  const inner = stack([
    drawText(label, x + PAD + 4, width - 2 * PAD - 4, fonts.label, 3),
    drawNotes(notes, x + PAD + 4, width - 2 * PAD - 4, fonts.small),
  ]);
  const height = inner.height + 2 * PAD - 4;
  return {
    height: height + 8,
    draw(y) {
      const middle = y + 20;
      const end = out
        ? markup`<path class="stop" d="M${x} ${y + 6}V${y + height - 6}"/>`
        : markup`<circle class="dot" cx="${x}" cy="${middle}" r="5"/>`;
      return markup`<path class="${out ? 'branch out' : 'branch'}" d="M${from} ${middle - 12}Q${from} ${middle} ${from + 12} ${middle}H${x}"/>
<rect class="${out ? 'card out' : 'card'}" x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/>${end}
${inner.draw(y + PAD - 4)}`;
    },
  };
}
