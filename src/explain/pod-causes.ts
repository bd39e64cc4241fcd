import { objectKey } from '../apimachinery/index.ts';
import type { Pod } from '../types/index.ts';
import type { PodExplanation, Reason, ServiceExplanation } from './explanation.ts';
import { findNodeReason } from './node-causes.ts';
import { describeInPods } from './pod-names.ts';
import type { ReasonCode } from './reasons.ts';
import type { DiagnosisInput, RootCause } from './root-cause.ts';
import { findReplacementCause } from './workload-causes.ts';

/** Reasons that another reason of the same pod explains. */
const symptoms: ReadonlySet<ReasonCode> = new Set(['PodNotReady', 'PodReady', 'PodPublishedNotReady', 'HostnameLeftOut', 'CutByCapacity']);

/** The normal end of a pod: a cause only if the Service has no other pods. */
const normalEnds: ReadonlySet<ReasonCode> = new Set(['PodTerminal', 'PodFinished', 'PodTerminating', 'PodEndedNotReady']);

/** Reasons that are causes even if the pod is a ready endpoint. */
const causesInReadyPods: ReadonlySet<ReasonCode> = new Set(['PodIPInvalid', 'PortHasNoNumber']);

interface Group {
  readonly reason: Reason;
  readonly pods: Pod[];
}

/** Finds why pods of the Service are not ready endpoints. Pods with the same cause are one item; the cause of most pods comes first. */
export function findPodCauses(input: DiagnosisInput): RootCause[] {
  const { explanation, cluster } = input;
  if (!explanation.managed) return [];
  const groups = new Map<string, Group>();
  for (const podExplanation of explanation.pods) {
    const pod = cluster.pod(`${podExplanation.namespace}/${podExplanation.name}`);
    if (!pod) continue;
    for (const reason of findCausesOfPod(podExplanation, pod, input)) {
      const key = `${reason.code} ${reason.path} ${groupingText(reason, pod)}`;
      const group = groups.get(key) ?? { reason, pods: [] };
      group.pods.push(pod);
      groups.set(key, group);
    }
  }
  const abnormalGroups = [...groups.values()].filter(({ reason }) => !normalEnds.has(reason.code));
  const isExplained = abnormalGroups.length > 0 || isOtherwiseExplained(explanation);
  const replacementCause = isExplained || groups.size === 0 ? undefined : findReplacementCause(input);
  if (replacementCause) return [replacementCause];
  const shownGroups = isExplained ? abnormalGroups : [...groups.values()];
  return shownGroups.sort((a, b) => b.pods.length - a.pods.length).map((group) => createPodCause(group, input));
}

/** Whether a Service needs no other explanation than its endpoints, or problems with its ports, which exclude all of its pods. */
const isOtherwiseExplained = ({ counts, problems }: ServiceExplanation): boolean =>
  counts.ready + counts.notReady > 0 || problems.some(({ code }) => code === 'PortFoundInNoPod' || code === 'ServiceHasNoPorts');

/** Pods that wait for different reasons, or on different nodes, have different causes. */
function groupingText({ code, message }: Reason, { status }: Pod): string {
  if (code === 'NodeNotReady' || code === 'NodeNotFound') return message;
  return code === 'ContainerWaiting' ? (status?.containerStatuses ?? []).map(({ state }) => state?.waiting?.reason ?? '').join() : '';
}

function findCausesOfPod({ ready, reasons }: PodExplanation, pod: Pod, input: DiagnosisInput): Reason[] {
  const nodeReason = findNodeReason(pod, input);
  const hasEnded = reasons.some(({ code }) => code === 'PodTerminal' || code === 'PodFinished');
  if (nodeReason && !hasEnded) return [nodeReason];
  if (ready) return reasons.filter(({ code }) => causesInReadyPods.has(code));
  const end = reasons.find(({ code }) => normalEnds.has(code));
  if (end) return [end];
  const { problems } = input.explanation;
  const isReportedAsProblem = ({ code, path }: Reason): boolean =>
    code === 'ServiceHasNoPorts' || (code === 'PortNotFound' && problems.some((problem) => problem.path === path));
  const causes = reasons.filter(({ code }) => !symptoms.has(code));
  if (causes.length > 0) return causes.filter((reason) => !isReportedAsProblem(reason));
  return reasons.filter(({ code }) => code === 'PodNotReady');
}

function createPodCause({ reason, pods }: Group, { explanation, cluster }: DiagnosisInput): RootCause {
  const [first] = pods as [Pod, ...Pod[]];
  const node = reason.path.startsWith('node.') ? cluster.node(first.spec?.nodeName ?? '') : undefined;
  return {
    reason,
    severity: countReadyOutside(pods, explanation) === 0 ? 'error' : 'warning',
    message: describeInPods(
      pods.map(({ metadata }) => metadata?.name ?? ''),
      reason.message,
    ),
    objects: pods.map((pod) => `pod/${objectKey(pod)}`),
    subject: node
      ? { kind: 'node', name: `Node ${node.metadata?.name ?? ''}`, object: node }
      : { kind: 'pod', name: `Pod ${objectKey(first)}`, object: first },
  };
}

/** The number of ready pods other than these. */
function countReadyOutside(pods: readonly Pod[], { pods: explanations }: ServiceExplanation): number {
  const names = new Set(pods.map(({ metadata }) => metadata?.name));
  return explanations.filter(({ name, ready }) => ready && !names.has(name)).length;
}
