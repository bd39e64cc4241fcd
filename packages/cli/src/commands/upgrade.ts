import type { Command } from 'commander';
import {
  compareReleases,
  compareSliceReleases,
  type PodExplanation,
  type ReleaseComparison,
  type SliceReleaseComparison,
} from 'kube-endpoints/explain';
import { formatCount } from 'kube-endpoints/internal';
import { type GateName, gates, newest } from 'kube-endpoints/versions';
import type { IO, PrintMessage } from '../base/io.ts';
import { addServiceArguments, type InputFlags } from '../flags/cluster.ts';
import { type CommonFlags, type Invocation, type OnParsed, parseFeatureGates, parseReleaseFlag } from '../flags/common.ts';
import { type Releases, releasesOf, type UpgradeOptions } from '../flags/upgrade.ts';
import type { Scope } from '../input/scope.ts';
import { reportOnServices } from '../live/read-objects.ts';
import type { Report } from '../print/report.ts';
import type { Style } from '../print/style.ts';
import { cell, formatTable } from '../print/table.ts';
import { unspecifiedSlicesMessage } from '../report/compute-slices.ts';
import { formatReason, stateOf } from '../report/explanations.ts';
import { createUnknownZonesHints } from '../report/hints.ts';
import { type AreaChange, compareAreas, listUncomparedAreas } from '../report/upgrade-areas.ts';

interface UpgradeFlags extends InputFlags, Omit<UpgradeOptions, 'from'> {
  readonly command: 'upgrade';
  readonly from?: string;
}

export function configure(command: Command, onParsed: OnParsed): void {
  addServiceArguments(command)
    .option('--from <RELEASE>', 'the current release of the cluster; required with -f', parseReleaseFlag)
    .option('--to <RELEASE>', 'the release to upgrade to', parseReleaseFlag, newest)
    .option('--node <NAME>', 'the node whose rules of kube-proxy are compared (default: the first of the input)')
    .option('--feature-gates <NAME=BOOLEAN,...>', 'feature gates of the cluster that differ from their defaults', parseFeatureGates)
    .action((names, options) => {
      const isRequired = command.optsWithGlobals<CommonFlags>().filename !== undefined;
      if (isRequired && options.from === undefined) command.error("error: required option '--from <RELEASE>' not specified");
      onParsed(names, { command: 'upgrade', ...options } as UpgradeFlags, run);
    });
}

function run(invocation: Invocation<UpgradeFlags>, io: IO, printMessage: PrintMessage): Promise<number> {
  return reportOnServices(
    invocation,
    {
      kinds: ['services', 'pods', 'endpoints', 'endpointSlices', 'nodes'],
      needsOtherNamespaces: true,
      ...(invocation.from === undefined && { release: {} }),
      report: ({ scope, inventory, live, release }) => {
        const { flags, rejectedGates } = releasesOf({ ...invocation, from: invocation.from ?? release.version });
        const input = { scope, inventory, live, node: invocation.node, ...flags };
        return upgrade(scope, flags, compareAreas(input), rejectedGates, listUncomparedAreas(input));
      },
    },
    io,
    printMessage,
  );
}

/** Reports for `upgrade` what changes for these objects between two releases, and why. */
export function upgrade(
  scope: Scope,
  { from, to }: Releases,
  areas: readonly AreaChange[] = [],
  rejectedGates: readonly string[] = [],
  uncomparedAreas: readonly string[] = [],
): Report {
  const options = { from: from.version, to: to.version, featureGates: { from: from.featureGates, to: to.featureGates } };
  const comparisons = scope.services.map((service): ServiceComparison => {
    const pods = scope.podsSelectedBy(service);
    const slices = compareSliceReleases(service, pods, { ...options, nodes: scope.nodes });
    return { ...compareReleases(service, pods, options), ...(slices && { slices }) };
  });
  return {
    hasFindings: comparisons.some(isChanged) || areas.some(isFinding) || rejectedGates.length > 0,
    text: (style) =>
      comparisons.length === 0
        ? []
        : [
            ...formatOverview(comparisons, style),
            ...formatMoves(comparisons, style),
            ...formatAreas(areas, style),
            ...formatCauses(comparisons, areas, style),
            ...rejectedGates,
            ...formatVerdict(comparisons, options),
            ...uncomparedAreas,
          ],
    data: () => ({ items: comparisons, areas, uncomparedAreas, rejectedFeatureGates: rejectedGates }),
    hints: createUnknownZonesHints(scope.nodes, scope.services, { version: to.version }),
  };
}

