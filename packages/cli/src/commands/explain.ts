import type { Command } from 'commander';
import type { PodExplanation, Problem, Reason, ServiceExplanation } from 'kube-endpoints/explain';
import { formatCount } from 'kube-endpoints/internal';
import { namespaceOf } from 'kube-endpoints/internal/apimachinery';
import type { IO, PrintMessage } from '../base/io.ts';
import { addServiceArguments, type InputFlags } from '../flags/cluster.ts';
import {
  addReleaseFlags,
  createMaxEndpointsOption,
  type Invocation,
  type OnParsed,
  parsePodName,
  type Release,
  type ReleaseFlags,
} from '../flags/common.ts';
import type { Inventory } from '../input/collection.ts';
import { policyKinds, workloadKinds } from '../input/related-kinds.ts';
import type { Scope } from '../input/scope.ts';
import { reportOnServices } from '../live/read-objects.ts';
import type { Report } from '../print/report.ts';
import type { Colour, Style } from '../print/style.ts';
import { cell, formatTable } from '../print/table.ts';
import { escapeUnprintable, wrap } from '../print/text.ts';
import { createDiagnoser, type DiagnosedService, findInvalidPolicies, type Health, healthOf } from '../report/diagnoses.ts';
import { explainPod } from '../report/explain-pod.ts';
import { createSlicesExplainer, type ExplainedSlices, formatExplainedSlices } from '../report/explain-slices.ts';
import { formatReason, stateOf } from '../report/explanations.ts';
import { formatCauses } from '../report/format-diagnosis.ts';
import { createCaveats, createUnknownZonesHints } from '../report/hints.ts';

interface ExplainFlags extends InputFlags, ReleaseFlags {
  readonly command: 'explain';
  readonly pod: string | undefined;
  readonly problems: boolean | undefined;
  readonly maxEndpointsPerSlice: number | undefined;
}

export function configure(command: Command, onParsed: OnParsed): void {
  addReleaseFlags(addServiceArguments(command))
    .addOption(createMaxEndpointsOption())
    .option('--pod <NAME>', 'explain only this pod, for each Service in its namespace', parsePodName)
    .option('--problems', 'list only the Services with problems, the worst first, each with its cause and its fix')
    .action((names, { release, featureGates, pod, problems, maxEndpointsPerSlice, ...cluster }) =>
      onParsed(names, { command: 'explain', release, featureGates, pod, problems, maxEndpointsPerSlice, ...cluster } as ExplainFlags, run),
    );
}

function run(invocation: Invocation<ExplainFlags>, io: IO, printMessage: PrintMessage): Promise<number> {
  const { names, flags, pod, problems: onlyProblems, maxEndpointsPerSlice } = invocation;
  return reportOnServices(
    invocation,
    {
      kinds: ['services', 'pods', 'endpoints', 'endpointSlices', 'nodes', 'events', ...policyKinds],
      moreKinds: [...workloadKinds, 'warnings'],
      usesTemplates: true,
      release: invocation,
      report({ scope, inventory, namespace: currentNamespace, live, release }) {
        const options = { ...release, hasNames: names.length > 0, onlyProblems: onlyProblems === true, maxEndpointsPerSlice };
        const caveats = createCaveats({ inventory, live });
        if (pod === undefined) return withHints(explain(scope, { ...options, inventory, live }), caveats);
        const namespace = flags.allNamespaces ? undefined : currentNamespace;
        const pods = inventory.pods.filter((candidate) => namespace === undefined || namespaceOf(candidate) === namespace);
        return withHints(explainPod(scope, pods, { ...options, pod, namespace }), caveats);
      },
    },
    io,
    printMessage,
  );
}

const withHints = (report: Report, hints: readonly string[]): Report => ({ ...report, hints: [...(report.hints ?? []), ...hints] });

export interface ExplainOptions extends Release {
  /** True if Services were named on the command line. */
  readonly hasNames: boolean;
  /** True if only Services with problems are listed. */
  readonly onlyProblems?: boolean;
  readonly inventory: Inventory;
  /** True if absent objects do not exist. */
  readonly live: boolean;
  readonly maxEndpointsPerSlice?: number | undefined;
}

