import type { Trace, TraceItem, TraceStep } from '../trace.ts';

/** A trace as a flowchart of Mermaid: the steps from top to bottom, what goes on from each and, dotted, what ends there. */
export function formatMermaid(trace: Trace): string {
  const lines = trace.steps.flatMap((step, at) => stepLines(step, at + 1, at + 1 < trace.steps.length));
  return ['flowchart TD', `  verdict["${coded(trace.verdict)}"]:::${trace.outcome}`, '  verdict --> s1', ...lines, ...classes, ''].join(
    '\n',
  );
}

/** More than these make no picture. */
const mostItems = 8;

function stepLines({ stage, title, outcome, notes, chosen, leftOut }: TraceStep, number: number, goesOn: boolean): string[] {
  const id = `s${number}`;
  const told =
    outcome === 'ok' || outcome === 'skipped'
      ? []
      : [notes.find(({ mend }) => mend !== undefined) ?? notes[0]].flatMap((each) => each?.message ?? []);
  const text = [`${stage}: ${title}`, `(${outcome})`, ...told].map(coded).join('<br/>');
  return [
    `  ${id}["${text}"]:::${outcome}`,
    ...limited(chosen).map((each, at) => `  ${id} --- ${id}c${at + 1}(["${coded(each)}"])`),
    ...limited(leftOut).map((each, at) => `  ${id} -.-x ${id}x${at + 1}["${coded(each)}"]:::out`),
    ...(goesOn ? [`  ${id} --> s${number + 1}`] : []),
  ];
}

function limited(items: readonly TraceItem[]): string[] {
  const shown = items.slice(0, mostItems).map(({ label, notes: [first] }) => (first ? `${label}: ${first.code}` : label));
  return items.length > mostItems ? [...shown, `and ${items.length - mostItems} more`] : shown;
}

const classes: readonly string[] = [
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

/** Everything but letters, digits and a few signs as Mermaid's character codes, so that no text is taken for syntax. */
const coded = (text: string): string => text.replace(/[^\p{L}\p{N} .,:/()_=+-]/gu, (character) => `#${character.codePointAt(0) ?? 0};`);