/** Rules of every release differ, and what is deprecated still works: neither changes which pods get traffic. */
const isFinding = ({ area }: AreaChange): boolean => area !== 'rules' && area !== 'deprecation';

/** The comparison of Endpoints and, if the slices of both releases are specified, of EndpointSlices. */
type ServiceComparison = ReleaseComparison & { readonly slices?: SliceReleaseComparison };

const isChanged = ({ same, pods, slices }: ServiceComparison): boolean => !same || pods.length > 0 || slices?.same === false;

const countSliceWrites = ({ slices }: ServiceComparison): number =>
  slices ? slices.takeover.create + slices.takeover.update + slices.takeover.delete : 0;

/** Formats a row for each Service with a change or a write; with `-o wide`, for all Services. */
function formatOverview(comparisons: readonly ServiceComparison[], style: Style): string[] {
  const listedComparisons = style.wide
    ? comparisons
    : comparisons.filter(
        (comparison) => isChanged(comparison) || comparison.takeover.action !== 'none' || countSliceWrites(comparison) > 0,
      );
  if (listedComparisons.length === 0) return [];
  const hasSlices = listedComparisons.some(({ slices }) => slices);
  const rows = listedComparisons.map((comparison) => [
    cell(comparison.namespace),
    cell(comparison.name),
    cell(comparison.pods.length),
    cell(comparison.takeover.action, comparison.takeover.action === 'none' ? undefined : 'yellow'),
    ...(hasSlices ? [cell(countSliceWrites(comparison), countSliceWrites(comparison) > 0 ? 'yellow' : undefined)] : []),
    ...(style.wide ? [cell(reasonsOf(comparison))] : []),
    { lines: differencesOf(comparison, style) },
  ]);
  const slicesHeading = hasSlices ? ['SLICES WRITTEN'] : [];
  const headings = [
    'NAMESPACE',
    'SERVICE',
    'PODS MOVED',
    'FIRST SYNC',
    ...slicesHeading,
    ...(style.wide ? ['BECAUSE'] : []),
    'DIFFERENCES',
  ];
  return [...formatTable(headings, rows, style), ''];
}

/** The codes of the reasons for writes, separated by commas. */
function reasonsOf({ takeover, slices }: ServiceComparison): string {
  const sliceReasons = (slices?.takeover.reasons ?? [])
    .filter(({ code }) => writeReasons.includes(code))
    .map(({ code }) => `slices:${code}`);
  return [...takeover.reasons.map(({ code }) => code), ...new Set(sliceReasons)].join(',');
}

/** The reason codes in slice plans that cause a write. */
const writeReasons: readonly string[] = [
  'AddressTypeNotWanted',
  'PortsNotWanted',
  'EndpointsDiffer',
  'EndpointsGone',
  'LabelsDiffer',
  'EndpointsAdded',
  'HintsDiffer',
  'Placeholder',
];

function differencesOf({ differences, slices }: ServiceComparison, { wide }: Style): string[] {
  const sliceDifferences = slices?.differences ?? [];
  if (wide) {
    return [
      ...differences.map(({ what, message }) => `${what}: ${message}`),
      ...sliceDifferences.map(({ what, message }) => `slices ${what}: ${message}`),
    ];
  }
  const names = [...differences.map(({ what }) => what), ...sliceDifferences.map(({ what }) => `slices ${what}`)];
  return [names.join(', ') || '<none>'];
}

/**
 * Lists every pod whose placement changes. Gives the reasons of the old release if only that release excludes the pod, otherwise of the
 * new.
 */
