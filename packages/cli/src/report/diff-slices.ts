import { type Agreement, checkAgreement, mergeSlices } from 'kube-endpoints';
import { formatCount, sliceController, sliceManagedByLabel, triggerTimeAnnotation } from 'kube-endpoints/internal';
import { nameOf, namespaceOf, objectKey } from 'kube-endpoints/internal/apimachinery';
import type { Scope } from '../input/scope.ts';
import { diffObjects, type Edit, formatEdit } from '../print/lines.ts';
import { type Detail, outlineSlice } from '../print/outline.ts';
import type { Colour, Style } from '../print/style.ts';
import { escapeUnprintable, formatStateCounts } from '../print/text.ts';
import { type CompareSlicesOptions, compareAllSlices, type SliceChange, type SlicesComparison } from './compare-slices.ts';
import { unspecifiedSlicesMessage } from './compute-slices.ts';

/** Whether the input's Endpoints and slices of one Service agree. */
export type ServiceAgreement = { readonly namespace: string; readonly name: string } & Agreement;

/** The result of comparing the slices in the input. */
export interface SlicesReport {
  readonly hasFindings: boolean;
  readonly slices: readonly SlicesComparison[];
  readonly agreements: readonly ServiceAgreement[];
  text(style: Style): string[];
  readonly hints: readonly string[];
}

/** Creates the EndpointSlices part of the report of `diff`. */
export function diffSlices(scope: Scope, options: CompareSlicesOptions, invalidObjects: ReadonlySet<string>): SlicesReport {
  const comparisons = compareAllSlices(scope, options, invalidObjects);
  const agreements = compareAgreements(scope, invalidObjects);
  const differingComparisons = comparisons.filter(({ state }) => stateTexts[state].isDifference);
  const failedAgreements = agreements.filter(({ agrees }) => !agrees);
  return {
    hasFindings: differingComparisons.length > 0 || failedAgreements.length > 0,
    slices: comparisons,
    agreements,
    text: (style) => [
      ...(style.wide ? comparisons : differingComparisons).flatMap((comparison) => formatSection(comparison, options.version, style)),
      ...failedAgreements.flatMap((agreement) => formatDisagreement(agreement, style)),
      ...(comparisons.length > 0 ? [formatSummary(comparisons, options.version)] : []),
      ...(agreements.length > 0 ? [formatAgreementSummary(agreements)] : []),
    ],
    hints: [...describeSliceProblems(scope), ...createSliceSizeHints(scope, options), ...createAssumedNodesHints(scope)],
  };
}

/** The EndpointSlices part of the report of `diff` for a release whose slices are not specified. */
export const uncomparedSlicesReport: SlicesReport = {
  hasFindings: false,
  slices: [],
  agreements: [],
  text: () => [],
  hints: [`The EndpointSlices in the input are not compared: ${unspecifiedSlicesMessage}.`],
};

interface StateText {
  readonly isDifference: boolean;
  readonly heading: string;
  readonly summary: (count: number) => string;
  readonly colour: Colour;
}

/** The wording of a state: a heading for one Service, and a count for the summary. */
const stateTexts: Readonly<Record<SlicesComparison['state'], StateText>> = {
  equal: { isDifference: false, heading: 'equal', summary: (count) => `${count} equal`, colour: 'green' },
  differs: { isDifference: true, heading: 'differ', summary: (count) => `${count} ${count === 1 ? 'differs' : 'differ'}`, colour: 'red' },
  missing: { isDifference: true, heading: 'missing', summary: (count) => `${count} without slices`, colour: 'red' },
  retried: {
    isDifference: false,
    heading: 'nothing to write, but the sync is retried',
    summary: (count) => `${count} retried`,
    colour: 'yellow',
  },
  leftOver: {
    isDifference: true,
    heading: 'left over: there is no Service of that name',
    summary: (count) => `${count} left over`,
    colour: 'yellow',
  },
  unmanaged: { isDifference: false, heading: 'unmanaged', summary: (count) => `${count} unmanaged`, colour: 'dim' },
};

function formatSection(
  { namespace, name, from, state, reasons, changes, foreign }: SlicesComparison,
  version: string,
  style: Style,
): string[] {
  const { heading, colour } = stateTexts[state];
  const title = from === 'pods' ? 'ENDPOINTSLICES' : 'MIRRORED ENDPOINTSLICES';
  const writes = changes.length > 0 && state !== 'leftOver' ? `: ${countActions(changes)}` : '';
  return [
    `${title} ${escapeUnprintable(`${namespace}/${name}`)}  (Kubernetes ${version})   ${style.paint(`${heading}${writes}`, colour)}`,
    ...(state === 'equal' ? [] : reasons.map(({ code, message }) => `  ${code}: ${escapeUnprintable(message)}`)),
    ...(foreign > 0 ? [`  ${formatCount(foreign, 'slice')} of other managers ignored`] : []),
    ...changes.flatMap((change) => formatChange(change, state === 'leftOver', style)),
    '',
  ];
}

const actions = ['create', 'update', 'delete'] as const;

