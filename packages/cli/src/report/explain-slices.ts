import { explainSlices } from 'kube-endpoints';
import type { Reason, SlicesExplanation } from 'kube-endpoints/explain';
import { type HintsExplanation, type PodSlicesExplanation, type SliceMembership, sliceManagedByLabel } from 'kube-endpoints/internal';
import { objectKey } from 'kube-endpoints/internal/apimachinery';
import type { Service } from 'kube-endpoints/types';
import { profileFor } from 'kube-endpoints/versions';
import type { Scope } from '../input/scope.ts';
import { formatConditions, formatHints } from '../print/slices.ts';
import type { Style } from '../print/style.ts';
import { type Cell, cell, formatTable } from '../print/table.ts';
import { escapeUnprintable, wrap } from '../print/text.ts';
import { type CompareSlicesOptions, createSlicesComparer, type SliceChange, type SlicesComparison } from './compare-slices.ts';
import { countActions } from './diff-slices.ts';
import { formatReason } from './explanations.ts';

/** The slices of one Service, and their comparison with the input. */
export interface ExplainedSlices {
  readonly managed: boolean;
  readonly reasons: readonly Reason[];
  /** The number of slices that the controller writes. */
  readonly wanted: number;
  /** The number of the Service's slices in the input, by managing controller; "" if the label is missing. */
  readonly there: Readonly<Record<string, number>>;
  /** The writes of the controller; only set if the input holds slices. */
  readonly compared?: { readonly state: SlicesComparison['state']; readonly changes: readonly Pick<SliceChange, 'action' | 'name'>[] };
  readonly hints: readonly HintsExplanation[];
  /** The selected pods, sorted by name. */
  readonly pods: readonly PodSlicesExplanation[];
}

/** Creates a function that explains the slices of a Service. */
export function createSlicesExplainer(scope: Scope, options: CompareSlicesOptions): (service: Service) => ExplainedSlices {
  const compare = scope.hasSlices && profileFor(options.version).slicesAreBeta ? createSlicesComparer(scope, options) : undefined;
  return (service) => {
    const { slices, managed, reasons, hints, pods } = explainServiceSlices(service, scope, options);
    const { state, changes } = (managed && compare?.(service)) || {};
    return {
      managed,
      reasons,
      wanted: slices.length,
      there: countByManager(service, scope),
      ...(state && changes && { compared: { state, changes: changes.map(({ action, name }) => ({ action, name })) } }),
      hints,
      pods,
    };
  };
}

/** Explains the slices of a Service with the pods that it selects. */
export function explainServiceSlices(
  service: Service,
  scope: Scope,
  { maxEndpointsPerSlice, ...release }: CompareSlicesOptions,
): SlicesExplanation {
  const limitOptions = maxEndpointsPerSlice === undefined ? {} : { maxEndpointsPerSlice };
  const pods = service.spec?.selector ? scope.podsSelectedBy(service) : [];
  return explainSlices(service, pods, { ...release, nodes: scope.nodes, ...limitOptions });
}

function countByManager(service: Service, scope: Scope): Record<string, number> {
  const slicesByManager = Map.groupBy(scope.slicesOf(objectKey(service)), ({ metadata }) => metadata?.labels?.[sliceManagedByLabel] ?? '');
  return Object.fromEntries([...slicesByManager].map(([manager, { length }]) => [manager, length]));
}

/**
 * Formats the section about slices of a Service.
 * @param printedReasonsOf returns the reasons that are already printed for a pod and are not repeated
 */
export function formatExplainedSlices(
  explanation: ExplainedSlices,
  printedReasonsOf: (pod: PodSlicesExplanation) => readonly Reason[],
  style: Style,
): string[] {
  const { managed, reasons, hints, pods } = explanation;
  const sliceCount = Object.values(explanation.there).reduce((sum, count) => sum + count, 0);
  if (!managed && sliceCount === 0)
    return reasons.filter(({ code }) => code === 'SlicesNotSpecified').map((reason) => `  - ${formatReason(reason)}`);
  const rows = pods.flatMap((pod) => createMembershipRows(cell(pod.name), pod, printedReasonsOf(pod)));
  return [
    `  ${style.paint('ENDPOINTSLICES', 'bold')}   ${formatHeadline(explanation, sliceCount)}`,
    ...hints.flatMap((hint) => formatHintLines(hint, style)),
    ...formatMembershipTable('POD', rows, style),
  ];
}

function formatHeadline({ managed, wanted, there: countsByManager, compared }: ExplainedSlices, sliceCount: number): string {
  const parts = managed ? [`${wanted} computed`] : [];
  const managerTexts = Object.entries(countsByManager).map(
    ([manager, count]) => `${count} managed by ${escapeUnprintable(manager || 'an unknown writer')}`,
  );
  if (sliceCount > 0 || compared)
    parts.push(`${sliceCount} in the input${managed || sliceCount === 0 ? '' : ` (${managerTexts.join(', ')})`}`);
  if (compared) parts.push(compared.changes.length > 0 ? countActions(compared.changes) : compared.state);
  return parts.join(', ');
}

function formatHintLines({ addressType, given, reasons }: HintsExplanation, style: Style): string[] {
  const mark = style.paint(given ? '-' : '!', given ? 'cyan' : 'yellow');
  const availableWidth = style.width === undefined ? undefined : style.width - '  - '.length;
  return reasons.flatMap((reason) => {
    const lines = wrap(escapeUnprintable(`${addressType} hints${given ? '' : ' not given'}: ${formatReason(reason)}`), availableWidth);
    return lines.map((line, index) => `  ${index === 0 ? mark : ' '} ${line}`);
  });
}

/** Formats rows of `createMembershipRows` as a table, and omits the columns ZONE, HINTS and WHY if they are empty. */
export function formatMembershipTable(firstHeading: string, rows: readonly (readonly Cell[])[], style: Style): string[] {
  if (rows.length === 0) return [];
  const headings = [firstHeading, 'TYPE', 'PORTS', 'CONDITIONS', 'ZONE', 'HINTS', 'WHY'];
  const hasText = (text: string): boolean => text !== '' && text !== '<none>';
  const isColumnUsed = headings.map((_, column) => column < 4 || rows.some((row) => row[column]?.lines.some(hasText)));
  const usedRows = rows.map((row) => row.filter((_, column) => isColumnUsed[column]));
  const usedHeadings = headings.filter((_, column) => isColumnUsed[column]);
  return formatTable(usedHeadings, usedRows, style, '  ');
}

/** Creates a row per slice that contains the pod, or one row "in no slice". The first row has the reasons that are not printed yet. */
export function createMembershipRows(
  firstCell: Cell,
  { slices, reasons }: PodSlicesExplanation,
  printedReasons: readonly Reason[],
): Cell[][] {
  const isNew = ({ code, path }: Reason): boolean => !printedReasons.some((reason) => reason.code === code && reason.path === path);
  const reasonCell: Cell = { lines: reasons.filter(isNew).map(formatReason) };
  if (slices.length === 0) return [[firstCell, cell(''), cell(''), cell('in no slice', 'red'), cell(''), cell(''), reasonCell]];
  return slices.map((slice, index) => [firstCell, ...createMembershipCells(slice), index === 0 ? reasonCell : { lines: [] }]);
}

const createMembershipCells = ({ addressType, ports, conditions, zone, hints }: SliceMembership): Cell[] => [
  cell(addressType),
  cell(ports.join(',')),
  cell(formatConditions(conditions), conditions.ready ? 'green' : 'yellow'),
  cell(zone ?? ''),
  cell(formatHints(hints)),
];
