import type { Command } from 'commander';
import { formatCount, triggerTimeAnnotation } from 'kube-endpoints/internal';
import type { EndpointsInput } from 'kube-endpoints/types';
import { profileFor } from 'kube-endpoints/versions';
import { type IO, type PrintMessage, UsageError } from '../base/io.ts';
import { addServiceArguments, type InputFlags } from '../flags/cluster.ts';
import {
  addReleaseFlags,
  createMaxEndpointsOption,
  type Invocation,
  type OnParsed,
  type Release,
  type ReleaseFlags,
} from '../flags/common.ts';
import type { Inventory } from '../input/collection.ts';
import type { Scope } from '../input/scope.ts';
import { reportOnServices } from '../live/read-objects.ts';
import { diffObjects, type Edit, formatEdit } from '../print/lines.ts';
import { type Detail, outlineEndpoints } from '../print/outline.ts';
import type { Report } from '../print/report.ts';
import type { Colour, Style } from '../print/style.ts';
import { escapeUnprintable, formatStateCounts } from '../print/text.ts';
import { compareAllEndpoints, type EndpointsComparison } from '../report/compare.ts';
import { diffSlices, type SlicesReport, uncomparedSlicesReport } from '../report/diff-slices.ts';

interface DiffFlags extends InputFlags, ReleaseFlags {
  readonly command: 'diff';
  readonly maxEndpointsPerSlice: number | undefined;
}

export function configure(command: Command, onParsed: OnParsed): void {
  addReleaseFlags(addServiceArguments(command))
    .addOption(createMaxEndpointsOption())
    .action((names, { release, featureGates, maxEndpointsPerSlice, ...cluster }) =>
      onParsed(names, { command: 'diff', release, featureGates, maxEndpointsPerSlice, ...cluster } as DiffFlags, run),
    );
}

function run(invocation: Invocation<DiffFlags>, io: IO, printMessage: PrintMessage): Promise<number> {
  return reportOnServices(
    invocation,
    {
      kinds: ['services', 'pods', 'endpoints', 'endpointSlices', 'nodes'],
      includesOrphans: true,
      release: invocation,
      report: ({ scope, inventory, live, release }) =>
        diff(scope, inventory, { ...release, maxEndpointsPerSlice: invocation.maxEndpointsPerSlice, live }),
    },
    io,
    printMessage,
  );
}

export interface DiffOptions extends Release {
  readonly maxEndpointsPerSlice?: number | undefined;
  /** True if the input is the whole cluster, so that an object absent from the input is missing in the cluster. */
  readonly live?: boolean;
}

type ObjectsToCompare = Pick<Inventory, 'endpoints' | 'slices' | 'invalidObjects'>;

/** Compares for `diff` the Endpoints and EndpointSlices in the input with what a release's controllers would write. */
export function diff(scope: Scope, inventory: ObjectsToCompare, options: DiffOptions): Report {
  const { version, live = false } = options;
  if (!live && inventory.endpoints.length + inventory.slices.length === 0) {
    throw new UsageError(
      'nothing to compare with: the input holds no Endpoints and no EndpointSlices; give those of the cluster, too ' +
        '(kubectl get services,endpoints,endpointslices,pods,nodes -A -o json)',
    );
  }
  const comparisons = live || inventory.endpoints.length > 0 ? compareAllEndpoints(scope, options, inventory.invalidObjects) : [];
  const slicesReport = createSlicesReport(scope, inventory, options);
  const differingComparisons = comparisons.filter(({ state }) => isDifference[state]);
  return {
    hasFindings: differingComparisons.length > 0 || slicesReport?.hasFindings === true,
    text: (style) => {
      const endpointsLines = [
        ...(style.wide ? comparisons : differingComparisons).flatMap((comparison) => formatSection(comparison, version, style)),
        ...(comparisons.length > 0 ? [formatSummary(comparisons, version)] : []),
      ];
      const sliceLines = slicesReport?.text(style) ?? [];
      return [...endpointsLines, ...(endpointsLines.length > 0 && sliceLines.includes('') ? [''] : []), ...sliceLines];
    },
    data: () => ({ items: comparisons, ...(slicesReport && { slices: slicesReport.slices, agreements: slicesReport.agreements }) }),
    hints: slicesReport?.hints ?? [],
  };
}

/**
 * Reports on the slices. Returns undefined if a dump holds no slices, since the dump may be incomplete. If a live cluster has no slices,
 * all
 * slices are missing there.
 */
function createSlicesReport(
  scope: Scope,
  { slices, invalidObjects }: ObjectsToCompare,
  { live = false, ...options }: DiffOptions,
): SlicesReport | undefined {
  if (slices.length === 0 && !(live && profileFor(options.version).slicesAreBeta)) return undefined;
  return profileFor(options.version).slicesAreBeta ? diffSlices(scope, options, invalidObjects) : uncomparedSlicesReport;
}

const isDifference: Readonly<Record<EndpointsComparison['state'], boolean>> = {
  equal: false,
  differs: true,
  missing: true,
  leftOver: true,
  unmanaged: false,
  leaderElection: false,
};

/** The wording of a state: a heading for one Service, and a count for the summary. */
const stateTexts: Readonly<
  Record<EndpointsComparison['state'], { readonly heading: string; readonly summary: (count: number) => string; readonly colour: Colour }>
> = {
  equal: { heading: 'equal', summary: (count) => `${count} equal`, colour: 'green' },
  differs: { heading: 'differs', summary: (count) => `${count} ${count === 1 ? 'differs' : 'differ'}`, colour: 'red' },
  missing: { heading: 'missing: there are no Endpoints for it', summary: (count) => `${count} without Endpoints`, colour: 'red' },
  leftOver: { heading: 'left over: there is no Service of that name', summary: (count) => `${count} left over`, colour: 'yellow' },
  unmanaged: { heading: 'unmanaged', summary: (count) => `${count} unmanaged`, colour: 'dim' },
  leaderElection: {
    heading: 'skipped: a lock for leader election',
    summary: (count) => `${formatCount(count, 'leader-election lock')} skipped`,
    colour: 'dim',
  },
};

function formatSection({ namespace, name, state, reasons, found, computed }: EndpointsComparison, version: string, style: Style): string[] {
  const { heading, colour } = stateTexts[state];
  const title = `ENDPOINTS ${escapeUnprintable(`${namespace}/${name}`)}  (Kubernetes ${version})   ${style.paint(heading, colour)}`;
  const reasonLines = state === 'equal' ? [] : reasons.map(({ code, message }) => `  ${code}: ${message}`);
  const edits = state === 'differs' && found && computed ? computeEdits(found, computed) : [];
  return [
    title,
    ...reasonLines,
    ...(state === 'missing' && computed ? computeEdits({}, computed) : edits).map((edit) => formatEdit(edit, style)),
    '',
  ];
}

function computeEdits(found: EndpointsInput, computed: EndpointsInput): Edit[] {
  const outlineOf = (endpoints: EndpointsInput, detail: Detail): string[] => outlineEndpoints(endpoints, detail, [triggerTimeAnnotation]);
  return diffObjects((detail) => ({ before: outlineOf(found, detail), after: outlineOf(computed, detail) }));
}

function formatSummary(comparisons: readonly EndpointsComparison[], version: string): string {
  return `${formatCount(comparisons.length, 'object')} compared with what Kubernetes ${version} writes: ${formatStateCounts(comparisons, stateTexts)}.`;
}
