import type { Trace, TraceItem, TraceStep } from '../trace.ts';
import { type Drawn, drawNotes, drawText, fonts, frame, gap, stack } from './drawn-text.ts';
import { type Markup, markup } from './markup.ts';
import { drawing, theme } from './style.ts';
import { countWords, outcomeStyles, outcomeWords, passes, sentences, sign, stageWords, startWords, stepWords } from './words.ts';

/**
 * Renders the trace as one SVG picture: steps from top to bottom, with chosen items and items that are left out on branches. Long lists are
 * cut and show how many items follow.
 */
export function renderSvg(trace: Trace): string {
  const top = drawTop(trace);
  const stations = placeStations(trace, top.height + frame.margin);
  const end = stations.reduce((y, station) => Math.max(y, station.end), top.height + frame.margin);
  const height = end + 60;
  const picture = markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${frame.width} ${height}" width="${frame.width}" height="${height}" role="img" aria-labelledby="trace-title trace-text">
<title id="trace-title">${[trace.target, startWords(trace)].join(' ').trim()}: ${outcomeWords[trace.outcome]}</title>
<desc id="trace-text">${describeTrace(trace)}</desc>
<style>${theme}${drawing}${svgStyle}</style>
<rect class="ground" width="${frame.width}" height="${height}"/>
${top.draw(frame.margin)}
${stations.map(({ branches }) => branches)}
${stations.map((station, i) => rail(station.y, stations[i + 1]?.y ?? end + 24, station.passes))}
${stations.map(({ words }) => words)}
${drawEnd(trace, end + 24)}
</svg>
`;
  return picture.toString();
}

const svgStyle = markup`.ground{fill:var(--ground)}.target{font-family:ui-monospace,"Cascadia Mono","Liberation Mono",monospace!important;font-size:26px;font-weight:650}
.verdict{font-size:17px}.note{font-size:14px}.label{font-family:ui-monospace,"Cascadia Mono","Liberation Mono",monospace!important;font-size:13px;font-weight:550}
.small{font-size:13px}.heading{font-size:13px;font-weight:650}.end{font-size:20px;font-weight:650}.plate.ok{fill:var(--ok-ground)}.plate.warning{fill:var(--warning-ground)}.plate.error{fill:var(--error-ground)}
.outcome{font-size:17px;font-weight:650}.remedy-bar{fill:var(--link)}
.card{fill:var(--panel);stroke:var(--edge)}.card.out{stroke:var(--cut);stroke-dasharray:5 4}.dot{fill:var(--rail)}
`;

function placeStations({ steps }: Trace, top: number): Station[] {
  const through = passes(steps);
  const stations: Station[] = [];
  for (const [i, step] of steps.entries()) {
    const y = (stations.at(-1)?.end ?? top) + 20;
    stations.push(placeStation(step, i + 1, y, through[i] === true));
  }
  return stations;
}

function rail(from: number, to: number, through: boolean): Markup {
  return markup`<path class="${through ? 'rail' : 'rail cut'}" d="M${frame.line} ${from}V${to}"/>
`;
}

function drawEnd({ outcome }: Trace, y: number): Markup {
  return markup`<g transform="translate(${frame.line} ${y})">${sign(outcomeStyles[outcome])}</g>
<text class="end" x="${frame.text}" y="${y + 7}">${outcomeWords[outcome]}</text>`;
}

/** The picture as text, for screen readers. */
function describeTrace({ verdict, steps }: Trace): string {
  const stepTexts = steps.map((step, i) => {
    const parts = [`${i + 1}. ${stageWords[step.stage]}: ${step.title}`, stepWords[step.outcome], countWords(step)];
    return sentences([parts.filter((part) => part !== '').join(', '), ...step.notes.map(({ message }) => message)]);
  });
  return [sentences([verdict]), ...stepTexts].join('\n');
}

/** The question and the verdict, above the steps. */
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
  const look = outcomeStyles[outcome];
  return {
    height,
    draw: (y) => markup`<rect class="plate ${look}" x="${frame.margin - 10}" y="${y}" width="${WIDTH + 10}" height="${height}" rx="10"/>
<g transform="translate(${frame.line} ${y + height / 2})">${sign(look)}</g>
${inner.draw(y + PAD - 2)}`,
  };
}

/** A positioned step. */
export interface Station {
  /** The y of its sign. */
  readonly y: number;
  readonly end: number;
  readonly passes: boolean;
  /** Markup to draw behind the line. */
  readonly branches: Markup;
  /** Markup to draw in front of the line. */
  readonly words: Markup;
}

/** @param top y of the upper edge */
export function placeStation(step: TraceStep, number: number, top: number, passes: boolean): Station {
  const width = frame.right - frame.text;
  const text = stack([
    drawText(`${number}. ${stageWords[step.stage]} · ${stepWords[step.outcome]}`, frame.text, width, fonts.stage, 1),
    drawText(step.title, frame.text, width, fonts.title, 3),
    gap(3),
    drawNotes(step.notes, frame.text, width, fonts.note),
  ]);
  const branches = drawBranches(step);
  const y = top + 20;
  const below = top + text.height + (branches.height === 0 ? 0 : 14);
  return {
    y,
    end: below + branches.height + 12,
    passes,
    branches: branches.draw(below),
    words: markup`<g transform="translate(${frame.line} ${y})">${sign(step.outcome)}</g>
${text.draw(top)}`,
  };
}

/** Chosen items on the left, left-out items on the right; if only one list has items, it uses the full width. */
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
  /** The x of the line that the branches start from. */
  readonly from: number;
  readonly width: number;
  readonly out: boolean;
}

const GAP = 48;
const inset = 10;
const MAX_CARDS = 12;

/** The line from the main line, above the chosen items, to the column of left-out items. */
function trunk(x: number, y: number): Markup {
  return markup`<path class="branch out" d="M${frame.line} ${y - 14}Q${frame.line} ${y - 2} ${frame.line + 14} ${y - 2}H${x - 12}Q${x} ${y - 2} ${x} ${y + 10}"/>
`;
}

function drawSide(items: readonly TraceItem[], side: Side): Drawn {
  if (items.length === 0) return stack([]);
  const heading = drawText(`${side.out ? 'Left out' : 'Selected'}: ${items.length}`, side.x, side.width, fonts.heading, 1);
  const more = items.length > MAX_CARDS ? [drawText(`and ${items.length - MAX_CARDS} more`, side.x, side.width, fonts.quiet, 1)] : [];
  const cards = items.slice(0, MAX_CARDS).map((item) => drawCard(item, side));
  const drawn = stack([heading, ...cards, ...more]);
  return { height: drawn.height, draw: (y) => markup`${stem(side, y, heading.height, cards)}${drawn.draw(y)}` };
}

/** The dashed line down to the last left-out card, if that column is not next to the main line. */
function stem({ from, out }: Side, y: number, top: number, cards: readonly Drawn[]): Markup | undefined {
  if (!out || from === frame.line) return undefined;
  const last = cards.slice(0, -1).reduce((sum, { height }) => sum + height, y + top);
  return markup`<path class="branch out" d="M${from} ${y + 10}V${last + 8}"/>
`;
}

function drawCard({ label, notes }: TraceItem, { x, from, width, out }: Side): Drawn {
  const inner = stack([
    drawText(label, x + inset + 4, width - 2 * inset - 4, fonts.label, 3),
    drawNotes(notes, x + inset + 4, width - 2 * inset - 4, fonts.small),
  ]);
  const height = inner.height + 2 * inset - 4;
  return {
    height: height + 8,
    draw(y) {
      const middle = y + 20;
      const end = out
        ? markup`<path class="stop" d="M${x} ${y + 6}V${y + height - 6}"/>`
        : markup`<circle class="dot" cx="${x}" cy="${middle}" r="5"/>`;
      return markup`<path class="${out ? 'branch out' : 'branch'}" d="M${from} ${middle - 12}Q${from} ${middle} ${from + 12} ${middle}H${x}"/>
<rect class="${out ? 'card out' : 'card'}" x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/>${end}
${inner.draw(y + inset - 4)}`;
    },
  };
}
