import type { Command } from 'commander';
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
import { policyKinds, routeKinds, workloadKinds } from '../input/related-kinds.ts';
import type { Scope } from '../input/scope.ts';
import { reportOnServices } from '../live/read-objects.ts';
import type { Report } from '../print/report.ts';
import type { Style } from '../print/style.ts';
import { cell, formatTable } from '../print/table.ts';
import { escapeUnprintable } from '../print/text.ts';
import { createDiagnoser, type DiagnosedService, findInvalidPolicies, type Health, healthOf } from '../report/diagnoses.ts';
import { explainPod } from '../report/explain-pod.ts';
import { createSlicesExplainer } from '../report/explain-slices.ts';
import { formatCauses } from '../report/format-diagnosis.ts';
import { formatServiceSection, formatSlicesSection, healthMarks } from '../report/format-service.ts';
import { createCaveats, createUnknownZonesHints } from '../report/hints.ts';
import { formatRouteProblem, listRouteProblems, type RouteProblem } from '../report/route-problems.ts';

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
  const { names, selector, flags, pod, problems: onlyProblems, maxEndpointsPerSlice } = invocation;
  const readsRoutes = names.length === 0 && !selector;
  return reportOnServices(
    invocation,
    {
      kinds: [
        'services',
        'pods',
        'endpoints',
        'endpointSlices',
        'nodes',
        'events',
        ...policyKinds,
        ...(names.length > 0 ? [] : routeKinds),
      ],
      moreKinds: [...workloadKinds, 'PodDisruptionBudget', 'warnings'],
      usesTemplates: true,
      release: invocation,
      report({ scope, inventory, namespace: currentNamespace, live, release }) {
        const options = { ...release, hasNames: names.length > 0, onlyProblems: onlyProblems === true, maxEndpointsPerSlice };
        const namespace = flags.allNamespaces ? undefined : currentNamespace;
        const knowsRoutes = readsRoutes && (!live || namespace === undefined);
        const pods = inventory.pods.filter((candidate) => namespace === undefined || namespaceOf(candidate) === namespace);
        const report =
          pod === undefined
            ? explain(scope, { ...options, inventory, live, namespace, knowsRoutes })
            : explainPod(scope, pods, { ...options, pod, namespace });
        return scope.services.length === 0 || report.errors?.length
          ? report
          : { ...report, hints: [...(report.hints ?? []), ...createCaveats({ inventory, live }, report.hasFindings)] };
      },
    },
    io,
    printMessage,
  );
}

export interface ExplainOptions extends Release {
  /** True if Services were named on the command line. */
  readonly hasNames: boolean;
  /** True if only Services with problems are listed. */
  readonly onlyProblems?: boolean;
  readonly inventory: Inventory;
  /** True if absent objects do not exist. */
  readonly live: boolean;
  /** True if the input has all Services to which a route can refer. */
  readonly knowsRoutes?: boolean;
  /** The namespace that is explained; undefined for all. */
  readonly namespace?: string | undefined;
  readonly maxEndpointsPerSlice?: number | undefined;
}

/** Reports for `explain` the causes of each Service's problems. If Services are named or `-o wide` is given, also reports on each pod. */
export function explain(scope: Scope, options: ExplainOptions): Report {
  const { hasNames, onlyProblems, inventory, live, namespace } = options;
  const explainSlices = createSlicesExplainer(scope, options);
  const all = scope.services.map(createDiagnoser(scope, inventory, options, live));
  const routeProblems = options.knowsRoutes ? listRouteProblems(inventory, namespace, live) : [];
  const services = onlyProblems ? all.filter(({ causes }) => causes.length > 0).sort(byHealth) : all;
  return {
    hasFindings: all.some(({ causes }) => causes.length > 0) || routeProblems.length > 0,
    needsMore: hasNames && all.some(({ causes }) => causes.length > 0),
    text(style) {
      const summary = all.length > 1 || routeProblems.length > 0 ? formatSummary(all, routeProblems) : [];
      const routes = routeProblems.map((problem) => formatRouteProblem(problem, style));
      if (onlyProblems && !style.wide) return separate([...services.map((each) => formatProblem(each, style)), ...routes, summary]);
      if (!hasNames && !style.wide) return separate([formatOverview(services, style), ...routes, summary]);
      const sections = services.map((each) => [
        ...formatServiceSection(each, inventory.templatePods, style),
        ...(inventory.templatePods.size > 0 ? [] : formatSlicesSection(each.explanation, explainSlices(each.service), style)),
      ]);
      return separate([...sections, summary]);
    },
    data: () => ({
      items: services.map(({ service, explanation, causes }) => ({
        ...explanation,
        health: healthOf(causes),
        causes,
        slices: explainSlices(service),
      })),
      ...(routeProblems.length > 0 && { routes: routeProblems }),
    }),
    errors: findInvalidPolicies(inventory),
    hints: createUnknownZonesHints(scope.nodes, hasNames ? scope.services : [], options),
  };
}

const byHealth = (a: DiagnosedService, b: DiagnosedService): number =>
  healthMarks[healthOf(a.causes)].rank - healthMarks[healthOf(b.causes)].rank;

/** "62 Services: 6 broken, 31 degraded, 25 ok" */
function formatSummary(services: readonly DiagnosedService[], routeProblems: readonly RouteProblem[]): string[] {
  const counts = Map.groupBy(services, ({ causes }) => healthOf(causes));
  const parts = (Object.keys(healthMarks) as Health[]).flatMap((health) =>
    counts.has(health) ? [`${counts.get(health)?.length} ${health}`] : [],
  );
  const routes = routeProblems.length > 0 ? [`${formatCount(routeProblems.length, 'problem')} of Ingresses, Gateways and routes`] : [];
  return [[`${formatCount(services.length, 'Service')}: ${parts.join(', ')}`, ...routes].join('; ')];
}

/** Joins sections with a blank line between them; empty ones are left out. */
const separate = (sections: readonly (readonly string[])[]): string[] =>
  sections.filter(({ length }) => length > 0).flatMap((lines, index) => (index > 0 ? ['', ...lines] : lines));

/** One line per Service, with codes only: the root cause first. `formatServiceSection` prints the full messages. */
function formatOverview(services: readonly DiagnosedService[], style: Style): string[] {
  const rows = services.map(({ explanation: { namespace, name, managed, counts }, causes }) => {
    const health = healthOf(causes);
    const codes = [...new Set(causes.map(({ code }) => code))].join(', ');
    const numbers = managed ? [counts.ready, counts.notReady, counts.leftOut] : ['-', '-', '-'];
    return [
      cell(namespace),
      cell(name),
      cell(health, healthMarks[health].colour),
      ...numbers.map((number) => ({ lines: [String(number)] })),
      cell(codes, healthMarks[health].colour),
    ];
  });
  const headings = ['NAMESPACE', 'SERVICE', 'STATE', 'READY', 'NOT READY', 'LEFT OUT', 'CAUSES'];
  return rows.length > 0 ? formatTable(headings, rows, style) : [];
}

/** The lines of `--problems`: the Service, its root cause, and its fix. */
function formatProblem({ explanation: { namespace, name }, causes }: DiagnosedService, style: Style): string[] {
  const health = healthOf(causes);
  const title = `${style.paint(health, healthMarks[health].colour)} ${style.paint(escapeUnprintable(`${namespace}/${name}`), 'bold')}`;
  return [title, ...formatCauses(causes.slice(0, 1), style)];
}
