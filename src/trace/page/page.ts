import type { Trace, TraceCause, TraceStep } from '../trace.ts';
import { type Font, wrap } from './drawn-text.ts';
import { type Markup, markup } from './markup.ts';
import { renderSteps } from './steps.ts';
import { pageStyle, pageStyleHash } from './style.ts';
import {
  findPassFlags,
  formatItemCounts,
  formatOrigin,
  outcomeStyles,
  outcomeWords,
  renderSign,
  renderStandaloneSign,
  stageWords,
  stepWords,
} from './words.ts';

export interface PageOptions {
  /** Title of the document; default: target and outcome. */
  readonly title?: string;
  /** Where the trace comes from, such as "Kubernetes 1.37", "context production", "2026-01-31 12:00 UTC". */
  readonly source?: readonly string[];
}

/**
 * Renders the trace as one self-contained HTML document: its content security policy forbids scripts, fonts and network access.
 * The map at the side and the list of steps show the same steps.
 */
export function renderPage(trace: Trace, { title, source = [] }: PageOptions = {}): string {
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title ?? `${trace.target}: ${outcomeWords[trace.outcome]}`}</title>
<link rel="icon" href="data:,">
<style>${pageStyle}</style>
</head>
<body>
<a class="skip" href="#steps">Skip to the steps</a>
${renderTop(trace, source)}
<div class="sheet">
<nav aria-labelledby="map-title"><h2 id="map-title">Path overview</h2>
${renderMap(trace)}
</nav>
<main id="steps" tabindex="-1">
${trace.cause ? undefined : renderRemedies(trace)}
<section aria-labelledby="steps-title"><h2 id="steps-title">Steps</h2>
${trace.steps.length === 0 ? markup`<p class="none">There are no steps.</p>` : renderSteps(trace)}
</section>
</main>
</div>
</body>
</html>
`;
  return page.toString();
}

const contentSecurityPolicy = `default-src 'none'; style-src '${pageStyleHash}'; img-src data:; base-uri 'none'; form-action 'none'`;

function renderTop(trace: Trace, source: readonly string[]): Markup {
  const style = outcomeStyles[trace.outcome];
  const origin = formatOrigin(trace);
  return markup`<header class="${style}">
<p class="kind">Trace of a Service</p>
<h1>${trace.target}</h1>
${origin === '' ? undefined : markup`<p class="start">${origin}</p>`}
<p class="verdict ${style}">${renderStandaloneSign(style)}<span><strong>${outcomeWords[trace.outcome]}.</strong> ${trace.cause ? `${trace.headline}.` : trace.verdict}</span></p>
${trace.cause && renderCause(trace.cause, trace.steps)}
${source.length === 0 ? undefined : markup`<p class="source">${source.join(' · ')}</p>`}
</header>`;
}

/** The root cause, its evidence, and its fix with a command that a click selects. */
function renderCause({ code, message, evidence, fix, stage }: TraceCause, steps: readonly TraceStep[]): Markup {
  const number = steps.findIndex((step) => step.stage === stage) + 1;
  const link = number === 0 ? undefined : markup` <a href="#step-${number}">Step ${number}</a>`;
  const values = evidence.map(({ object, path, value }) => markup`<dd>${object} <code class="path">${path}</code> ${value}</dd>`);
  const fixLines = fix && [
    markup`<dd>${fix.text}</dd>`,
    fix.command === undefined ? undefined : markup`<dd><code class="command">${fix.command}</code></dd>`,
  ];
  return markup`<dl class="cause"><dt>Cause</dt><dd>${message} <code class="code">${code}</code>${link}</dd>
${values.length === 0 ? undefined : markup`<dt>Evidence</dt>${values}`}
${fixLines && markup`<dt>Fix</dt>${fixLines}`}</dl>`;
}

function renderRemedies(trace: Trace): Markup | undefined {
  const remedies = collectRemedies(trace.steps);
  if (remedies.length === 0) return undefined;
  const items = remedies.map(
    ({ remedy, number, sourceLabel, times }) =>
      markup`<li>${remedy} <span class="about">${sourceLabel}${times > 1 ? ` and ${times - 1} more` : ''}, <a href="#step-${number}">step ${number}</a></span></li>
`,
  );
  return markup`<section class="remedies" aria-labelledby="remedies-title"><h2 id="remedies-title">How to fix it</h2>
<ul role="list">
${items}</ul></section>
`;
}

/** Renders all steps as a small map; each entry links to the details of its step. */
export function renderMap({ steps }: Trace): Markup {
  const passFlags = findPassFlags(steps);
  let y = TOP_Y;
  const entries = steps.map((step, i) => {
    const entry = { step, y, number: i + 1, isPassed: passFlags[i] === true, isLast: i === steps.length - 1 };
    y += heightOf(entry);
    return entry;
  });
  return markup`<svg class="map" viewBox="0 0 ${WIDTH} ${y}" role="group" aria-label="Path, ${steps.length === 1 ? '1 step' : `${steps.length} steps`}">