/** "1 to create, 2 to update". */
export const countActions = (changes: readonly Pick<SliceChange, 'action'>[]): string =>
  actions
    .map((action) => ({ action, count: changes.filter((change) => change.action === action).length }))
    .filter(({ count }) => count > 0)
    .map(({ action, count }) => `${count} to ${action}`)
    .join(', ');

function formatChange({ action, name, found, computed }: SliceChange, brief: boolean, style: Style): string[] {
  const edits = brief ? [] : diffSlice(found, computed);
  return [`  ${action} ${escapeUnprintable(name)}`, ...edits.map((edit) => formatEdit(edit, style))];
}

function diffSlice(found: SliceChange['found'], computed: SliceChange['computed']): Edit[] {
  const outlineOf = (slice: SliceChange['found'] | SliceChange['computed'], detail: Detail): string[] =>
    slice ? outlineSlice(slice, detail, [triggerTimeAnnotation]) : [];
  return diffObjects((detail) => ({ before: outlineOf(found, detail), after: outlineOf(computed, detail) }));
}

function formatSummary(comparisons: readonly SlicesComparison[], version: string): string {
  const writes = countActions(comparisons.flatMap(({ changes }) => changes));
  const foreignCount = comparisons.reduce((sum, { foreign }) => sum + foreign, 0);
  return [
    `EndpointSlices of ${formatCount(comparisons.length, 'Service')} compared with what Kubernetes ${version} writes: ${formatStateCounts(comparisons, stateTexts)}`,
    writes === '' ? '' : ` (${writes})`,
    foreignCount === 0 ? '' : `; ${formatCount(foreignCount, 'slice')} of other managers ignored`,
    '.',
  ].join('');
}

/** Compares Endpoints with the slices of the same Service, both from the input. */
function compareAgreements(scope: Scope, invalidObjects: ReadonlySet<string>): ServiceAgreement[] {
  const services = new Map(scope.services.map((service) => [objectKey(service), service]));
  const hasInvalidSlice = (key: string): boolean => [...invalidObjects].some((name) => name.startsWith(`EndpointSlice ${key}-`));
  return scope.endpoints.flatMap((endpoints) => {
    const key = objectKey(endpoints);
    const slices = scope.slicesOf(key);
    if (slices.length === 0 || hasInvalidSlice(key)) return [];
    const service = services.get(key);
    const agreement = checkAgreement(endpoints, slices, service ? { service } : {});
    return [{ namespace: namespaceOf(endpoints), name: nameOf(endpoints), ...agreement }];
  });
}

const maxDifferences = 20;

function formatDisagreement({ namespace, name, differences }: ServiceAgreement, style: Style): string[] {
  const omittedCount = differences.length - maxDifferences;
  return [
    `ENDPOINTS AND ENDPOINTSLICES ${escapeUnprintable(`${namespace}/${name}`)}   ${style.paint('disagree', 'red')}`,
    ...differences.slice(0, maxDifferences).map(({ code, message }) => `  ${code}: ${escapeUnprintable(message)}`),
    ...(omittedCount > 0 ? [`  ${formatCount(omittedCount, 'more difference')}`] : []),
    '',
  ];
}

function formatAgreementSummary(agreements: readonly ServiceAgreement[]): string {
  const agreeingCount = agreements.filter(({ agrees }) => agrees).length;
  return `Endpoints and EndpointSlices in the input agree for ${agreeingCount} of ${formatCount(agreements.length, 'Service')} that ${agreements.length === 1 ? 'has' : 'have'} both.`;
}

const maxSliceProblems = 10;

function describeSliceProblems({ slices }: Scope): string[] {
  const { problems } = mergeSlices(slices);
  const omittedCount = problems.length - maxSliceProblems;
  return [
    ...problems
      .slice(0, maxSliceProblems)
      .map(({ namespace, slice, path, message }) => `EndpointSlice ${namespace}/${slice}: ${path}: ${message}.`),
    ...(omittedCount > 0 ? [`${formatCount(omittedCount, 'more problem')} in slices.`] : []),
  ];
}

/** Returns a hint if a slice exceeds the assumed limit, because the cluster may be configured with a higher limit. */
function createSliceSizeHints({ slices }: Scope, { maxEndpointsPerSlice = 100 }: CompareSlicesOptions): string[] {
  const managedSlices = slices.filter(({ metadata }) => metadata?.labels?.[sliceManagedByLabel] === sliceController);
  const largest = Math.max(0, ...managedSlices.map(({ endpoints }) => endpoints?.length ?? 0));
  if (largest <= maxEndpointsPerSlice) return [];
  return [
    `Slices hold up to ${largest} endpoints, more than ${maxEndpointsPerSlice}: set --max-endpoints-per-slice to the value that the cluster uses.`,
  ];
}

const createAssumedNodesHints = ({ nodes, slices }: Scope): string[] =>
  nodes || slices.length === 0
    ? []
    : ['The input has no Nodes: zones are taken from the slices, and the nodes of all pods are assumed to exist.'];
