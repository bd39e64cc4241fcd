import { semanticEqual } from 'kube-endpoints/internal/apimachinery';
import { createNodeAffinityMatcher } from '../nodes/affinity.ts';
import { type AffinityTerm, matchesTerm, parseAffinityTerms } from './affinity-terms.ts';
import type { ClusterEvent, NodeEvent, PodEvent } from './cluster-event.ts';
import { conflicts, createNodeInfo, hostPortsOf, type NodeInfo, type PodInfo } from './node-info.ts';
import { hasUntoleratedTaint, toleratesUnschedulable } from './plugins/node-properties.ts';
import { fitRequests } from './plugins/node-resources.ts';
import { explicitConstraints, type SpreadConstraint } from './plugins/topology-spread.ts';
import { amountsOfPod, parseAmounts } from './resources.ts';
import type { QueuedPod } from './scheduling-queue.ts';
import type { Node, Pod } from './types.ts';

/** Whether an event can make a pod fit that plugins rejected: isPodWorthRequeuing (1.36, pkg/scheduler/backend/queue/scheduling_queue.go). */
export const isWorthRetrying = ({ info, rejectors }: QueuedPod, event: ClusterEvent): boolean =>
  [...rejectors].some((plugin) => {
    const hints = hintsByPlugin[plugin];
    return event.kind === 'node' ? hints?.node?.(info, event) : hints?.pod?.(info, event, isSame(info, event));
  });

const isSame = ({ pod }: PodInfo, { current }: PodEvent): boolean => current?.metadata.uid === pod.metadata.uid;

interface Hints {
  readonly node?: (info: PodInfo, event: NodeEvent) => boolean;
  /** `isSelf` is true if the event is about the rejected pod. */
  readonly pod?: (info: PodInfo, event: PodEvent, isSelf: boolean) => boolean;
}

const isAdded = ({ previous }: NodeEvent): boolean => previous === undefined;
/** Upstream retries after changes of taints for plugins that wait for new nodes only. */
const isAddedOrTainted = (_info: PodInfo, event: NodeEvent): boolean => isAdded(event) || event.hasNewTaints;

/** The hints of each plugin: its QueueingHintFn. */
const hintsByPlugin: Readonly<Record<string, Hints>> = {
  NodeUnschedulable: {
    node: (_info, event) =>
      (isAdded(event) || (event.hasNewTaints && event.previous?.spec?.unschedulable === true)) && !event.current?.spec?.unschedulable,
    pod: (_info, { current, hasNewTolerations }, isSelf) => isSelf && hasNewTolerations && toleratesUnschedulable(current as Pod),
  },
  NodeName: { node: isAddedOrTainted },
  TaintToleration: {
    node: ({ pod }, event) => {
      if (!event.current || !(isAdded(event) || event.hasNewTaints)) return false;
      const wasUntolerated = !event.previous || hasUntoleratedTaint({ node: event.previous }, pod);
      return wasUntolerated && !hasUntoleratedTaint({ node: event.current }, pod);
    },
    pod: (_info, { hasNewTolerations }, isSelf) => isSelf && hasNewTolerations,
  },
  NodeAffinity: {
    node: ({ pod }, event) => {
      if (event.hasNewTaints) return true;
      if (!event.current || !(isAdded(event) || event.hasNewLabels)) return false;
      const matches = createNodeAffinityMatcher(pod.spec ? { spec: pod.spec } : {});
      return matches(event.current) && !(event.previous && matches(event.previous));
    },
  },
  NodePorts: {
    node: isAddedOrTainted,
    pod: ({ hostPorts }, { previous, current }) =>
      !current && hostPortsOf(previous as Pod).some((used) => hostPorts.some((port) => conflicts(port, used))),
  },
  NodeResourcesFit: { node: isFitAfterNodeEvent, pod: isFitAfterPodEvent },
  PodTopologySpread: { node: isSpreadAfterNodeEvent, pod: isSpreadAfterPodEvent },
  InterPodAffinity: { node: isAffineAfterNodeEvent, pod: isAffineAfterPodEvent },
};

function isFitAfterNodeEvent({ pod }: PodInfo, event: NodeEvent): boolean {
  if (event.hasNewTaints) return true;
  const { previous, current } = event;
  if (!current || !(isAdded(event) || event.hasNewAllocatable)) return false;
  const requests = amountsOfPod(pod, false);
  if (fitRequests(requests, createNodeInfo(current) as NodeInfo)) return false;
  if (!previous) return true;
  const [before, after] = [parseAmounts(previous.status?.allocatable), parseAmounts(current.status?.allocatable)];
  if (after.allowedPods > before.allowedPods) return true;
  const fields = ['milliCPU', 'memory', 'ephemeralStorage'] as const;
  return (
    fields.some((field) => requests[field] > 0 && after[field] > before[field]) ||
    [...requests.scalars].some(([name, amount]) => amount > 0 && (after.scalars.get(name) ?? 0) > (before.scalars.get(name) ?? 0))
  );
}