function formatMoves(comparisons: readonly ReleaseComparison[], style: Style): string[] {
  const movedPods = comparisons.flatMap(({ namespace, name, pods }) => pods.map((pod) => ({ service: `${namespace}/${name}`, ...pod })));
  if (movedPods.length === 0) return [];
  const [{ from, to }] = comparisons as readonly [ReleaseComparison];
  const rows = movedPods.map(({ service, before, after }) => [
    cell(before.name),
    cell(service),
    cell(`${stateOf(before).word}${before.ip === undefined ? '' : ` ${before.ip}`}`, stateOf(before).colour),
    cell(`${stateOf(after).word}${after.ip === undefined ? '' : ` ${after.ip}`}`, stateOf(after).colour),
    { lines: after.included && !before.included ? reasonsIn(from, before) : reasonsIn(to, after) },
  ]);
  return [...formatTable(['POD', 'SERVICE', from, to, 'WHY'], rows, style), ''];
}

const reasonsIn = (release: string, { reasons }: PodExplanation): string[] =>
  reasons.map((reason) => `${release}: ${formatReason(reason)}`);

/** Formats a row for each change besides those of Endpoints and slices; deprecations last. */
function formatAreas(areas: readonly AreaChange[], style: Style): string[] {
  if (areas.length === 0) return [];
  const rows = areas.map(({ area, object, change, causes }) => [
    cell(area),
    cell(object),
    cell(change),
    { lines: area === 'deprecation' ? [causes[0]?.summary ?? ''] : [causes.map(({ name }) => name).join(', ')] },
  ]);
  return [...formatTable(['AREA', 'OBJECT', 'CHANGE', 'BECAUSE'], rows, style), ''];
}

/** The gates that cause differences, each with the number of Services or other objects affected. */
function formatCauses(comparisons: readonly ServiceComparison[], areas: readonly AreaChange[], style: Style): string[] {
  const counts = new Map<GateName, number>();
  for (const { differences, slices } of comparisons) {
    const allDifferences = [...differences, ...(slices?.differences ?? [])];
    for (const gate of new Set(allDifferences.flatMap((difference) => difference.gates))) counts.set(gate, (counts.get(gate) ?? 0) + 1);
  }
  const areaCauses = new Map(
    areas.filter(({ area }) => area !== 'deprecation').flatMap(({ causes }) => causes.map((cause) => [cause.name, cause])),
  );
  if (counts.size + areaCauses.size === 0) return [];
  const rows = (Object.keys(gates) as GateName[])
    .filter((gate) => counts.has(gate))
    .map((gate) => [
      cell(gate),
      cell(gates[gate].reference),
      cell(gates[gate].since),
      cell(counts.get(gate) as number),
      cell(gates[gate].summary),
    ]);
  const areaRows = [...areaCauses.values()].map(({ name, reference = '', since, summary }) => [
    cell(name),
    cell(reference),
    cell(since),
    cell(areas.filter(({ causes }) => causes.some((cause) => cause.name === name)).length),
    cell(summary),
  ]);
  return [...formatTable(['CAUSE', 'REFERENCE', 'SINCE', 'AFFECTED', 'WHAT CHANGED'], [...rows, ...areaRows], style), ''];
}

function formatVerdict(comparisons: readonly ServiceComparison[], { from, to }: Pick<UpgradeOptions, 'from' | 'to'>): string[] {
  const changedServiceCount = comparisons.filter(({ same }) => !same).length;
  const movedCount = comparisons.reduce((sum, { pods }) => sum + pods.length, 0);
  const endpointsWriteCount = comparisons.filter(({ takeover }) => takeover.action !== 'none').length;
  const changedSlicesCount = comparisons.filter((comparison) => comparison.slices?.same === false).length;
  const sliceWriteCount = comparisons.reduce((sum, comparison) => sum + countSliceWrites(comparison), 0);
  const writes = `${formatCount(endpointsWriteCount, 'Endpoints object')} written at the first sync`;
  const services = `Endpoints of ${changedServiceCount} of ${formatCount(comparisons.length, 'Service')} change`;
  return [
    `Kubernetes ${from} to ${to}: ${services}, ${formatCount(movedCount, 'pod')} moved, ${writes}.`,
    comparisons.every(({ slices }) => slices)
      ? `EndpointSlices of ${formatCount(changedSlicesCount, 'Service')} change, ${formatCount(sliceWriteCount, 'slice')} written at the first sync.`
      : `${unspecifiedSlicesMessage}: they are not compared.`,
  ];
}
