import { compareText, metaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import { ApiError, type ApiObject } from 'kube-endpoints/port';
import type { Change } from '../controller/controller.ts';
import type { Clock } from '../engine/clock.ts';
import type { Watches } from '../engine/watch.ts';
import type { Server } from './store/server.ts';

/** Chooses the node of a pod; undefined if it fits on none. `counts` has the number of pods by node. */
export type ChooseNode = (pod: ApiObject, nodes: readonly ApiObject[], counts: ReadonlyMap<string, number>) => string | undefined;

/** The ready, schedulable node with the fewest pods, and of several the first by name: not yet the scheduler's real choice. */
export const chooseLeastLoadedNode: ChooseNode = (_pod, nodes, counts) => {
  let best: string | undefined;
  for (const node of nodes) {
    const { name = '' } = node.metadata;
    if (!isSchedulable(node)) continue;
    const [count, bestCount] = [counts.get(name) ?? 0, counts.get(best ?? '') ?? 0];
    if (best === undefined || count < bestCount || (count === bestCount && compareText(name, best) < 0)) best = name;
  }
  return best;
};

function isSchedulable(node: ApiObject): boolean {
  const spec = node['spec'] as { readonly unschedulable?: boolean; readonly taints?: readonly { readonly effect?: string }[] } | undefined;
  const status = node['status'] as { readonly conditions?: readonly { readonly type: string; readonly status: string }[] } | undefined;
  const isReady = status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
  return isReady && !spec?.unschedulable && !spec?.taints?.some(({ effect }) => effect === 'NoSchedule' || effect === 'NoExecute');
}

interface SchedulerState {
  readonly nodes: Map<string, ApiObject>;
  /** The node of each pod that is bound or about to be bound. */
  readonly nodeOf: Map<string, string>;
  readonly counts: Map<string, number>;
  /** Pods without a node, in the order in which they arrived, with the entry that let them wait. */
  readonly waiting: Map<string, { readonly pod: ApiObject; readonly cause: number | undefined }>;
  isBusy: boolean;
}

export interface SchedulerContext {
  readonly clock: Clock;
  readonly watches: Watches;
  readonly server: Server;
  readonly chooseNode?: ChooseNode;
}

/** Starts the scheduler: it places one pod after another, each in a delay of "schedule", and binds it in the background. */
export function startScheduler({ clock, watches, server, chooseNode = chooseLeastLoadedNode }: SchedulerContext): void {
  const state: SchedulerState = { nodes: new Map(), nodeOf: new Map(), counts: new Map(), waiting: new Map(), isBusy: false };
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
  const next = (): void => {
    const [first] = state.waiting;
    if (!first || state.isBusy) return;
    const [key, { cause }] = first;
    const node = chooseNode(first[1].pod, [...state.nodes.values()], state.counts);
    if (node === undefined) return;
    state.isBusy = true;
    clock.because(cause, () =>
      clock.after({ name: 'schedule', actor }, () => {
        state.isBusy = false;
        const pod = state.waiting.get(key)?.pod;
        const chosen = pod && chooseNode(pod, [...state.nodes.values()], state.counts);
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

function observe(state: SchedulerState, { kind, previous, current }: Change, cause: number | undefined): void {
  const { nodes, waiting } = state;
  const { metadata } = (current ?? previous) as ApiObject;
  if (kind === 'Node') {
    if (current) nodes.set(metadata.name ?? '', current);
    else nodes.delete(metadata.name ?? '');
    return;
  }
  const key = metaNamespaceKey(metadata);
  const { nodeName } = (current?.['spec'] ?? {}) as { readonly nodeName?: string };
  const hasEnded = ['Succeeded', 'Failed'].includes((current?.['status'] as { readonly phase?: string } | undefined)?.phase ?? '');
  if (!current || nodeName || metadata.deletionTimestamp) waiting.delete(key);
  else if (!state.nodeOf.has(key)) waiting.set(key, { pod: current, cause: waiting.get(key)?.cause ?? cause });
  if (!current || hasEnded) setNode(state, key, undefined);
  else if (nodeName) setNode(state, key, nodeName);
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
