import type { Trace, TraceCause, TraceItem, TraceNote, TraceOutcome, TraceStep } from './trace.ts';

/** How to format the text. */
export interface TraceStyle {
  readonly paint: (text: string, colour: 'red' | 'green' | 'yellow' | 'cyan' | 'bold' | 'dim' | undefined) => string;
  /** Width of the terminal in characters; undefined disables wrapping. */
  readonly width?: number | undefined;
  /** Whether to list all items instead of the first few. */
  readonly wide?: boolean;
}

/** Formats a trace as lines of text; the verdict comes first. */
export function formatTrace(trace: Trace, style: TraceStyle = plainStyle): string[] {
  const { word, colour } = outcomes[trace.outcome];
  const { cause, headline, verdict } = trace;
  const title = wrap(escapeText(cause ? `${word}: ${headline}` : verdict), style.width);
  return [
    ...title.map((line, i) => (cause && i === 0 ? line.replace(word, style.paint(word, colour)) : style.paint(line, 'bold'))),
    ...(cause ? formatCause(cause, style) : [style.paint(word, colour)]),
    ...trace.steps.flatMap((step, i) =>
      cause && !style.wide ? formatShortStep(step, i + 1, cause, style) : ['', ...formatStep(step, i + 1, style)],
    ),
  ];
}

function formatCause({ code, message, evidence, fix }: TraceCause, style: TraceStyle): string[] {
  return [
    ...formatField('Cause', `${code}: ${message}`, 'red', style),
    ...evidence.flatMap(({ object, path, value }) => formatField('Evidence', `${object}, ${path}: ${value}`, undefined, style)),
    ...(fix ? formatField('Fix', fix.text, 'cyan', style) : []),
    // A command is not wrapped, so that it can be copied.
    ...(fix?.command === undefined ? [] : [`${' '.repeat(labelWidth)}${escapeText(fix.command)}`]),
    '',
  ];
}

const labelWidth = 'Evidence: '.length;

const formatField = (label: string, text: string, colour: 'red' | 'cyan' | undefined, style: TraceStyle): string[] =>
  wrap(escapeText(text.replace(/\.$/, '')), style.width === undefined ? undefined : style.width - labelWidth).map(
    (line, i) => `${style.paint((i === 0 ? `${label}:` : '').padEnd(labelWidth), i === 0 ? (colour ?? 'bold') : undefined)}${line}`,
  );

/** If something is wrong, steps without a problem are a line each, and consequences of the cause only have their messages. */
function formatShortStep(step: TraceStep, number: number, cause: TraceCause, style: TraceStyle): string[] {
  const { stage, outcome, notes } = step;
  if (outcome === 'ok' || outcome === 'skipped') return formatHeading(step, number, style);
  const withoutFixes = (list: readonly TraceNote[]): TraceNote[] => list.map(({ remedy: _, ...note }) => note);
  const group = (list: readonly TraceItem[]): TraceItem[] => groupItems(list).map((item) => ({ ...item, notes: withoutFixes(item.notes) }));
  const chosen = stage === cause.stage ? group(step.chosen) : [];
  return formatStep({ ...step, notes: withoutFixes(notes), chosen, leftOut: group(step.leftOut) }, number, style);
}

/** Items with the same notes are one line: "web-1 10.0.0.1 and 3 more". */
function groupItems(items: readonly TraceItem[]): TraceItem[] {
  const groups = Map.groupBy(items, ({ notes }) => notes.map(({ code, path }) => `${code} ${path}`).join());
  return [...groups.values()].map((group) => {
    const [first] = group as [TraceItem, ...TraceItem[]];
    return group.length === 1 ? first : { ...first, label: `${first.label} and ${group.length - 1} more` };
  });
}

function formatHeading({ stage, title, outcome }: TraceStep, number: number, style: TraceStyle): string[] {
  const heading = `${number}. ${stage.toUpperCase()}  ${escapeText(title)}  `;
  return [style.paint(heading, outcome === 'skipped' ? 'dim' : 'bold') + style.paint(outcome, stepColours[outcome])];
}

const plainStyle: TraceStyle = { paint: (text) => text };

const outcomes: Readonly<Record<TraceOutcome, { readonly word: string; readonly colour: 'green' | 'yellow' | 'cyan' | 'red' }>> = {
  reached: { word: 'REACHED', colour: 'green' },
  degraded: { word: 'DEGRADED', colour: 'yellow' },
  outside: { word: 'OUTSIDE', colour: 'cyan' },
  unreachable: { word: 'UNREACHABLE', colour: 'red' },
};

const stepColours = { ok: 'green', warning: 'yellow', error: 'red', unknown: 'yellow', skipped: 'dim' } as const;

/** Maximum number of items per list unless `wide` is set. Higher for left-out items, because they show the problems. */
const maxChosenItems = 5;
const maxLeftOutItems = 10;

