import { explainSlices } from 'kube-endpoints';
import type { Reason, SlicesExplanation } from 'kube-endpoints/explain';
import {
  type HintsExplanation,
  objectKey,
  type PodSlicesExplanation,
  type SliceMembership,
  sliceManagedByLabel,
} from 'kube-endpoints/internal';
import type { Service } from 'kube-endpoints/types';
import { profileFor } from 'kube-endpoints/versions';
import type { Scope } from '../input/scope.ts';
import { formatConditions, formatHints } from '../print/slices.ts';
import type { Style } from '../print/style.ts';
import { type Cell, cell, formatTable } from '../print/table.ts';
import { printable, wrap } from '../print/text.ts';
import { type ComparedSlices, type CompareSlicesOptions, createSliceComparison, type SliceChange } from './compare-slices.ts';
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
  readonly compared?: { readonly state: ComparedSlices['state']; readonly changes: readonly Pick<SliceChange, 'action' | 'name'>[] };
  readonly hints: readonly HintsExplanation[];
  /** The selected pods, by name. */
  readonly pods: readonly PodSlicesExplanation[];
}

/** Creates a function that explains the slices of a Service. */
export function createSlicesExplainer(scope: Scope, options: CompareSlicesOptions): (service: Service) => ExplainedSlices {
  const compare = scope.hasSlices && profileFor(options.version).slicesAreV1 ? createSliceComparison(scope, options) : undefined;
  return (service) => {
    const { slices, managed, reasons, hints, pods } = explainFor(service, scope, options);
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
export function explainFor(service: Service, scope: Scope, { version, maxEndpointsPerSlice }: CompareSlicesOptions): SlicesExplanation {
  const limit = maxEndpointsPerSlice === undefined ? {} : { maxEndpointsPerSlice };
  const pods = service.spec?.selector ? scope.selectedBy(service) : [];
  return explainSlices(service, pods, { version, nodes: scope.nodes, ...limit });
}

function countByManager(service: Service, scope: Scope): Record<string, number> {
  const keepers = Map.groupBy(scope.slicesOf(objectKey(service)), ({ metadata }) => metadata?.labels?.[sliceManagedByLabel] ?? '');
  return Object.fromEntries([...keepers].map(([keeper, { length }]) => [keeper, length]));
}

/**
 * The slices section below a Service's own lines.
 * @param known reasons already printed, which are not repeated
 */
export function slicesSection(explained: ExplainedSlices, known: (pod: PodSlicesExplanation) => readonly Reason[], style: Style): string[] {
  const { managed, reasons, hints, pods } = explained;
  const there = Object.values(explained.there).reduce((sum, count) => sum + count, 0);
  if (!managed && there === 0)
    return reasons.filter(({ code }) => code === 'SlicesNotSpecified').map((each) => `  - ${formatReason(each)}`);
  const rows = pods.flatMap((pod) => membershipRows(cell(pod.name), pod, known(pod)));
  return [
    `  ${style.paint('ENDPOINTSLICES', 'bold')}   ${headline(explained, there)}`,
    ...hints.flatMap((each) => hintLines(each, style)),
    ...membershipTable('POD', rows, style),
  ];
}

function headline({ managed, wanted, there: keepers, compared }: ExplainedSlices, there: number): string {
  const parts = managed ? [`${wanted} computed`] : [];
  const names = Object.entries(keepers).map(([keeper, count]) => `${count} managed by ${printable(keeper || 'an unknown writer')}`);
  if (there > 0 || compared) parts.push(`${there} in the input${managed || there === 0 ? '' : ` (${names.join(', ')})`}`);
  if (compared) parts.push(compared.changes.length > 0 ? countActions(compared.changes) : compared.state);
  return parts.join(', ');
}

function hintLines({ addressType, given, reasons }: HintsExplanation, style: Style): string[] {
  const mark = style.paint(given ? '-' : '!', given ? 'cyan' : 'yellow');
  const availableWidth = style.width === undefined ? undefined : style.width - '  - '.length;
  return reasons.flatMap((each) => {
    const lines = wrap(printable(`${addressType} hints${given ? '' : ' not given'}: ${formatReason(each)}`), availableWidth);
    return lines.map((line, at) => `  ${at === 0 ? mark : ' '} ${line}`);
  });
}

/** A table of `membershipRows` without empty columns. */
export function membershipTable(first: string, rows: readonly (readonly Cell[])[], style: Style): string[] {
  if (rows.length === 0) return [];
  const headings = [first, 'TYPE', 'PORTS', 'CONDITIONS', 'ZONE', 'HINTS', 'WHY'];
  const isSaid = (text: string): boolean => text !== '' && text !== '<none>';
  const kept = headings.map((_, column) => column < 4 || rows.some((row) => row[column]?.lines.some(isSaid)));
  const shown = rows.map((row) => row.filter((_, column) => kept[column]));
  const named = headings.filter((_, column) => kept[column]);
  return formatTable(named, shown, style, '  ');
}

/** A row per slice that the pod is in, or one row "in no slice"; the first row has the reasons. */
export function membershipRows(first: Cell, { slices, reasons }: PodSlicesExplanation, known: readonly Reason[]): Cell[][] {
  const isNew = ({ code, path }: Reason): boolean => !known.some((each) => each.code === code && each.path === path);
  const why: Cell = { lines: reasons.filter(isNew).map(formatReason) };
  if (slices.length === 0) return [[first, cell(''), cell(''), cell('in no slice', 'red'), cell(''), cell(''), why]];
  return slices.map((slice, at) => [first, ...membershipCells(slice), at === 0 ? why : { lines: [] }]);
}

const membershipCells = ({ addressType, ports, conditions, zone, hints }: SliceMembership): Cell[] => [
  cell(addressType),
  cell(ports.join(',')),
  cell(formatConditions(conditions), conditions.ready ? 'green' : 'yellow'),
  cell(zone ?? ''),
  cell(formatHints(hints)),
];
