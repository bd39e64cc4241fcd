import type { PodExplanation, Reason, ServiceExplanation } from 'kube-endpoints/explain';
import type { Colour, Style } from '../print/style.ts';
import { cell, formatTable } from '../print/table.ts';
import { escapeUnprintable, wrap } from '../print/text.ts';
import { type DiagnosedService, type Health, healthOf } from './diagnoses.ts';
import { type ExplainedSlices, formatExplainedSlices } from './explain-slices.ts';
import { formatReason, stateOf } from './explanations.ts';
import { formatCauses } from './format-diagnosis.ts';

/** The colour of each state, and its place in a list that begins with the worst. */
export const healthMarks: Readonly<Record<Health, { readonly colour: Colour; readonly rank: number }>> = {
  broken: { colour: 'red', rank: 0 },
  degraded: { colour: 'yellow', rank: 1 },
  unknown: { colour: 'yellow', rank: 2 },
  ok: { colour: 'green', rank: 3 },
};

/** Formats a Service with its causes, its notes and its pods. */
export function formatServiceSection(
  { explanation, causes, notes: otherNotes }: DiagnosedService,
  templatePods: ReadonlySet<string>,
  style: Style,
): string[] {
  const { namespace, name, version, managed, counts, problems, pods } = explanation;
  const health = healthOf(causes);
  const notes = problems.filter(({ severity }) => severity === 'info');
  return [
    ...formatTitle({ namespace, name, version, managed, counts }, health, style),
    ...formatCauses(causes, style),
    ...[...notes.map(formatReason), ...otherNotes].flatMap((note) => formatNoteLines(note, style)),
    ...formatPodTable(pods, templatePods, style),
  ];
}

/** One line, or two if a terminal is too narrow. */
function formatTitle(
  { namespace, name, version, managed, counts }: Pick<ServiceExplanation, 'namespace' | 'name' | 'version' | 'managed' | 'counts'>,
  health: Health,
  style: Style,
): string[] {
  const format = ({ paint }: Pick<Style, 'paint'>): string => {
    const title = paint(`SERVICE ${escapeUnprintable(`${namespace}/${name}`)}`, 'bold');
    const numbers = managed ? formatCounts(counts, { paint }) : paint('not managed', 'dim');
    return `${title}  ${paint(health, healthMarks[health].colour)}: ${numbers}`;
  };
  const release = `(Kubernetes ${version})`;
  const length = format({ paint: (text) => text }).length + '  '.length + release.length;
  return style.width !== undefined && length > style.width ? [format(style), `  ${release}`] : [`${format(style)}  ${release}`];
}

/** Pods with the same state and the same reasons are one row, unless `-o wide` lists all. */
function formatPodTable(pods: readonly PodExplanation[], templatePods: ReadonlySet<string>, style: Style): string[] {
  const groups = style.wide
    ? pods.map((pod) => [pod])
    : [...Map.groupBy(pods, (pod) => JSON.stringify([stateOf(pod).word, pod.ports, pod.reasons.map(groupingTextOf)])).values()];
  const rows = groups.map((group) => {
    const [pod] = group as [PodExplanation, ...PodExplanation[]];
    const { word, colour } = stateOf(pod);
    const ip = templatePods.has(`${pod.namespace}/${pod.name}`) ? 'template' : (pod.ip ?? '');
    return [
      cell(group.length === 1 ? pod.name : `${pod.name} and ${group.length - 1} more`),
      cell(word, colour),
      cell(group.length === 1 || ip === '' ? ip : `${group.length} addresses`),
      { lines: pod.ports.length > 0 ? [pod.ports.join(',')] : ['<none>'] },
      { lines: pod.reasons.map(formatReason) },
    ];
  });
  return rows.length > 0 ? formatTable(['POD', 'STATE', 'ADDRESS', 'PORTS', 'WHY'], rows, style, '  ') : [];
}

/** Messages may name times and counts that differ between pods with the same cause. */
const groupingTextOf = ({ code, path }: Reason): string => `${code} ${path}`;

/** The lines about EndpointSlices, without the reasons that `formatServiceSection` already prints for the same pod. */
export function formatSlicesSection({ pods }: ServiceExplanation, slices: ExplainedSlices, style: Style): string[] {
  const printedReasons = new Map(pods.map(({ name, reasons }) => [name, reasons]));
  return formatExplainedSlices(slices, ({ name }) => printedReasons.get(name) ?? [], style);
}

function formatCounts({ selected, ready, notReady, leftOut }: ServiceExplanation['counts'], { paint }: Pick<Style, 'paint'>): string {
  if (selected === 0) return paint('no pods', 'red');
  const parts = [paint(`${ready} ready`, ready > 0 ? 'green' : 'red')];
  if (notReady > 0) parts.push(paint(`${notReady} not ready`, 'yellow'));
  if (leftOut > 0) parts.push(paint(`${leftOut} left out`, 'red'));
  return parts.join(', ');
}

function formatNoteLines(note: string, style: Style): string[] {
  const lines = wrap(escapeUnprintable(note), style.width === undefined ? undefined : style.width - '  - '.length);
  return lines.map((line, index) => `  ${index === 0 ? style.paint('-', 'cyan') : ' '} ${line}`);
}