function formatStep(step: TraceStep, number: number, style: TraceStyle): string[] {
  const { notes, chosen, leftOut } = step;
  return [
    ...formatHeading(step, number, style),
    ...notes.flatMap((each) => formatNote(each, '   ', style)),
    ...formatItems(chosen, { text: '>', colour: 'green', max: maxChosenItems }, style),
    ...formatItems(leftOut, { text: 'x', colour: 'yellow', max: maxLeftOutItems }, style),
  ];
}

interface ItemMarker {
  readonly text: string;
  readonly colour: 'green' | 'yellow';
  readonly max: number;
}

function formatItems(items: readonly TraceItem[], { text, colour, max }: ItemMarker, style: TraceStyle): string[] {
  const shownItems = style.wide ? items : items.slice(0, max);
  const hiddenCount = items.length - shownItems.length;
  return [
    ...shownItems.flatMap(({ label, notes }) => [
      `   ${style.paint(text, colour)} ${escapeText(label)}`,
      ...notes.flatMap((each) => formatNote(each, '     ', style)),
    ]),
    ...(hiddenCount > 0 ? [`   ${style.paint(text, colour)} and ${hiddenCount} more`] : []),
  ];
}

function formatNote({ code, message, path, remedy }: TraceNote, indent: string, style: TraceStyle): string[] {
  const location = path === undefined ? '' : ` (${path})`;
  return [
    ...indentLines(`${code}: ${message.replace(/\.$/, '')}${location}`, indent, style),
    ...(remedy === undefined ? [] : indentLines(`Fix: ${remedy}`, indent, style).map((line) => style.paint(line, 'cyan'))),
  ];
}

const indentLines = (text: string, indent: string, { width }: TraceStyle): string[] =>
  wrap(escapeText(text), width === undefined ? undefined : width - indent.length - 2).map(
    (line, i) => `${indent}${i === 0 ? '' : '  '}${line}`,
  );

/** Wraps words into lines of at most `width` characters; a longer word gets its own line. */
function wrap(text: string, width: number | undefined): string[] {
  if (width === undefined || text.length <= width) return [text];
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Escapes control characters and those that change the writing direction, so that text cannot manipulate the terminal. */
const escapeText = (text: string): string =>
  text.replace(unprintableCharacters, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression matches them to escape them
const unprintableCharacters = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Formats a trace as a Mermaid flowchart: steps from top to bottom, with chosen items and, dotted, items that are left out. */
export function formatMermaid(trace: Trace): string {
  const lines = trace.steps.flatMap((step, i) => formatDiagramStep(step, i + 1, i + 1 < trace.steps.length));
  return [
    'flowchart TD',
    `  verdict["${encodeText(trace.verdict)}"]:::${trace.outcome}`,
    '  verdict --> s1',
    ...lines,
    ...classDefs,
    '',
  ].join('\n');
}

/** Maximum number of items per step, to keep the diagram readable. */
const maxDiagramItems = 8;

function formatDiagramStep({ stage, title, outcome, notes, chosen, leftOut }: TraceStep, number: number, hasNext: boolean): string[] {
  const id = `s${number}`;
  const details =
    outcome === 'ok' || outcome === 'skipped'
      ? []
      : [notes.find(({ remedy }) => remedy !== undefined) ?? notes[0]].flatMap((each) => each?.message ?? []);
  const text = [`${stage}: ${title}`, `(${outcome})`, ...details].map(encodeText).join('<br/>');
  return [
    `  ${id}["${text}"]:::${outcome}`,
    ...limitItems(chosen).map((each, i) => `  ${id} --- ${id}c${i + 1}(["${encodeText(each)}"])`),
    ...limitItems(leftOut).map((each, i) => `  ${id} -.-x ${id}x${i + 1}["${encodeText(each)}"]:::out`),
    ...(hasNext ? [`  ${id} --> s${number + 1}`] : []),
  ];
}

function limitItems(items: readonly TraceItem[]): string[] {
  const shownLabels = items.slice(0, maxDiagramItems).map(({ label, notes: [first] }) => (first ? `${label}: ${first.code}` : label));
  return items.length > maxDiagramItems ? [...shownLabels, `and ${items.length - maxDiagramItems} more`] : shownLabels;
}

const classDefs: readonly string[] = [
  '  classDef ok stroke:#2f855a,stroke-width:2px',
  '  classDef reached stroke:#2f855a,stroke-width:3px',
  '  classDef warning stroke:#b7791f,stroke-width:2px',
  '  classDef degraded stroke:#b7791f,stroke-width:3px',
  '  classDef outside stroke-width:3px,stroke-dasharray:4 4',
  '  classDef error stroke:#c53030,stroke-width:2px',
  '  classDef unreachable stroke:#c53030,stroke-width:3px',
  '  classDef skipped stroke-dasharray:4 4',
  '  classDef out stroke-dasharray:2 4',
];

/** Writes everything but letters, digits and a few signs as Mermaid character codes, so that no text is parsed as syntax. */
const encodeText = (text: string): string =>
  text.replace(/[^\p{L}\p{N} .,:/()_=+-]/gu, (character) => `#${character.codePointAt(0) ?? 0};`);
