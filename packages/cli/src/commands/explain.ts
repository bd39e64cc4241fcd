import type { Command } from 'commander';
import { explainService, type Problem, type ServiceExplanation } from 'kube-endpoints/explain';
import { namespaceOf } from 'kube-endpoints/internal/apimachinery';
import type { Service } from 'kube-endpoints/types';
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
import type { Scope } from '../input/scope.ts';
import { reportOnServices } from '../live/read-objects.ts';
import type { Report } from '../print/report.ts';
import type { Colour, Style } from '../print/style.ts';
import { cell, formatTable } from '../print/table.ts';
import { escapeUnprintable, wrap } from '../print/text.ts';
import { explainPod } from '../report/explain-pod.ts';
import { createSlicesExplainer, type ExplainedSlices, formatExplainedSlices } from '../report/explain-slices.ts';
import { createLoadBalancingExplainer, createReadinessExplainer, formatReason, stateOf } from '../report/explanations.ts';
import { createCaveats, createUnknownZonesHints } from '../report/hints.ts';

interface ExplainFlags extends InputFlags, ReleaseFlags {
  readonly command: 'explain';
  readonly pod: string | undefined;
  readonly maxEndpointsPerSlice: number | undefined;
}

export function configure(command: Command, onParsed: OnParsed): void {
  addReleaseFlags(addServiceArguments(command))
    .addOption(createMaxEndpointsOption())
    .option('--pod <NAME>', 'explain only this pod, for each Service in its namespace', parsePodName)
    .action((names, { release, featureGates, pod, maxEndpointsPerSlice, ...cluster }) =>
      onParsed(names, { command: 'explain', release, featureGates, pod, maxEndpointsPerSlice, ...cluster } as ExplainFlags, run),
    );
}

function run(invocation: Invocation<ExplainFlags>, io: IO, printMessage: PrintMessage): Promise<number> {
  const { names, flags, pod, maxEndpointsPerSlice } = invocation;
  return reportOnServices(
    invocation,
    {
      kinds: ['services', 'pods', 'endpoints', 'endpointSlices', 'nodes', 'events'],
      release: invocation,
      report({ scope, inventory, namespace: currentNamespace, live, release }) {
        const options = { ...release, hasNames: names.length > 0, maxEndpointsPerSlice };
        const caveats = createCaveats({ inventory, live });
        if (pod === undefined) return withHints(explain(scope, options), caveats);
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
  readonly maxEndpointsPerSlice?: number | undefined;
}

/** Reports for `explain` the problems of each Service. If Services are named or `-o wide` is given, also reports the result for each pod. */
export function explain(scope: Scope, options: ExplainOptions): Report {
  const { version, featureGates, hasNames } = options;
  const explainSlices = createSlicesExplainer(scope, options);
  const explanations = scope.services.map((service) =>
    explainService(service, scope.podsOf(namespaceOf(service)), {
      version,
      featureGates,
      current: scope.endpointsOf(service),
      readiness: createReadinessExplainer(options),
      loadBalancing: createLoadBalancingExplainer(scope, options),
    }),
  );
  return {
    hasFindings: explanations.some(({ problems }) => problems.some(({ severity }) => severity !== 'info')),
    text: (style) =>
      hasNames || style.wide
        ? explanations.flatMap((explanation, index) => [
            ...(index > 0 ? [''] : []),
            ...formatServiceSection(explanation, style),
            ...formatSlicesSection(explanation, explainSlices(scope.services[index] as Service), style),
          ])
        : formatOverview(explanations, style),
    data: () => ({
      items: explanations.map((explanation, index) => ({ ...explanation, slices: explainSlices(scope.services[index] as Service) })),
    }),
    hints: createUnknownZonesHints(scope.nodes, hasNames ? scope.services : [], options),
  };
}

const marks: Readonly<Record<Problem['severity'], { readonly mark: string; readonly colour: Colour }>> = {
  error: { mark: '!', colour: 'red' },
  warning: { mark: '!', colour: 'yellow' },
  info: { mark: '-', colour: 'cyan' },
};

/** One line per Service, with problem codes only; `formatServiceSection` prints the full messages. */
function formatOverview(explanations: readonly ServiceExplanation[], style: Style): string[] {
  const rows = explanations.map(({ namespace, name, managed, counts, problems }) => {
    const [worst] = problems;
    const codes = [...new Set(problems.map(({ code }) => code))].join(', ');
    const numbers = managed ? [counts.ready, counts.notReady, counts.leftOut] : ['-', '-', '-'];
    return [
      cell(namespace),
      cell(name),
      ...numbers.map((number) => ({ lines: [String(number)] })),
      cell(codes, worst && marks[worst.severity].colour),
    ];
  });
  const headings = ['NAMESPACE', 'SERVICE', 'READY', 'NOT READY', 'LEFT OUT', 'PROBLEMS'];
  return rows.length > 0 ? formatTable(headings, rows, style) : [];
}

function formatServiceSection(explanation: ServiceExplanation, style: Style): string[] {
  const { namespace, name, version, managed, counts, problems, pods } = explanation;
  const verdict = managed ? formatVerdict(counts, style) : style.paint('not managed', 'dim');
  const title = `${style.paint(`SERVICE ${escapeUnprintable(`${namespace}/${name}`)}`, 'bold')}  (Kubernetes ${version})   ${verdict}`;
  const rows = pods.map((pod) => {
    const { word, colour } = stateOf(pod);
    return [
      cell(pod.name),
      cell(word, colour),
      cell(pod.ip ?? ''),
      { lines: pod.ports.length > 0 ? [pod.ports.join(',')] : ['<none>'] },
      { lines: pod.reasons.map(formatReason) },
    ];
  });
  return [
    title,
    ...problems.flatMap((problem) => formatProblemLines(problem, style)),
    ...(rows.length > 0 ? formatTable(['POD', 'STATE', 'ADDRESS', 'PORTS', 'WHY'], rows, style, '  ') : []),
  ];
}

/** The lines about EndpointSlices, without the reasons that `formatServiceSection` already prints for the same pod. */
function formatSlicesSection({ pods }: ServiceExplanation, slices: ExplainedSlices, style: Style): string[] {
  const printedReasons = new Map(pods.map(({ name, reasons }) => [name, reasons]));
  return formatExplainedSlices(slices, ({ name }) => printedReasons.get(name) ?? [], style);
}

function formatVerdict({ selected, ready, notReady, leftOut }: ServiceExplanation['counts'], { paint }: Style): string {
  if (selected === 0) return paint('no pods', 'red');
  const parts = [paint(`${ready} ready`, ready > 0 ? 'green' : 'red')];
  if (notReady > 0) parts.push(paint(`${notReady} not ready`, 'yellow'));
  if (leftOut > 0) parts.push(paint(`${leftOut} left out`, 'red'));
  return parts.join(', ');
}

function formatProblemLines(problem: Problem, style: Style): string[] {
  const { mark, colour } = marks[problem.severity];
  const lines = wrap(escapeUnprintable(formatReason(problem)), style.width === undefined ? undefined : style.width - '  ! '.length);
  return lines.map((line, index) => `  ${index === 0 ? style.paint(mark, colour) : ' '} ${line}`);
}
