import type { NodeInfo } from './node-info.ts';
import type { Cycle, Plugin, PreparedFilter, Rejection } from './plugin.ts';
import { interPodAffinity } from './plugins/inter-pod-affinity.ts';
import { nodeAffinity, nodeName, nodeUnschedulable, taintToleration } from './plugins/node-properties.ts';
import { imageLocality, nodePorts, nodeResourcesBalancedAllocation, nodeResourcesFit } from './plugins/node-resources.ts';
import { podTopologySpread } from './plugins/topology-spread.ts';

/** The plugins of the default profile that the simulator has, in their order (1.36, pkg/scheduler/apis/config/v1/default_plugins.go). */
const plugins: readonly Plugin[] = [
  nodeUnschedulable,
  nodeName,
  taintToleration,
  nodeAffinity,
  nodePorts,
  nodeResourcesFit,
  podTopologySpread,
  interPodAffinity,
  nodeResourcesBalancedAllocation,
  imageLocality,
];

export interface FeasibleNodes {
  readonly feasible: readonly NodeInfo[];
  /** Why the other evaluated nodes do not fit. */
  readonly rejections: ReadonlyMap<string, Rejection>;
  /** Set if a plugin rejects the pod without a look at the nodes. */
  readonly preFilterMessage?: string;
  /** The number of nodes that were evaluated, in the order of the nodes after `start`. */
  readonly evaluated: number;
}

export interface FindOptions {
  /** The search stops after this number of feasible nodes; by default, it does not. */
  readonly limit?: number;
  /** The index of the node at which the search starts. */
  readonly start?: number;
}

/** Finds the nodes that a pod fits on: findNodesThatFitPod (1.36, pkg/scheduler/schedule_one.go). */
export function findFeasibleNodes(cycle: Cycle, { limit = Infinity, start = 0 }: FindOptions = {}): FeasibleNodes {
  const { nodes } = cycle;
  const filters: PreparedPlugin[] = [];
  let nodeNames: ReadonlySet<string> | undefined;
  for (const { name, prepareFilter } of plugins) {
    const prepared = prepareFilter?.(cycle);
    if (!prepared) continue;
    if (prepared.rejection) return rejectAll(nodes, { plugin: name, ...prepared.rejection });
    nodeNames ??= prepared.nodeNames;
    filters.push({ name, ...prepared });
  }
  const candidates = nodeNames ? [...nodeNames].flatMap((name) => nodes.find((node) => node.name === name) ?? []) : nodes;
  const rejections = new Map<string, Rejection>(
    nodeNames ? nodes.filter(({ name }) => !nodeNames.has(name)).map(({ name }) => [name, excludedByName]) : [],
  );
  const feasible: NodeInfo[] = [];
  let evaluated = 0;
  for (; evaluated < candidates.length && feasible.length < limit; evaluated += 1) {
    const node = candidates[(start + evaluated) % candidates.length] as NodeInfo;
    const rejection = filterNode(filters, node);
    if (rejection) rejections.set(node.name, rejection);
    else feasible.push(node);
  }
  return { feasible, rejections, evaluated };
}

const excludedByName: Rejection = {
  plugin: '',
  reasons: ["node(s) didn't satisfy plugin(s) [NodeAffinity]"],
  isUnresolvable: true,
};

type PreparedPlugin = PreparedFilter & { readonly name: string };

const rejectAll = (nodes: readonly NodeInfo[], rejection: Rejection): FeasibleNodes => ({
  feasible: [],
  rejections: new Map(nodes.map(({ name }) => [name, rejection])),
  preFilterMessage: rejection.reasons.join(', '),
  evaluated: 0,
});

function filterNode(filters: readonly PreparedPlugin[], node: NodeInfo): Rejection | undefined {
  for (const { name, filter } of filters) {
    const rejection = filter(node);
    if (rejection) return { plugin: name, ...rejection };
  }
  return undefined;
}

export interface NodeScore {
  readonly node: NodeInfo;
  readonly total: number;
  /** Weighted scores by plugin. Plugins without an opinion on the pod are missing. */
  readonly byPlugin: Readonly<Record<string, number>>;
}

/** Scores feasible nodes: RunScorePlugins (1.36, pkg/scheduler/framework/runtime/framework.go). */
export function scoreNodes(cycle: Cycle, feasible: readonly NodeInfo[]): NodeScore[] {
  const totals = feasible.map(() => 0);
  const byPlugin = feasible.map((): Record<string, number> => ({}));
  for (const { name, weight = 1, prepareScore } of plugins) {
    const prepared = prepareScore?.(cycle, feasible);
    if (!prepared) continue;
    const raw = feasible.map(prepared.score);
    const scores = prepared.normalize?.(raw, feasible) ?? raw;
    for (const [i, score] of scores.entries()) {
      (byPlugin[i] as Record<string, number>)[name] = score * weight;
      totals[i] = (totals[i] as number) + score * weight;
    }
  }
  return feasible.map((node, i) => ({ node, total: totals[i] as number, byPlugin: byPlugin[i] as Record<string, number> }));
}

/**
 * The nodes with the highest score. The first one is the choice of the original if it has evaluated the nodes in this order; in fact, the order
 * depends on its threads.
 */
export function bestNodes(scores: readonly NodeScore[]): NodeInfo[] {
  const root = findHeapRoot(scores);
  const others = scores.filter((score) => score !== root && score.total === root?.total);
  return [...(root ? [root] : []), ...others].map(({ node }) => node);
}

/** The first element of a heap: newSortedNodeScores. The highest scores are equal for it, because only extenders make upstream draw lots. */
function findHeapRoot(scores: readonly NodeScore[]): NodeScore | undefined {
  const heap = [...scores];
  const totalAt = (index: number): number => heap[index]?.total ?? -Infinity;
  for (let start = Math.floor(heap.length / 2) - 1; start >= 0; start -= 1)
    for (let index = start; ; ) {
      const left = 2 * index + 1;
      const child = totalAt(left + 1) > totalAt(left) ? left + 1 : left;
      if (totalAt(child) <= totalAt(index)) break;
      [heap[index], heap[child]] = [heap[child] as NodeScore, heap[index] as NodeScore];
      index = child;
    }
  return heap[0];
}
