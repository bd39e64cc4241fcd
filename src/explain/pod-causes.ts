import type { Node, Pod } from '../types/index.ts';
import type { PodExplanation, Reason, ServiceExplanation } from './explanation.ts';
import { createReason, formatCountOf } from './reason.ts';
import type { ReasonCode } from './reasons.ts';
import { type DiagnosisInput, type RootCause, selectPods } from './root-cause.ts';

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
  const { service, explanation, objects } = input;
  if (!explanation.managed || explanation.pods.length === 0) return [];
  const pods = new Map(selectPods(service, objects.pods ?? []).map((pod) => [pod.metadata?.name ?? '', pod]));
  const groups = new Map<string, Group>();
  for (const podExplanation of explanation.pods) {
    const pod = pods.get(podExplanation.name);
    if (!pod) continue;
    for (const reason of findCausesOfPod(podExplanation, pod, input)) {
      const key = `${reason.code} ${reason.path} ${groupingText(reason, pod)}`;
      const group = groups.get(key) ?? { reason, pods: [] };
      group.pods.push(pod);
      groups.set(key, group);
    }
  }
  const abnormalGroups = [...groups.values()].filter(({ reason }) => !normalEnds.has(reason.code));
  const shownGroups = abnormalGroups.length > 0 || isOtherwiseExplained(explanation) ? abnormalGroups : [...groups.values()];
  return shownGroups.sort((a, b) => b.pods.length - a.pods.length).map((group) => createPodCause(group, input));
}

/** Whether a Service needs no other explanation than its endpoints, or problems with its ports, which exclude all of its pods. */
const isOtherwiseExplained = ({ counts, problems }: ServiceExplanation): boolean =>
  counts.ready + counts.notReady > 0 || problems.some(({ code }) => code === 'PortFoundInNoPod' || code === 'ServiceHasNoPorts');

/** Pods that wait for different reasons have different causes. */
const groupingText = ({ code }: Reason, { status }: Pod): string =>
  code === 'ContainerWaiting' ? (status?.containerStatuses ?? []).map(({ state }) => state?.waiting?.reason ?? '').join() : '';

function findCausesOfPod(
  { included, ready, reasons }: PodExplanation,
  pod: Pod,
  { explanation, objects, profile }: DiagnosisInput,
): Reason[] {
  if (ready) return reasons.filter(({ code }) => causesInReadyPods.has(code));
  const node = pod.spec?.nodeName ?? '';
  const nodeReason = included
    ? findNodeReason(node, objects.nodes, (code, values) => createReason(code, 'node.status.conditions[Ready]', profile, values))
    : undefined;
  if (nodeReason) return [nodeReason];
  const isReportedAsProblem = ({ code, path }: Reason): boolean =>
    code === 'ServiceHasNoPorts' || (code === 'PortNotFound' && explanation.problems.some((problem) => problem.path === path));
  const causes = reasons.filter(({ code }) => !symptoms.has(code));
  if (causes.length > 0) return causes.filter((reason) => !isReportedAsProblem(reason));
  return reasons.filter(({ code }) => code === 'PodNotReady');
}

type CreateNodeReason = (code: 'NodeNotReady' | 'NodeNotFound', values: Readonly<Record<string, string>>) => Reason;

function findNodeReason(name: string, nodes: readonly Node[] | undefined, create: CreateNodeReason): Reason | undefined {
  if (!nodes || name === '') return undefined;
  const node = nodes.find(({ metadata }) => metadata?.name === name);
  if (!node) return create('NodeNotFound', { node: name });
  const condition = node.status?.conditions?.find(({ type }) => type === 'Ready');
  if (!condition || condition.status === 'True') return undefined;
  const { reason, message } = condition;
  const details = [reason, message].filter(Boolean).join(': ').replace(/\.$/, '');
  return create('NodeNotReady', { node: name, why: details && ` (${details})` });
}

function createPodCause({ reason, pods }: Group, { explanation, objects }: DiagnosisInput): RootCause {
  const names = pods.map(({ metadata }) => metadata?.name ?? '');
  const [first] = pods as [Pod, ...Pod[]];
  const isNode = reason.path.startsWith('node.');
  const node = isNode ? objects.nodes?.find(({ metadata }) => metadata?.name === first.spec?.nodeName) : undefined;
  const podName = `Pod ${first.metadata?.namespace ?? ''}/${names[0]}`;
  return {
    reason,
    severity: explanation.counts.ready === 0 ? 'error' : 'warning',
    message: describeInPods(names, reason.message),
    objects: pods.map(({ metadata }) => `pod/${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`),
    subject: node
      ? { kind: 'node', name: `Node ${node.metadata?.name ?? ''}`, object: node }
      : { kind: 'pod', name: podName, object: first },
  };
}

/** "Pod web-1 has no IP", "Pod web-1: the container app is not running", "3 pods (web-1, web-2, web-3): the pod has no IP" */
function describeInPods(names: readonly string[], message: string): string {
  const subject = /^The pod (?!IP)/;
  if (names.length === 1 && subject.test(message)) return message.replace(subject, `Pod ${names[0]} `);
  return `${describePods(names)}: ${message.replace(/^(?:The|No) /, (word) => word.toLowerCase())}`;
}

/** "Pod web-1", "3 pods (web-1, web-2, web-3)" */
const describePods = (names: readonly string[]): string =>
  names.length === 1
    ? `Pod ${names[0]}`
    : `${formatCountOf(names.length, 'pod', 'pods')} (${names.slice(0, maxListedNames).join(', ')}${names.length > maxListedNames ? ` and ${names.length - maxListedNames} more` : ''})`;

const maxListedNames = 3;
