import type { Trace, TraceCause, TraceItem, TraceNote, TraceStep } from '../trace.ts';
import { type Markup, markup } from './markup.ts';
import { findPassFlags, renderStandaloneSign, stageWords, stepWords } from './words.ts';

/** Renders the steps as an ordered list, with all details as text. If there is a root cause, the details of other steps are collapsed. */
export function renderSteps({ steps, cause }: Pick<Trace, 'steps' | 'cause'>): Markup {
  const passFlags = findPassFlags(steps);
  const linksById = collectLinks(steps);
  const items = steps.map((step, i) => renderStep({ step, number: i + 1, isPassed: passFlags[i] === true, cause, linksById }));
  return markup`<ol class="steps" role="list">
${items}</ol>`;
}

interface NumberedStep {
  readonly step: TraceStep;
  readonly number: number;
  readonly isPassed: boolean;
  readonly cause: TraceCause | undefined;
  /** Links to each occurrence of an item in all steps, by the id of the item. */
  readonly linksById: ReadonlyMap<string, readonly ItemLink[]>;
}

interface ItemLink {
  readonly number: number;
  readonly anchor: string;
}

type ItemGroup = 'chosen' | 'leftOut';

/** Groups with more items than this are collapsed. */
const MAX_OPEN_ITEMS = 12;

const itemGroups: Readonly<Record<ItemGroup, { readonly anchor: string; readonly class: string; readonly words: string }>> = {
  chosen: { anchor: 'on', class: 'chosen', words: 'Chosen' },
  leftOut: { anchor: 'out', class: 'left-out', words: 'Left out' },
};

function collectLinks(steps: readonly TraceStep[]): Map<string, ItemLink[]> {
  const links = new Map<string, ItemLink[]>();
  for (const [i, step] of steps.entries()) {
    for (const group of ['chosen', 'leftOut'] as const) {
      for (const [k, { id }] of step[group].entries()) {
        const existing = links.get(id);
        const link = { number: i + 1, anchor: anchorOf(i + 1, group, k) };
        if (existing) existing.push(link);
        else links.set(id, [link]);
      }
    }
  }
  return links;
}

function anchorOf(number: number, group: ItemGroup, index: number): string {
  return `step-${number}-${itemGroups[group].anchor}-${index + 1}`;
}

function renderStep(numberedStep: NumberedStep): Markup {
  const { step, number, cause } = numberedStep;
  const isCause = step.stage === cause?.stage;
  const groups = [renderGroup(numberedStep, 'chosen'), renderGroup(numberedStep, 'leftOut')].filter((group) => group !== undefined);
  const details = markup`${renderNotes(step.notes)}
${groups.length === 0 ? undefined : markup`<div class="branches">${groups}</div>`}`;
  return markup`<li class="step ${step.outcome} ${numberedStep.isPassed ? 'passed' : 'cut'}" id="step-${number}" tabindex="-1">
<div class="marker">${renderStandaloneSign(step.outcome)}</div>
<div class="step-body">
<h3><span class="stage">${number}. ${stageWords[step.stage]}</span> <span class="title">${step.title}</span></h3>
<p class="badge ${step.outcome}">${isCause ? 'Root cause' : stepWords[step.outcome]}</p>
${cause && !isCause && (step.notes.length > 0 || groups.length > 0) ? markup`<details class="fold"><summary>Details</summary>${details}</details>` : details}
</div></li>
`;
}

function renderGroup({ step, number, linksById }: NumberedStep, group: ItemGroup): Markup | undefined {
  const items = step[group];
  if (items.length === 0) return undefined;
  const { words, class: name } = itemGroups[group];
  const openAttribute = items.length > MAX_OPEN_ITEMS ? undefined : markup` open`;
  return markup`<details class="${name}"${openAttribute}><summary>${words}: ${items.length}</summary>
<ul role="list">
${items.map((item, k) => renderItem(item, anchorOf(number, group, k), findNextLink(linksById.get(item.id) ?? [], number)))}</ul></details>
`;
}

function findNextLink(links: readonly ItemLink[], number: number): ItemLink | undefined {
  return links.find((link) => link.number > number);
}

function renderItem({ label, notes }: TraceItem, anchor: string, next: ItemLink | undefined): Markup {
  const laterStepLink =
    next === undefined
      ? undefined
      : markup` <a class="later" href="#${next.anchor}">see step ${next.number}<span class="unseen">: ${label}</span></a>`;
  return markup`<li id="${anchor}" tabindex="-1"><span class="label">${label}</span>${laterStepLink}${renderNotes(notes)}</li>
`;
}

function renderNotes(notes: readonly TraceNote[]): Markup | undefined {
  return notes.length === 0 ? undefined : markup`<ul class="notes" role="list">${notes.map(renderNote)}</ul>`;
}

function renderNote({ code, message, path, remedy }: TraceNote): Markup {
  const field = path === undefined ? undefined : markup` <code class="path">${path}</code>`;
  const fix = remedy === undefined ? undefined : markup`<p class="remedy"><strong>Fix:</strong> ${remedy}</p>`;
  return markup`<li><span class="message">${message}</span> <code class="code">${code}</code>${field}${fix}</li>`;
}
