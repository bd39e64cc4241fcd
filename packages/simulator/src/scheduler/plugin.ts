import type { Cache } from '../controller/controller.ts';
import type { NodeInfo, PodInfo } from './node-info.ts';
import type { Pod } from './types.ts';

/** What a plugin of the scheduler sees while it places one pod. */
export interface Cycle {
  readonly pod: Pod;
  readonly info: PodInfo;
  readonly nodes: readonly NodeInfo[];
  /** Namespaces, Services, ReplicationControllers, ReplicaSets and StatefulSets. */
  readonly cache: Cache;
  /** Images of the nodes, by name. */
  readonly images: ReadonlyMap<string, ImageState>;
}

export interface ImageState {
  readonly sizeBytes: number;
  readonly nodes: ReadonlySet<string>;
}

/** Why a node does not fit a pod. */
export interface Rejection {
  /** The plugin, for example "NodeResourcesFit"; empty for a node that a plugin excluded before the filters. */
  readonly plugin: string;
  /** Upstream's texts, for example "Insufficient cpu". */
  readonly reasons: readonly string[];
  /** Whether the node stays unfit if pods are deleted. */
  readonly isUnresolvable: boolean;
}

/** A plugin of the default profile: its filter and its score. Each is prepared once per pod. */
export interface Plugin {
  readonly name: string;
  /** The factor of its score. */
  readonly weight?: number;
  /** PreFilter. Undefined if the plugin has no opinion on the pod. */
  readonly prepareFilter?: (cycle: Cycle) => PreparedFilter | undefined;
  /** PreScore. Undefined if the plugin has no opinion on the pod. */
  readonly prepareScore?: (cycle: Cycle, feasible: readonly NodeInfo[]) => PreparedScore | undefined;
}

export interface PreparedFilter {
  /** Rejects the pod on all nodes. */
  readonly rejection?: PluginRejection;
  /** The only nodes that can fit. */
  readonly nodeNames?: ReadonlySet<string>;
  readonly filter: (node: NodeInfo) => PluginRejection | undefined;
}

export type PluginRejection = Omit<Rejection, 'plugin'>;

export interface PreparedScore {
  readonly score: (node: NodeInfo) => number;
  /** Maps the scores of all nodes to 0 to 100, in the same order. By default, they are in this range. */
  readonly normalize?: (scores: readonly number[], nodes: readonly NodeInfo[]) => readonly number[];
}

export const maxScore = 100;

export const unresolvable = (...reasons: readonly string[]): PluginRejection => ({ reasons, isUnresolvable: true });
export const unschedulable = (...reasons: readonly string[]): PluginRejection => ({ reasons, isUnresolvable: false });

/** Scales scores to 0 to 100, or if reversed to 100 to 0: DefaultNormalizeScore (1.36, plugins/helper/normalize_score.go). */
export function normalizeByMaximum(scores: readonly number[], isReversed: boolean): readonly number[] {
  const maximum = scores.reduce((highest, score) => Math.max(highest, score), 0);
  if (maximum === 0) return isReversed ? scores.map(() => maxScore) : scores;
  const scaled = scores.map((score) => Math.trunc((maxScore * score) / maximum));
  return isReversed ? scaled.map((score) => maxScore - score) : scaled;
}
