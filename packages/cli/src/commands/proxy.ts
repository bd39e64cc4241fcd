import { readInput } from '../input/read.ts';
import { exitCodes, type IO, type Tell, UsageError } from '../io.ts';
import type { LiveKind } from '../live/inventory.ts';
import type { CommonFlags } from '../program.ts';
import type { ProxyDiffParticulars, ProxyParticulars } from '../program-proxy.ts';
import { type ObjectsRead, readObjects, tellProblems } from '../reading.ts';
import type { Report } from '../report.ts';
import { createScope } from '../scope.ts';
import { familyFor, nodeHint, proxyNode } from './proxy-node.ts';
import { proxyObjects } from './proxy-objects.ts';
import { proxyDiff, proxyRender, type RuleInput } from './proxy-render.ts';
import { proxyView } from './proxy-view.ts';

export type ProxyOptions = ProxyParticulars & {
  readonly flags: CommonFlags;
  readonly names: readonly string[];
  readonly print: (report: Report) => void;
};

/** `proxy render`, `proxy view` and `proxy diff`: what the kube-proxy of a node makes of Services. Nothing is written to any node. */
export async function proxy(options: ProxyOptions, io: IO, tell: Tell): Promise<number> {
  // a node serves the Services of all namespaces, whichever are looked at
  const everywhere = { ...options, flags: { ...options.flags, allNamespaces: true } };
  const read = await readObjects(everywhere, kinds, io, tell);
  const { inventory } = read;
  const objects = proxyObjects(inventory, read.live);
  const input: RuleInput = { objects, node: proxyNode(inventory, options) };
  for (const hint of [...objects.hints, ...nodeHint(inventory)]) tell('hint', hint);
  const report = await explained(() => reportOn(options, { ...read, input }, io, tell));
  if (!report) return exitCodes.error;
  for (const error of report.errors ?? []) tell('error', error);
  for (const hint of report.hints ?? []) tell('hint', hint);
  options.print(report);
  if (inventory.problems.length > 0 || (report.errors ?? []).length > 0) return exitCodes.error;
  return report.found ? exitCodes.found : exitCodes.nothing;
}

const kinds: readonly LiveKind[] = ['services', 'endpointSlices', 'nodes'];

interface Material extends ObjectsRead {
  readonly input: RuleInput;
}

async function reportOn(options: ProxyOptions, material: Material, io: IO, tell: Tell): Promise<Report | undefined> {
  const { input, inventory, namespace } = material;
  const family = familyFor(input.node, options);
  switch (options.action) {
    case 'render':
      return proxyRender(input, options, family);
    case 'diff': {
      const after = await readAfter(options, material, io, tell);
      return after && proxyDiff(input, after, options.mode, family);
    }
    case 'view': {
      const { allNamespaces } = options.flags;
      const scope = createScope(inventory, {
        namespace: allNamespaces ? undefined : namespace,
        names: options.names,
        endpointsAlone: false,
      });
      return { ...proxyView(input, scope, family), errors: scope.missing, hints: scope.hints };
    }
  }
}

/** The objects as they are to be; undefined where they cannot be used, which is told. */
async function readAfter(
  options: ProxyDiffParticulars & ProxyOptions,
  { namespace, inventory: before, input }: Material,
  io: IO,
  tell: Tell,
): Promise<RuleInput | undefined> {
  const inventory = await readInput({ filenames: options.after, recursive: options.flags.recursive === true, namespace }, io);
  tellProblems(inventory.problems, tell);
  if (inventory.problems.length > 0) return undefined;
  const objects = proxyObjects(inventory, false);
  const isNodeKept = !inventory.nodes && before.nodes !== undefined;
  for (const hint of [...objects.hints, ...(isNodeKept ? [nodeKeptHint] : [])]) tell('hint', `--after: ${hint}`);
  return { objects, node: isNodeKept ? input.node : proxyNode(inventory, options) };
}

const nodeKeptHint = 'The input holds no Nodes: the node is taken to stay as it is.';

/** What a node or a Service holds that no rule can be made of is the user's to mend. @throws UsageError */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}
