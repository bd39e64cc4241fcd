import type { Command } from 'commander';
import { formatCount, triggerTimeAnnotation } from 'kube-endpoints/internal';
import type { EndpointsInput } from 'kube-endpoints/types';
import { profileFor } from 'kube-endpoints/versions';
import { type IO, type PrintMessage, UsageError } from '../base/io.ts';
import { addServices, type ReadingFlags } from '../flags/cluster.ts';
import { type Invocation, maxOption, type OnParsed, releaseOf, releaseOption } from '../flags/common.ts';
import type { Inventory } from '../input/collection.ts';
import type { Scope } from '../input/scope.ts';
import { reportOnServices } from '../live/read-objects.ts';
import { diffObjects, type Edit, formatEdit } from '../print/lines.ts';
import { type Detail, outline } from '../print/outline.ts';
import type { Report } from '../print/report.ts';
import type { Colour, Style } from '../print/style.ts';
import { formatStateCounts, printable } from '../print/text.ts';
import { compareAllEndpoints, type EndpointsComparison } from '../report/compare.ts';
import { diffSlices, type SlicesReport, slicesNotCompared } from '../report/diff-slices.ts';

interface DiffFlags extends ReadingFlags {
  readonly command: 'diff';
  readonly release: string | undefined;
  readonly max: number | undefined;
}

export function configure(command: Command, onParsed: OnParsed): void {
  addServices(command)
    .addOption(releaseOption())
    .addOption(maxOption())
    .action((names, { release, maxEndpointsPerSlice: max, ...cluster }) =>
      onParsed(names, { command: 'diff', release, max, ...cluster } as DiffFlags, run),
    );
}

function run(invocation: Invocation<DiffFlags>, io: IO, printMessage: PrintMessage): Promise<number> {
  const version = releaseOf(invocation.release, io);
  return reportOnServices(
    invocation,
    {
      kinds: ['services', 'pods', 'endpoints', 'endpointSlices', 'nodes'],
      includesOrphans: true,
      report: ({ scope, inventory, live }) => diff(scope, inventory, { version, maxEndpointsPerSlice: invocation.max, live }),
    },
    io,
    printMessage,
  );
}

export interface DiffOptions {
  readonly version: string;
  readonly maxEndpointsPerSlice?: number | undefined;
  /** True if the input is the whole cluster, so that an object absent from the input is missing in the cluster. */
  readonly live?: boolean;
}

type ObjectsToCompare = Pick<Inventory, 'endpoints' | 'slices' | 'invalidObjects'>;

/** `diff`: what a release's controllers would write, compared with the Endpoints and EndpointSlices in the input. */
export function diff(scope: Scope, inventory: ObjectsToCompare, options: DiffOptions): Report {
  const { version, live = false } = options;
  if (!live && inventory.endpoints.length + inventory.slices.length === 0) {
    throw new UsageError(
      'nothing to compare with: the input holds no Endpoints and no EndpointSlices; give those of the cluster, too ' +
        '(kubectl get services,endpoints,endpointslices,pods,nodes -A -o json)',
    );
  }
  const comparisons = live || inventory.endpoints.length > 0 ? compareAllEndpoints(scope, version, inventory.invalidObjects) : [];
  const slices = createSlicesReport(scope, inventory, options);
  const differingComparisons = comparisons.filter(({ state }) => isDifference[state]);
  return {
    hasFindings: differingComparisons.length > 0 || slices?.hasFindings === true,
    text: (style) => {
      const endpointsLines = [
        ...(style.wide ? comparisons : differingComparisons).flatMap((comparison) => formatSection(comparison, version, style)),
        ...(comparisons.length > 0 ? [formatSummary(comparisons, version)] : []),
      ];
      const sliceLines = slices?.text(style) ?? [];
      return [...endpointsLines, ...(endpointsLines.length > 0 && sliceLines.includes('') ? [''] : []), ...sliceLines];
    },
    data: () => ({ items: comparisons, ...(slices && { slices: slices.slices, agreements: slices.agreements }) }),
    hints: slices?.hints ?? [],
  };
}

/** Undefined if a dump holds no slices, since it may be incomplete. A live cluster without slices has none, so all are missing. */
function createSlicesReport(
  scope: Scope,
  { slices, invalidObjects }: ObjectsToCompare,
  { version, maxEndpointsPerSlice, live = false }: DiffOptions,
): SlicesReport | undefined {
  if (slices.length === 0 && !(live && profileFor(version).slicesAreV1)) return undefined;
  return profileFor(version).slicesAreV1 ? diffSlices(scope, { version, maxEndpointsPerSlice }, invalidObjects) : slicesNotCompared;
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
  const title = `ENDPOINTS ${printable(`${namespace}/${name}`)}  (Kubernetes ${version})   ${style.paint(heading, colour)}`;
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
  const outlineOf = (endpoints: EndpointsInput, detail: Detail): string[] => outline(endpoints, detail, [triggerTimeAnnotation]);
  return diffObjects((detail) => ({ before: outlineOf(found, detail), after: outlineOf(computed, detail) }));
}

function formatSummary(comparisons: readonly EndpointsComparison[], version: string): string {
  return `${formatCount(comparisons.length, 'object')} compared with what Kubernetes ${version} writes: ${formatStateCounts(comparisons, stateTexts)}.`;
}