function isFitAfterPodEvent({ pod }: PodInfo, { previous, current, isScaledDown }: PodEvent, isSelf: boolean): boolean {
  if (!current) return true;
  if (!previous || !isScaledDown) return false;
  if (isSelf) return true;
  const [requests, before, after] = [amountsOfPod(pod, true), amountsOfPod(previous, true), amountsOfPod(current, true)];
  const fields = ['milliCPU', 'memory', 'ephemeralStorage'] as const;
  return (
    fields.some((field) => requests[field] > 0 && before[field] > after[field]) ||
    [...requests.scalars].some(([name, amount]) => amount > 0 && (before.scalars.get(name) ?? 0) > (after.scalars.get(name) ?? 0))
  );
}

const hardConstraints = ({ pod }: PodInfo): SpreadConstraint[] => explicitConstraints(pod, 'DoNotSchedule');

function isSpreadAfterNodeEvent(info: PodInfo, { previous, current, hasNewLabels, hasNewTaints }: NodeEvent): boolean {
  const keys = hardConstraints(info).map(({ topologyKey }) => topologyKey);
  const labelOf = (node: Node, key: string): string | undefined => node.metadata.labels?.[key];
  const hasAll = (node: Node): boolean => keys.every((key) => labelOf(node, key) !== undefined);
  if (!previous || !current) return hasAll((current ?? previous) as Node);
  if (!hasNewLabels && !hasNewTaints) return false;
  if (hasAll(previous) !== hasAll(current)) return true;
  const isMoved = keys.some((key) => labelOf(previous, key) !== labelOf(current, key));
  return hasAll(current) && (isMoved || !semanticEqual(previous.spec?.taints, current.spec?.taints));
}

function isSpreadAfterPodEvent(info: PodInfo, event: PodEvent, isSelf: boolean): boolean {
  const { previous, current } = event;
  if (!isSelf && (current ?? previous)?.metadata.namespace !== info.pod.metadata.namespace) return false;
  const constraints = hardConstraints(info);
  if (isSelf && event.hasNewTolerations && constraints.some(({ honorsTaints }) => honorsTaints)) return true;
  return constraints.some(({ matches }) => {
    const [before, after] = [previous, current].map((pod) => pod !== undefined && matches(pod.metadata.labels ?? {}));
    return previous && current ? event.hasNewLabels && before !== after : before || after;
  });
}

function isAffineAfterNodeEvent({ terms }: PodInfo, event: NodeEvent): boolean {
  if (event.hasNewTaints) return true;
  const { previous, current } = event;
  if (!current || !(isAdded(event) || event.hasNewLabels)) return false;
  const isMoved = ({ topologyKey }: AffinityTerm, isGain: boolean): boolean => {
    const [before, after] = [previous?.metadata.labels?.[topologyKey], current.metadata.labels?.[topologyKey]];
    if (before !== undefined && after !== undefined) return before !== after;
    return isGain ? after !== undefined : before !== undefined;
  };
  if (terms.requiredAffinity.some((term) => isMoved(term, true))) return true;
  return terms.requiredAntiAffinity.some((term) => !previous || isMoved(term, false));
}

function isAffineAfterPodEvent({ pod, terms }: PodInfo, { previous, current, hasNewLabels }: PodEvent, isSelf: boolean): boolean {
  if (isSelf) return hasNewLabels;
  const matchesAll = (list: readonly AffinityTerm[], other: Pod): boolean =>
    list.length > 0 && list.every((term) => matchesTerm(term, other, {}));
  const [affinity, antiAffinity] = [terms.requiredAffinity, terms.requiredAntiAffinity];
  if (previous && current) {
    if (!hasNewLabels) return false;
    const gains = !matchesAll(affinity, previous) && matchesAll(affinity, current);
    return gains || (matchesAll(antiAffinity, previous) && !matchesAll(antiAffinity, current));
  }
  if (current) return matchesAll(affinity, current);
  return matchesAll(antiAffinity, previous as Pod) || matchesAll(parseAffinityTerms(previous as Pod).requiredAntiAffinity, pod);
}
