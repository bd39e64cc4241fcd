import type { Trace, TraceItem, TraceStep } from '../trace.ts';
import { createGap, type Drawing, drawNotes, drawText, fonts, frame, stack } from './drawn-text.ts';
import { type Markup, markup } from './markup.ts';
import { drawingStyle, theme } from './style.ts';
import {
  findPassFlags,
  formatItemCounts,
  formatOrigin,
  joinSentences,
  outcomeStyles,
  outcomeWords,
  renderSign,
  stageWords,
  stepWords,
} from './words.ts';

/**
 * Renders the trace as one SVG picture: steps from top to bottom, with chosen items and items that are left out on branches. Long lists are
 * cut and show how many items follow.
 */
export function renderSvg(trace: Trace): string {
  const header = drawHeader(trace);
  const drawnSteps = placeSteps(trace, header.height + frame.margin);
  const endY = drawnSteps.reduce((y, drawnStep) => Math.max(y, drawnStep.endY), header.height + frame.margin);
  const height = endY + 60;
  const picture = markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${frame.width} ${height}" width="${frame.width}" height="${height}" role="img" aria-labelledby="trace-title trace-text">
<title id="trace-title">${[trace.target, formatOrigin(trace)].join(' ').trim()}: ${outcomeWords[trace.outcome]}</title>
<desc id="trace-text">${describeTrace(trace)}</desc>
<style>${theme}${drawingStyle}${svgStyle}</style>
<rect class="ground" width="${frame.width}" height="${height}"/>
${header.draw(frame.margin)}
${drawnSteps.map(({ branches }) => branches)}
${drawnSteps.map((drawnStep, i) => drawRail(drawnStep.y, drawnSteps[i + 1]?.y ?? endY + 24, drawnStep.isPassed))}
${drawnSteps.map(({ labels }) => labels)}
${drawEnd(trace, endY + 24)}
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

function placeSteps({ steps }: Trace, top: number): DrawnStep[] {
  const passFlags = findPassFlags(steps);
  const drawnSteps: DrawnStep[] = [];
  for (const [i, step] of steps.entries()) {
    const y = (drawnSteps.at(-1)?.endY ?? top) + 20;
    drawnSteps.push(placeStep(step, i + 1, y, passFlags[i] === true));
  }
  return drawnSteps;
}

function drawRail(startY: number, endY: number, isPassed: boolean): Markup {
  return markup`<path class="${isPassed ? 'rail' : 'rail cut'}" d="M${frame.railX} ${startY}V${endY}"/>
`;
}

function drawEnd({ outcome }: Trace, y: number): Markup {
  return markup`<g transform="translate(${frame.railX} ${y})">${renderSign(outcomeStyles[outcome])}</g>
<text class="end" x="${frame.textX}" y="${y + 7}">${outcomeWords[outcome]}</text>`;
}

/** The picture as text, for screen readers. */
function describeTrace({ verdict, steps }: Trace): string {
  const stepTexts = steps.map((step, i) => {
    const parts = [`${i + 1}. ${stageWords[step.stage]}: ${step.title}`, stepWords[step.outcome], formatItemCounts(step)];
    return joinSentences([parts.filter((part) => part !== '').join(', '), ...step.notes.map(({ message }) => message)]);
  });
  return [joinSentences([verdict]), ...stepTexts].join('\n');
}

/** The target, the origin and the verdict, above the steps. */
export function drawHeader(trace: Trace): Drawing {
  const origin = formatOrigin(trace);
  return stack([
    drawText(trace.target, frame.margin, WIDTH, fonts.target, 3),
    ...(origin === '' ? [] : [drawText(origin, frame.margin, WIDTH, fonts.quiet, 2)]),
    createGap(14),
    drawVerdict(trace),
  ]);
}

const WIDTH = frame.right - frame.margin;
const PADDING = 14;

function drawVerdict({ outcome, verdict }: Trace): Drawing {
  const width = frame.right - PADDING - frame.textX;
  const content = stack([
    drawText(outcomeWords[outcome], frame.textX, width, fonts.outcome),
    drawText(verdict, frame.textX, width, fonts.verdict),
  ]);
  const height = content.height + 2 * PADDING;
  const style = outcomeStyles[outcome];
  return {
    height,
    draw: (y) => markup`<rect class="plate ${style}" x="${frame.margin - 10}" y="${y}" width="${WIDTH + 10}" height="${height}" rx="10"/>
<g transform="translate(${frame.railX} ${y + height / 2})">${renderSign(style)}</g>
${content.draw(y + PADDING - 2)}`,
  };
}

/** A positioned step. */
export interface DrawnStep {
  /** The y of the sign. */
  readonly y: number;
  readonly endY: number;
  readonly isPassed: boolean;
  /** Markup to draw behind the rail. */
  readonly branches: Markup;
  /** Markup to draw in front of the rail. */
  readonly labels: Markup;
}

/** @param top y of the upper edge */
export function placeStep(step: TraceStep, number: number, top: number, isPassed: boolean): DrawnStep {
  const width = frame.right - frame.textX;
  const text = stack([
    drawText(`${number}. ${stageWords[step.stage]} · ${stepWords[step.outcome]}`, frame.textX, width, fonts.stage, 1),
    drawText(step.title, frame.textX, width, fonts.title, 3),
    createGap(3),
    drawNotes(step.notes, frame.textX, width, fonts.note),
  ]);
  const branches = drawBranches(step);
  const y = top + 20;
  const branchesY = top + text.height + (branches.height === 0 ? 0 : 14);
  return {
    y,
    endY: branchesY + branches.height + 12,
    isPassed,
    branches: branches.draw(branchesY),
    labels: markup`<g transform="translate(${frame.railX} ${y})">${renderSign(step.outcome)}</g>
${text.draw(top)}`,
  };
}

/** Chosen items on the left, left-out items on the right; if only one list has items, it uses the full width. */
export function drawBranches({ chosen, leftOut }: TraceStep): Drawing {
  const hasTwoColumns = chosen.length > 0 && leftOut.length > 0;
  const width = hasTwoColumns ? (frame.right - frame.textX - COLUMN_GAP) / 2 : frame.right - frame.textX;
  const chosenColumn = drawColumn(chosen, { x: frame.textX, branchX: frame.railX, width, isLeftOut: false });
  const leftOutX = hasTwoColumns ? frame.textX + width + COLUMN_GAP : frame.textX;
  const leftOutColumn = drawColumn(leftOut, { x: leftOutX, branchX: hasTwoColumns ? leftOutX - 16 : frame.railX, width, isLeftOut: true });
  return {
    height: Math.max(chosenColumn.height, leftOutColumn.height),
    draw: (y) =>
      markup`${hasTwoColumns ? drawLeftOutConnector(leftOutX - 16, y) : undefined}${chosenColumn.draw(y)}${leftOutColumn.draw(y)}`,
  };
}

interface Column {
  readonly x: number;
  /** The x of the vertical line from which the branches start: the rail, or the line beside the left-out items. */
  readonly branchX: number;
  readonly width: number;
  /** Whether the column shows left-out items. */
  readonly isLeftOut: boolean;
}

const COLUMN_GAP = 48;
const inset = 10;
const MAX_CARDS = 12;

/** Draws a line from the rail to the column of left-out items, above the chosen items. */
function drawLeftOutConnector(x: number, y: number): Markup {
  return markup`<path class="branch out" d="M${frame.railX} ${y - 14}Q${frame.railX} ${y - 2} ${frame.railX + 14} ${y - 2}H${x - 12}Q${x} ${y - 2} ${x} ${y + 10}"/>
`;
}

function drawColumn(items: readonly TraceItem[], column: Column): Drawing {
  if (items.length === 0) return stack([]);
  const heading = drawText(`${column.isLeftOut ? 'Left out' : 'Chosen'}: ${items.length}`, column.x, column.width, fonts.heading, 1);
  const remainder =
    items.length > MAX_CARDS ? [drawText(`and ${items.length - MAX_CARDS} more`, column.x, column.width, fonts.quiet, 1)] : [];
  const cards = items.slice(0, MAX_CARDS).map((item) => drawCard(item, column));
  const content = stack([heading, ...cards, ...remainder]);
  return { height: content.height, draw: (y) => markup`${drawLeftOutBranch(column, y, heading.height, cards)}${content.draw(y)}` };
}

/** Draws the dashed line down to the last left-out card; undefined if the column has chosen items or is next to the rail. */
function drawLeftOutBranch(
  { branchX, isLeftOut }: Column,
  y: number,
  headingHeight: number,
  cards: readonly Drawing[],
): Markup | undefined {
  if (!isLeftOut || branchX === frame.railX) return undefined;
  const lastCardY = cards.slice(0, -1).reduce((sum, { height }) => sum + height, y + headingHeight);
  return markup`<path class="branch out" d="M${branchX} ${y + 10}V${lastCardY + 8}"/>
`;
}

function drawCard({ label, notes }: TraceItem, { x, branchX, width, isLeftOut }: Column): Drawing {
  const inner = stack([
    drawText(label, x + inset + 4, width - 2 * inset - 4, fonts.label, 3),
    drawNotes(notes, x + inset + 4, width - 2 * inset - 4, fonts.small),
  ]);
  const height = inner.height + 2 * inset - 4;
  return {
    height: height + 8,
    draw(y) {
      const middle = y + 20;
      const branchEnd = isLeftOut
        ? markup`<path class="stop" d="M${x} ${y + 6}V${y + height - 6}"/>`
        : markup`<circle class="dot" cx="${x}" cy="${middle}" r="5"/>`;
      return markup`<path class="${isLeftOut ? 'branch out' : 'branch'}" d="M${branchX} ${middle - 12}Q${branchX} ${middle} ${branchX + 12} ${middle}H${x}"/>
<rect class="${isLeftOut ? 'card out' : 'card'}" x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/>${branchEnd}
${inner.draw(y + inset - 4)}`;
    },
  };
}