/** Reports for `explain` the causes of each Service's problems. If Services are named or `-o wide` is given, also reports on each pod. */
export function explain(scope: Scope, options: ExplainOptions): Report {
  const { hasNames, onlyProblems, inventory, live } = options;
  const explainSlices = createSlicesExplainer(scope, options);
  const all = scope.services.map(createDiagnoser(scope, inventory, options, live));
  const services = onlyProblems ? all.filter(({ causes }) => causes.length > 0).sort(byHealth) : all;
  return {
    hasFindings: all.some(({ causes }) => causes.length > 0),
    // In files, only pods of other namespaces can explain more: those are the objects that were not read.
    needsMore: hasNames && all.some(({ causes }) => causes.some(({ code }) => live || code === 'SelectorMatchesNothing')),
    text(style) {
      const summary = all.length > 1 ? formatSummary(all) : [];
      if (onlyProblems && !style.wide) return [...services.flatMap((each) => formatProblem(each, style)), ...summary];
      if (!hasNames && !style.wide) return [...formatOverview(services, style), ...summary];
      const sections = services.map((each) => [
        ...formatServiceSection(each, inventory.templatePods, style),
        ...(inventory.templatePods.size > 0 ? [] : formatSlicesSection(each.explanation, explainSlices(each.service), style)),
      ]);
      return [...sections.flatMap((lines, index) => (index > 0 ? ['', ...lines] : lines)), ...summary];
    },
    data: () => ({
      items: services.map(({ service, explanation, causes }) => ({
        ...explanation,
        health: healthOf(causes),
        causes,
        slices: explainSlices(service),
      })),
    }),
    errors: findInvalidPolicies(inventory),
    hints: createUnknownZonesHints(scope.nodes, hasNames ? scope.services : [], options),
  };
}

const marks: Readonly<Record<Health, { readonly colour: Colour; readonly rank: number }>> = {
  broken: { colour: 'red', rank: 0 },
  degraded: { colour: 'yellow', rank: 1 },
  unknown: { colour: 'yellow', rank: 2 },
  ok: { colour: 'green', rank: 3 },
};

const byHealth = (a: DiagnosedService, b: DiagnosedService): number => marks[healthOf(a.causes)].rank - marks[healthOf(b.causes)].rank;

/** "62 Services: 6 broken, 31 degraded, 25 ok" */
function formatSummary(services: readonly DiagnosedService[]): string[] {
  const counts = Map.groupBy(services, ({ causes }) => healthOf(causes));
  const parts = (Object.keys(marks) as Health[]).flatMap((health) =>
    counts.has(health) ? [`${counts.get(health)?.length} ${health}`] : [],
  );
  return ['', `${formatCount(services.length, 'Service')}: ${parts.join(', ')}`];
}

/** One line per Service, with codes only: the root cause first. `formatServiceSection` prints the full messages. */
function formatOverview(services: readonly DiagnosedService[], style: Style): string[] {
  const rows = services.map(({ explanation: { namespace, name, managed, counts }, causes }) => {
    const health = healthOf(causes);
    const codes = [...new Set(causes.map(({ code }) => code))].join(', ');
    const numbers = managed ? [counts.ready, counts.notReady, counts.leftOut] : ['-', '-', '-'];
    return [
      cell(namespace),
      cell(name),
      cell(health, marks[health].colour),
      ...numbers.map((number) => ({ lines: [String(number)] })),
      cell(codes, marks[health].colour),
    ];
  });
  const headings = ['NAMESPACE', 'SERVICE', 'STATE', 'READY', 'NOT READY', 'LEFT OUT', 'CAUSES'];
  return rows.length > 0 ? formatTable(headings, rows, style) : [];
}

/** The lines of `--problems`: the Service, its root cause, and its fix. */
function formatProblem({ explanation: { namespace, name }, causes }: DiagnosedService, style: Style): string[] {
  const health = healthOf(causes);
  const title = `${style.paint(health, marks[health].colour)} ${style.paint(escapeUnprintable(`${namespace}/${name}`), 'bold')}`;
  return [title, ...formatCauses(causes.slice(0, 1), style), ''];
}

function formatServiceSection({ explanation, causes }: DiagnosedService, templatePods: ReadonlySet<string>, style: Style): string[] {
  const { namespace, name, version, managed, counts, problems, pods } = explanation;
  const health = healthOf(causes);
  const notes = problems.filter(({ severity }) => severity === 'info');
  return [
    ...formatTitle({ namespace, name, version, managed, counts }, health, style),
    ...formatCauses(causes, style),
    ...notes.flatMap((problem) => formatNoteLines(problem, style)),
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
    return `${title}  ${paint(health, marks[health].colour)}: ${numbers}`;
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
function formatSlicesSection({ pods }: ServiceExplanation, slices: ExplainedSlices, style: Style): string[] {
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

function formatNoteLines(problem: Problem, style: Style): string[] {
  const lines = wrap(escapeUnprintable(formatReason(problem)), style.width === undefined ? undefined : style.width - '  - '.length);
  return lines.map((line, index) => `  ${index === 0 ? style.paint('-', 'cyan') : ' '} ${line}`);
}
