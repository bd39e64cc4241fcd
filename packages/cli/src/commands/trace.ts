import {
  formatMermaid,
  formatTrace,
  renderPage,
  renderSvg,
  type Trace,
  TraceError,
  type TraceObjects,
  type TraceService,
  traceTarget,
} from 'kube-endpoints/trace';
import { profileFor } from 'kube-endpoints/versions';
import { exitCodes, type IO, type Tell, UsageError } from '../io.ts';
import type { LiveKind } from '../live/inventory.ts';
import { formatStructured } from '../print/structured.ts';
import { createPainter, wantsColour } from '../print/style.ts';
import type { CommonFlags } from '../program.ts';
import type { TraceParticulars } from '../program-trace.ts';
import { type ObjectsRead, readObjects } from '../reading.ts';

export interface TraceCommand extends TraceParticulars {
  readonly flags: CommonFlags;
  readonly version: string;
}

/** `trace`: the way from a name to pods. Names lead to any namespace, so that all of a cluster's are read; -n is where the question is from. */
export async function trace(command: TraceCommand, io: IO, tell: Tell): Promise<number> {
  const { flags, version } = command;
  const read = await readObjects({ ...command, flags: { ...flags, allNamespaces: true } }, kinds, io, tell);
  const found = traced(command, read, version);
  io.stdout.write(format(found, flags, io));
  if (read.inventory.problems.length > 0) return exitCodes.error;
  return found.outcome === 'reached' || found.outcome === 'outside' ? exitCodes.nothing : exitCodes.found;
}

const kinds: readonly LiveKind[] = ['services', 'pods', 'endpoints', 'endpointSlices', 'nodes', 'namespaces', 'serviceCIDRs', 'events'];

function traced({ target, from, node, zone, pods }: TraceCommand, read: ObjectsRead, version: string): Trace {
  const { namespace } = read;
  const dns = { ...(zone !== undefined && { zones: [zone, 'in-addr.arpa', 'ip6.arpa'] }), ...(pods !== undefined && { pods }) };
  try {
    return traceTarget({ target, from, node, namespace }, objectsOf(read, version), { version, dns });
  } catch (error) {
    if (error instanceof TraceError) throw new UsageError(error.message);
    throw error;
  }
}

/** A dump without any EndpointSlices says nothing of them; in a cluster there are none then. */
function objectsOf({ inventory, live }: ObjectsRead, version: string): TraceObjects {
  const { pods, endpoints, slices, nodes, namespaces, serviceCIDRs, events, standIns } = inventory;
  const areKnown = profileFor(version).slicesAreV1 && (live || slices.length > 0);
  return {
    // the rules of the input have made sure that they are what they are called
    services: inventory.services as readonly TraceService[],
    pods,
    slices: areKnown ? slices : undefined,
    endpoints,
    nodes,
    namespaces,
    serviceCIDRs,
    events,
    standIns,
  };
}

function format(found: Trace, { output, color }: CommonFlags, { stdout, env }: IO): string {
  if (output === 'json' || output === 'yaml') return formatStructured(found, output);
  if (output === 'mermaid') return formatMermaid(found);
  if (output === 'svg') return ended(renderSvg(found));
  if (output === 'html') return ended(renderPage(found));
  const style = {
    paint: createPainter(wantsColour(color, stdout.isTTY, env)),
    width: stdout.isTTY ? stdout.columns : undefined,
    wide: output === 'wide',
  };
  return `${formatTrace(found, style).join('\n')}\n`;
}

const ended = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);
