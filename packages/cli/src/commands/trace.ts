import { type Command, Option } from 'commander';
import type { PodMode } from 'kube-endpoints/internal';
import { formatMermaid, formatTrace, renderPage, renderSvg, type Trace } from 'kube-endpoints/trace';
import { exitCodes, type IO, type PrintMessage } from '../base/io.ts';
import { addClusterFlags, type InputFlags } from '../flags/cluster.ts';
import { addReleaseFlags, type Invocation, type OnParsed, type Release, type ReleaseFlags } from '../flags/common.ts';
import { parseZone, podModes } from '../flags/zone.ts';
import { policyKinds, routeKinds } from '../input/related-kinds.ts';
import type { LiveKind } from '../live/inventory.ts';
import { readObjects, withTemplatePods } from '../live/read-objects.ts';
import { printReport } from '../print/report.ts';
import { createCaveats } from '../report/hints.ts';
import { traceObjects } from '../report/trace.ts';

interface TraceFlags extends InputFlags, ReleaseFlags {
  readonly command: 'trace';
  readonly target: string;
  readonly from?: string;
  readonly node?: string;
  /** Such as "cluster.local". */
  readonly zone?: string;
  readonly pods?: PodMode;
}

export function configure(command: Command, onParsed: OnParsed): void {
  addReleaseFlags(
    addClusterFlags(
      command.argument('<TARGET>', 'the target as a client uses it: web, web.shop:http, http://web.shop.svc.cluster.local/, 10.96.0.7:80'),
    ),
  )
    .option('--from <POD>', 'the client pod, as pod/NAME or NAMESPACE/pod/NAME, whose DNS search path and node are used')
    .option('--node <NODE>', 'the node of the client (default: the node of --from, otherwise all nodes)')
    .option('--zone <DOMAIN>', 'the cluster domain (default: "cluster.local")', parseZone)
    .addOption(new Option('--pods <MODE>', 'how CoreDNS answers pod names (default: "disabled")').choices(podModes))
    .action((target: string, options: Omit<TraceFlags, 'command' | 'target'>) =>
      onParsed([], { ...options, command: 'trace', target, release: options.release, featureGates: options.featureGates }, run),
    );
}

/**
 * Prints the path from a name to pods. Reads all namespaces, because a name may refer to any of them; -n is the namespace of the client.
 */
async function run(command: Invocation<TraceFlags>, io: IO, printMessage: PrintMessage): Promise<number> {
  const { flags } = command;
  const loadedObjects = withTemplatePods(
    await readObjects(
      { ...command, flags: { ...flags, allNamespaces: true } },
      { kinds: kindsFor(command.target), release: command },
      io,
      printMessage,
    ),
  );
  const { trace, errors } = await traceObjects(command, loadedObjects);
  for (const error of errors) printMessage('error', error);
  for (const hint of createCaveats(loadedObjects, trace.cause !== undefined)) printMessage('hint', hint);
  const formatDiagram = diagramFormatters[flags.output];
  if (formatDiagram) io.stdout.write(addNewline(formatDiagram(trace, describeSource(command, loadedObjects.release))));
  else await printReport({ data: () => trace, text: (style) => formatTrace(trace, style) }, flags, io);
  if (loadedObjects.inventory.problems.length + errors.length > 0) return exitCodes.error;
  return trace.outcome === 'reached' || trace.outcome === 'outside' ? exitCodes.nothing : exitCodes.found;
}

/** Ingresses, Gateways and routes are read only for a name that may lead outside the cluster. */
const kindsFor = (target: string): readonly LiveKind[] =>
  /^https?:\/\//i.test(target) || (/\..*\./.test(target) && !/\.svc(?:[.:/]|$)/i.test(target)) ? [...kinds, ...routeKinds] : kinds;

const kinds: readonly LiveKind[] = [
  'services',
  'pods',
  'endpoints',
  'endpointSlices',
  'nodes',
  'namespaces',
  'serviceCIDRs',
  'events',
  ...policyKinds,
];

const diagramFormatters: Readonly<Record<string, (trace: Trace, source: readonly string[]) => string>> = {
  mermaid: formatMermaid,
  svg: renderSvg,
  html: (trace, source) => renderPage(trace, { source }),
};

/** What a page is about: the release, the files or the context, and the time. */
function describeSource({ flags, context, kubeconfig }: Invocation<TraceFlags>, { version }: Release): string[] {
  const cluster = flags.filename?.join(', ') ?? (context === undefined ? (kubeconfig ?? 'current context') : `context ${context}`);
  return [`Kubernetes ${version}`, cluster, `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`];
}

const addNewline = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);