${entries.map(renderRail)}
${entries.map(renderLink)}
</svg>`;
}

interface MapEntry {
  readonly step: TraceStep;
  readonly y: number;
  readonly number: number;
  readonly isPassed: boolean;
  readonly isLast: boolean;
}

const WIDTH = 320;
const TOP_Y = 26;
const LINE_X = 30;
const TEXT_X = 58;
const titleFont: Font = { class: 'name', size: 14, line: 18, bold: true };

function titleLinesOf({ step }: Pick<MapEntry, 'step'>): string[] {
  return wrap(step.title, WIDTH - TEXT_X - 14, titleFont, 2);
}

function heightOf(entry: Pick<MapEntry, 'step'>): number {
  return 44 + titleLinesOf(entry).length * titleFont.line + (formatItemCounts(entry.step) === '' ? 0 : 18);
}

/** Renders the line to the next step, and a branch if the step has left-out items. */
function renderRail(entry: MapEntry): Markup {
  const { step, y, isLast } = entry;
  const nextY = y + heightOf(entry);
  const end = y + 8 + titleLinesOf(entry).length * titleFont.line + 14;
  const railToNext = isLast ? undefined : markup`<path class="${entry.isPassed ? 'rail' : 'rail cut'}" d="M${LINE_X} ${y}V${nextY}"/>`;
  if (step.leftOut.length === 0) return markup`${railToNext}`;
  return markup`<path class="branch out" d="M${LINE_X} ${end - 14}Q${LINE_X} ${end} ${LINE_X + 12} ${end}H${TEXT_X - 8}"/>
<path class="stop" d="M${TEXT_X - 7} ${end - 5}V${end + 5}"/>${railToNext}`;
}

function renderLink(entry: MapEntry): Markup {
  const { step, y, number } = entry;
  const counts = formatItemCounts(step);
  const titleLines = titleLinesOf(entry);
  const countsY = y + 12 + titleLines.length * titleFont.line + 14;
  const label = [`Step ${number}, ${stageWords[step.stage]}: ${step.title}`, stepWords[step.outcome], counts].filter((part) => part !== '');
  return markup`<a href="#step-${number}" aria-label="${label.join('. ')}">
<rect class="hit" x="4" y="${y - 20}" width="${WIDTH - 8}" height="${heightOf(entry) - 6}" rx="8"/>
<g transform="translate(${LINE_X} ${y})">${renderSign(step.outcome)}</g>
<text class="stage" x="${TEXT_X}" y="${y - 3}">${number}. ${stageWords[step.stage]} · ${stepWords[step.outcome]}</text>
${titleLines.map((line, i) => markup`<text class="name" x="${TEXT_X}" y="${y + 16 + i * titleFont.line}">${line}</text>`)}
${counts === '' ? undefined : markup`<text class="counts" x="${TEXT_X}" y="${countsY}">${counts}</text>`}</a>
`;
}

/** A fix, with the first step or item that suggests it. */
export interface Remedy {
  readonly remedy: string;
  /** 1-based number of the step. */
  readonly number: number;
  /** The title of the step, or the label of the item, that suggests it. */
  readonly sourceLabel: string;
  /** Number of different steps and items that suggest the fix. */
  readonly times: number;
}

/** Collects all distinct fixes, in order of the steps. */
export function collectRemedies(steps: readonly TraceStep[]): Remedy[] {
  const remediesByText = new Map<string, { readonly first: Omit<Remedy, 'times'>; readonly sources: Set<string> }>();
  for (const { remedy, number, sourceLabel, source } of steps.flatMap(remediesOf)) {
    const existing = remediesByText.get(remedy);
    if (existing) existing.sources.add(source);
    else remediesByText.set(remedy, { first: { remedy, number, sourceLabel }, sources: new Set([source]) });
  }
  return [...remediesByText.values()].map(({ first, sources }) => ({ ...first, times: sources.size }));
}

interface SuggestedRemedy extends Omit<Remedy, 'times'> {
  readonly source: string;
}

function remediesOf(step: TraceStep, index: number): SuggestedRemedy[] {
  const number = index + 1;
  const stepSource = { sourceLabel: step.title, source: `step ${number}`, notes: step.notes };
  const itemSources = [...step.chosen, ...step.leftOut].map(({ id, label, notes }) => ({
    sourceLabel: label,
    source: `item ${id}`,
    notes,
  }));
  return [stepSource, ...itemSources].flatMap(({ sourceLabel, source, notes }) =>
    notes.flatMap(({ remedy }) => (remedy === undefined ? [] : [{ remedy, number, sourceLabel, source }])),
  );
}
