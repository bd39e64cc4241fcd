import { metaNamespaceKey, parseInteger, selectorMatches } from 'kube-endpoints/internal/apimachinery';
import type { Steps } from '../../controller/controller.ts';
import type { NodeConstraints } from '../../nodes/affinity.ts';
import { claimObjects, controllerOf, listControlled } from '../owner-references.ts';
import { isPodTerminal } from '../pods.ts';
import type { Pod, PodTemplate } from '../types.ts';
import type { DaemonSetSync } from './context.ts';
import { addDaemonTolerations } from './node-fit.ts';
import { type DaemonPodSpec, type DaemonSet, daemonSetKind, hashLabel } from './objects.ts';

/** Daemon pods and their nodes. Mirrors pkg/controller/daemon of 1.36. */

/** Adopts and releases pods, and returns those that the DaemonSet then controls: getDaemonPods. */
export function claimDaemonPods({ context: { cache }, consistency, daemonSet }: DaemonSetSync): Steps<Pod[]> {
  const owned = listControlled<Pod>(cache, 'Pod', daemonSet, daemonSetKind);
  const orphans = cache.controlledBy<Pod>('Pod', daemonSet.metadata.namespace ?? '', undefined);
  return claimObjects([...owned, ...orphans], {
    owner: daemonSet,
    ownerKind: daemonSetKind,
    kind: 'Pod',
    matches: ({ metadata }) => selectorMatches(daemonSet.spec.selector, metadata.labels ?? {}),
    onWrite(pod) {
      // A pod that is released may have another controller, whose record then changes.
      const { name, uid } = controllerOf(pod) ?? {};
      if (name === undefined || uid === undefined) return;
      const owner = metaNamespaceKey({ namespace: pod.metadata.namespace, name });
      consistency.recordWrite(owner, uid, 'Pod', pod.metadata.resourceVersion ?? '');
    },
  });
}

/** Claimed pods by the names of their nodes, without those that have ended and are being deleted: getNodesToDaemonPods. */
export function* claimPodsByNode(sync: DaemonSetSync): Steps<Map<string, Pod[]>> {
  const pods = yield* claimDaemonPods(sync);
  return groupByNode(pods.filter((pod) => !isPodTerminal(pod) || pod.metadata.deletionTimestamp === undefined));
}

/** Pods by the names of their nodes, without those whose node is unknown. */
export function groupByNode(pods: readonly Pod[]): Map<string, Pod[]> {
  const groups = new Map<string, Pod[]>();
  for (const pod of pods) {
    const node = targetNodeOf(pod);
    if (node !== undefined) groups.set(node, [...(groups.get(node) ?? []), pod]);
  }
  return groups;
}

/** The node of a pod, or the one that its affinity selects; undefined if it selects no node: GetTargetNodeName. */
export function targetNodeOf({ spec }: Pod): string | undefined {
  if (spec?.nodeName) return spec.nodeName;
  const required = (spec as NodeConstraints | undefined)?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const fields = (required?.nodeSelectorTerms ?? []).flatMap(({ matchFields = [] }) => matchFields);
  const { values = [] } = fields.find(({ key, operator }) => key === 'metadata.name' && operator === 'In') ?? {};
  return values.length === 1 ? values[0] : undefined;
}

/** The template of new pods: CreatePodTemplate. */
export function createDaemonTemplate({ metadata, spec: { template } }: DaemonSet, hash: string): PodTemplate & { spec: DaemonPodSpec } {
  const generation = templateGenerationOf(metadata.annotations);
  const labels = {
    ...template.metadata?.labels,
    ...(generation !== undefined && { [generationLabel]: generation }),
    ...(hash !== '' && { [hashLabel]: hash }),
  };
  return {
    ...template,
    metadata: { ...template.metadata, labels },
    spec: { ...template.spec, tolerations: addDaemonTolerations(template.spec) },
  };
}

/** A template whose pods the scheduler can place on one node only: ReplaceDaemonSetPodNodeNameNodeAffinity. */
export function bindToNode<T extends { spec: DaemonPodSpec }>(template: T, node: string): T {
  const { affinity } = template.spec;
  const requiredDuringSchedulingIgnoredDuringExecution = {
    nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }],
  };
  const nodeAffinity = { ...affinity?.nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution };
  return { ...template, spec: { ...template.spec, affinity: { ...affinity, nodeAffinity } } };
}

const generationAnnotation = 'deprecated.daemonset.template.generation';
const generationLabel = 'pod-template-generation';

/** The number in the annotation of releases before 1.9; undefined if it is absent or no integer: GetTemplateGeneration. */
const templateGenerationOf = (annotations: Readonly<Record<string, string>> = {}): string | undefined =>
  parseInteger(annotations[generationAnnotation] ?? '')?.toString();

/** Whether a pod is of the current template: IsPodUpdated. */
export function isPodUpdated({ metadata: { labels = {} } }: Pod, { metadata }: DaemonSet, hash: string): boolean {
  const generation = templateGenerationOf(metadata.annotations);
  return (hash !== '' && labels[hashLabel] === hash) || (generation !== undefined && labels[generationLabel] === generation);
}

/** Whether a pod comes before another one: scheduled pods first, then the oldest. Mirrors podByCreationTimestampAndPhase. */
export function isEarlierPod(a: Pod, b: Pod): boolean {
  const [isScheduled, isOtherScheduled] = [a, b].map(({ spec }) => (spec?.nodeName ?? '') !== '');
  if (isScheduled !== isOtherScheduled) return isScheduled === true;
  const [time, otherTime] = [a, b].map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? '') || 0) as [number, number];
  return time === otherTime ? (a.metadata.name ?? '') < (b.metadata.name ?? '') : time < otherTime;
}
