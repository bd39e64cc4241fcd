import { compareText, metaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import { ApiError, type ApiObject } from 'kube-endpoints/port';
import type { Change } from '../controller/controller.ts';
import type { Clock } from '../engine/clock.ts';
import type { Watches } from '../engine/watch.ts';
import { createNodeAffinityMatcher, type NodeConstraints } from '../nodes/affinity.ts';
import { findUntoleratedTaint, type Taint, type Toleration } from '../nodes/taints.ts';
import type { Server } from './store/server.ts';

/** Chooses the node of a pod; undefined if it fits on none. `counts` has the number of pods by node. */
export type ChooseNode = (pod: ApiObject, nodes: readonly ApiObject[], counts: ReadonlyMap<string, number>) => string | undefined;

/**
 * The node with the fewest pods among those that the pod fits on, and of several the first by name: not yet the scheduler's real choice. A pod fits
 * on the nodes of its nodeSelector and required affinity whose taints it tolerates.
 */
export const chooseLeastLoadedNode: ChooseNode = (pod, nodes, counts) => {
  const fits = createFitTest(pod);
  let best: string | undefined;
  for (const node of nodes) {
    const { name = '' } = node.metadata;
    if (!fits(node)) continue;
    const [count, bestCount] = [counts.get(name) ?? 0, counts.get(best ?? '') ?? 0];
    if (best === undefined || count < bestCount || (count === bestCount && compareText(name, best) < 0)) best = name;
  }
  return best;
};

/** Mirrors the filters NodeUnschedulable, TaintToleration and NodeAffinity (1.36, pkg/scheduler/framework/plugins). */
function createFitTest({ spec }: ApiObject & { readonly spec?: PodSpec }): (node: Node) => boolean {
  const { tolerations = [] } = spec ?? {};
  const matchesAffinity = spec?.nodeSelector || spec?.affinity ? createNodeAffinityMatcher({ spec }) : undefined;
  return (node) => {
    const { unschedulable, taints = [] } = node.spec ?? {};
    const untolerated = findUntoleratedTaint(unschedulable ? [...taints, unschedulableTaint] : taints, tolerations, isRepelling);
    return untolerated === undefined && (matchesAffinity?.(node) ?? true);
  };
}

interface PodSpec extends NodeConstraints {
  readonly tolerations?: readonly Toleration[];
}

interface Node extends ApiObject {
  readonly spec?: { readonly unschedulable?: boolean; readonly taints?: readonly Taint[] };
}

const unschedulableTaint: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

const isRepelling = ({ effect }: Taint): boolean => effect === 'NoSchedule' || effect === 'NoExecute';

interface SchedulerState {
  readonly nodes: Map<string, ApiObject>;
  /** The node of each pod that is bound or about to be bound. */
  readonly nodeOf: Map<string, string>;
  readonly counts: Map<string, number>;
  /** Pods without a node, in the order in which they arrived, with the entry that let them wait. */
  readonly waiting: Map<string, WaitingPod>;
  /** Pods that fit on no node. They wait again after a change of a node, and after a pod has left one. */
  readonly unschedulable: Map<string, WaitingPod>;
  isBusy: boolean;
}

interface WaitingPod {
  readonly pod: ApiObject;
  readonly cause: number | undefined;
}

export interface SchedulerContext {
  readonly clock: Clock;
  readonly watches: Watches;
  readonly server: Server;
  readonly chooseNode?: ChooseNode;
}

/** Starts the scheduler: it places one pod after another, each in a delay of "schedule", and binds it in the background. */
export function startScheduler({ clock, watches, server, chooseNode = chooseLeastLoadedNode }: SchedulerContext): void {
  const state: SchedulerState = { nodes: new Map(), nodeOf: new Map(), counts: new Map(), ...noPods(), isBusy: false };
  const bind = (pod: ApiObject, node: string): void => {
    const key = metaNamespaceKey(pod.metadata);
    setNode(state, key, node);
    clock.after({ name: 'request', actor }, () => {
      try {
        const { namespace = '', name = '', uid = '' } = pod.metadata;
        server.answer(actor, { do: 'bind', kind: 'Pod', namespace, name, uid, node });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        setNode(state, key, undefined);
      }
    });
  };
  const choose = (pod: ApiObject): string | undefined => chooseNode(pod, [...state.nodes.values()], state.counts);
  const next = (): void => {
    const key = state.isBusy ? undefined : findSchedulable(state, choose);
    if (key === undefined) return;
    state.isBusy = true;
    clock.because(state.waiting.get(key)?.cause, () =>
      clock.after({ name: 'schedule', actor }, () => {
        state.isBusy = false;
        const pod = state.waiting.get(key)?.pod;
        const chosen = pod && choose(pod);
        if (pod && chosen !== undefined) {
          state.waiting.delete(key);
          bind(pod, chosen);
        }
        next();
      }),
    );
  };
  watches.watch(actor, ['Node', 'Pod'], (change) => {
    observe(state, change, clock.cause);
    next();
  });
}

const actor = 'scheduler';

const noPods = (): Pick<SchedulerState, 'waiting' | 'unschedulable'> => ({ waiting: new Map(), unschedulable: new Map() });

/** The key of the first waiting pod that fits on a node. Those before it become unschedulable. */
function findSchedulable({ waiting, unschedulable }: SchedulerState, choose: (pod: ApiObject) => string | undefined): string | undefined {
  for (const [key, each] of waiting) {
    if (choose(each.pod) !== undefined) return key;
    waiting.delete(key);
    unschedulable.set(key, each);
  }
  return undefined;
}

/** Lets all unschedulable pods wait again, before those that came after them. */
function retryUnschedulable({ waiting, unschedulable }: SchedulerState): void {
  if (unschedulable.size === 0) return;
  const others = [...waiting];
  waiting.clear();
  for (const [key, each] of [...unschedulable, ...others]) waiting.set(key, each);
  unschedulable.clear();
}

function observe(state: SchedulerState, { kind, previous, current }: Change, cause: number | undefined): void {
  const { nodes, waiting, unschedulable } = state;
  const { metadata } = (current ?? previous) as ApiObject;
  if (kind === 'Node') {
    if (current) nodes.set(metadata.name ?? '', current);
    else nodes.delete(metadata.name ?? '');
    retryUnschedulable(state);
    return;
  }
  const key = metaNamespaceKey(metadata);
  const { nodeName } = (current?.['spec'] ?? {}) as { readonly nodeName?: string };
  const hasEnded = ['Succeeded', 'Failed'].includes((current?.['status'] as { readonly phase?: string } | undefined)?.phase ?? '');
  const known = unschedulable.get(key);
  unschedulable.delete(key);
  if (!current || nodeName || metadata.deletionTimestamp) waiting.delete(key);
  else if (!state.nodeOf.has(key)) waiting.set(key, { pod: current, cause: (waiting.get(key) ?? known)?.cause ?? cause });
  if (!current || hasEnded) {
    if (state.nodeOf.has(key)) retryUnschedulable(state);
    setNode(state, key, undefined);
  }
  if (current && !hasEnded && nodeName) setNode(state, key, nodeName);
}

function setNode({ nodeOf, counts }: SchedulerState, key: string, node: string | undefined): void {
  const former = nodeOf.get(key);
  if (former === node) return;
  if (former !== undefined) counts.set(former, (counts.get(former) ?? 0) - 1);
  if (node === undefined) nodeOf.delete(key);
  else {
    nodeOf.set(key, node);
    counts.set(node, (counts.get(node) ?? 0) + 1);
  }
}
