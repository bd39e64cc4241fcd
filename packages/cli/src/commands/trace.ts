import { type Command, Option } from 'commander';
import type { PodMode, TraceService } from 'kube-endpoints/internal';
import {
  formatMermaid,
  formatTrace,
  renderPage,
  renderSvg,
  type Trace,
  TraceError,
  type TraceObjects,
  traceTarget,
} from 'kube-endpoints/trace';
import { profileFor } from 'kube-endpoints/versions';
import { exitCodes, type IO, type PrintMessage, UsageError } from '../base/io.ts';
import { addClusterFlags, type InputFlags } from '../flags/cluster.ts';
import { addReleaseFlags, type Invocation, type OnParsed, type ReleaseFlags } from '../flags/common.ts';
import { parseZone, podModes } from '../flags/zone.ts';
import type { LiveKind } from '../live/inventory.ts';
import { type LoadedObjects, readObjects } from '../live/read-objects.ts';
import { printReport } from '../print/report.ts';
import { createCaveats } from '../report/hints.ts';

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
  const loadedObjects = await readObjects(
    { ...command, flags: { ...flags, allNamespaces: true } },
    { kinds, release: command },
    io,
    printMessage,
  );
  for (const hint of createCaveats(loadedObjects)) printMessage('hint', hint);
  const trace = traceLoadedObjects(command, loadedObjects);
  const formatDiagram = diagramFormatters[flags.output];
  if (formatDiagram) io.stdout.write(addNewline(formatDiagram(trace)));
  else await printReport({ data: () => trace, text: (style) => formatTrace(trace, style) }, flags, io);
  if (loadedObjects.inventory.problems.length > 0) return exitCodes.error;
  return trace.outcome === 'reached' || trace.outcome === 'outside' ? exitCodes.nothing : exitCodes.found;
}

const kinds: readonly LiveKind[] = ['services', 'pods', 'endpoints', 'endpointSlices', 'nodes', 'namespaces', 'serviceCIDRs', 'events'];

function traceLoadedObjects({ target, from, node, zone, pods }: TraceFlags, loadedObjects: LoadedObjects): Trace {
  const { namespace, release } = loadedObjects;
  const dns = { ...(zone !== undefined && { zones: [zone, 'in-addr.arpa', 'ip6.arpa'] }), ...(pods !== undefined && { pods }) };
  try {
    return traceTarget({ target, from, node, namespace }, toTraceObjects(loadedObjects), { ...release, dns });
  } catch (error) {
    if (error instanceof TraceError) throw new UsageError(error.message);
    throw error;
  }
}

/**
 * Converts the objects for the trace. Slices are unknown before 1.21, and if a dump holds none, because the dump may be incomplete. A live
 * cluster that returns no slices has none.
 */
function toTraceObjects({ inventory, live, release: { version } }: LoadedObjects): TraceObjects {
  const { pods, endpoints, slices, nodes, namespaces, serviceCIDRs, events, servicesWithPlaceholderIP } = inventory;
  const areSlicesKnown = profileFor(version).slicesAreV1 && (live || slices.length > 0);
  return {
    // The input was validated when it was read, so each item is a TraceService.
    services: inventory.services as readonly TraceService[],
    pods,
    slices: areSlicesKnown ? slices : undefined,
    endpoints,
    nodes,
    namespaces,
    serviceCIDRs,
    events,
    standIns: servicesWithPlaceholderIP,
  };
}

const diagramFormatters: Readonly<Record<string, (trace: Trace) => string>> = { mermaid: formatMermaid, svg: renderSvg, html: renderPage };

const addNewline = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);
