import type { Optional, Pod, PodCondition, PodIP, PodStatus } from '../types/index.ts';
import { computeConditionsWithSettings, conditionGenerationOf, type GeneratedCondition } from './conditions.ts';
import { type ReadinessSettings, type ReadinessVersion, readinessSettings } from './gates.ts';
import { isOwnedByKubelet } from './merge.ts';
import { computePhase } from './phase.ts';
import { applyProbesWithSettings, type ProbeResults } from './probed.ts';
import { canRestartAll, conditionOf, isTerminalPhase, type ObservedStatus, setCondition, shouldRestartAll } from './statuses.ts';

export interface GenerateInput {
  /** The pod in the API server, with the last written status. */
  readonly pod: Pod;
  /** The kubelet's previous status; by default the pod's. */
  readonly previousStatus?: PodStatus | undefined;
  /** The container statuses from the runtime. */
  readonly observed: Pick<ObservedStatus, 'containerStatuses' | 'initContainerStatuses'>;
  /** The probe results. If omitted, `observed` already has `started` and `ready` set. */
  readonly probes?: ProbeResults | undefined;
  /** Whether the kubelet knows that no container of the pod will run again. See `PhaseOptions`. */
  readonly finished?: boolean | undefined;
  /** Whether the runtime has a regular container of the pod in its current sandbox. See `PhaseOptions`. */
  readonly initialized?: boolean | undefined;
  /** The reason and message of an eviction; undefined if the kubelet does not evict the pod. */
  readonly eviction?: { readonly reason: string; readonly message: string } | undefined;
  /** The pod IPs from the runtime. */
  readonly podIPs?: readonly string[] | undefined;
  /** The addresses of the node, one or two; empty if unknown. */
  readonly hostIPs?: readonly string[] | undefined;
  /** Whether the pod's sandbox with its network is ready, and the message if it is not. If omitted, the previous condition is kept. */
  readonly sandbox?: { readonly ready: boolean; readonly message?: string } | undefined;
  /** The conditions of a resize, which the kubelet determines separately. */
  readonly resize?: readonly PodCondition[] | undefined;
}

/** A status that the kubelet generates. `recordStatus` sets its times. */
export interface GeneratedStatus extends PodStatus {
  readonly phase: string;
  readonly conditions: readonly PodCondition[];
}

/**
 * Generates the complete status of a pod as a release's kubelet does. Mirrors `generateAPIPodStatus`, and how `SetPodStatus` sets
 * observedGeneration.
 * @throws RangeError for an unknown version
 */
export function generateStatus(input: GenerateInput, options: ReadinessVersion = {}): GeneratedStatus {
  const settings = readinessSettings(options);
  const { pod, previousStatus = pod.status ?? {}, eviction } = input;
  const observedPhase = computePhase(pod, settings, input);
  const isImmediateEviction = eviction !== undefined && !settings.previousStatusKept;
  const baseFields = {
    ...statusGenerationOf(pod, settings),
    ...addressesOf(isImmediateEviction ? { ...input, hostIPs: undefined } : input, settings),
  };
  const otherConditions = (pod.status?.conditions ?? []).filter(({ type }) => !isOwnedByKubelet(type, settings));
  if (isImmediateEviction) {
    const evictedPhase = { phase: 'Failed', ...pickReasonAndMessage(eviction.reason, eviction.message) };
    return settings.evictedStatusComplete
      ? { ...baseFields, ...evictedPhase, ...containerStatusesOf(input.observed), conditions: otherConditions }
      : { ...evictedPhase, conditions: [] };
  }
  const derivedPhase = settings.previousStatusKept ? derivePhase(pod, previousStatus, observedPhase, eviction) : { phase: observedPhase };
  const phase = settings.terminalPhaseKept && isTerminalPhase(pod.status?.phase) ? (pod.status?.phase as string) : derivedPhase.phase;
  const probedStatuses = input.probes ? applyProbesWithSettings(pod, input.observed, input.probes, settings) : input.observed;
  const observed = { ...containerStatusesOf(probedStatuses), phase };
  return {
    ...baseFields,
    ...derivedPhase,
    ...observed,
    conditions: conditionsOf(input, previousStatus, observed, otherConditions, settings),
  };
}

interface DerivedPhase {
  readonly phase: string;
  readonly reason?: string;
  readonly message?: string;
}

/** The phase, reason and message that follow from the observed phase and the previous status. */
function derivePhase(pod: Pod, previousStatus: PodStatus, observedPhase: string, eviction: GenerateInput['eviction']): DerivedPhase {
  if (eviction) return { phase: 'Failed', ...pickReasonAndMessage(eviction.reason, eviction.message) };
  const endedPhase = [previousStatus.phase, pod.status?.phase].find(isTerminalPhase);
  const phase = isTerminalPhase(observedPhase) || !endedPhase ? observedPhase : endedPhase;
  if (phase !== previousStatus.phase) return { phase };
  return { phase, ...pickReasonAndMessage(previousStatus.reason || pod.status?.reason, previousStatus.message || pod.status?.message) };
}

const pickReasonAndMessage = (reason: Optional<string>, message: Optional<string>) => ({
  ...(reason && { reason }),
  ...(message && { message }),
});

const containerStatusesOf = ({ containerStatuses, initContainerStatuses }: ObservedStatus) => ({
  ...(containerStatuses && { containerStatuses }),
  ...(initContainerStatuses && { initContainerStatuses }),
});

function statusGenerationOf({ metadata, status }: Pod, { generationAlwaysSet, generationUpdatedIfSet }: ReadinessSettings) {
  const isSet = generationAlwaysSet || (generationUpdatedIfSet && !!status?.observedGeneration);
  return metadata?.generation && isSet ? { observedGeneration: metadata.generation } : {};
}

/** The conditions of other owners, followed by the kubelet's own, in the kubelet's order. */
function conditionsOf(
  input: GenerateInput,
  previousStatus: PodStatus,
  observed: ObservedStatus,
  otherConditions: readonly PodCondition[],
  settings: ReadinessSettings,
): PodCondition[] {
  const { pod, resize = [] } = input;
  const baseConditions = [...otherConditions, ...(settings.resizeConditionsOwned ? resize : [])];
  const disruption = settings.disruptionTargetShared ? conditionOf(previousStatus.conditions, 'DisruptionTarget') : undefined;
  const sharedConditions = disruption ? setCondition(baseConditions, disruption) : baseConditions;
  const sandboxConditions = settings.sandboxConditionReported ? createSandboxConditions(input, previousStatus, settings) : [];
  const earlierConditions = [...sharedConditions, ...sandboxConditions];
  const createCondition = (type: string, status: GeneratedCondition['status']): GeneratedCondition => ({
    type,
    status,
    ...conditionGenerationOf(pod, previousStatus, type, settings),
  });
  // A readiness gate may name a condition that is generated before Ready.
  const initializedCondition = computeConditionsWithSettings(pod, settings, { observed, previousStatus }).slice(0, 1);
  return [
    ...earlierConditions,
    ...computeConditionsWithSettings(pod, settings, {
      observed,
      conditions: [...earlierConditions, ...initializedCondition],
      previousStatus,
    }),
    ...(settings.podScheduledReported
      ? [createCondition('PodScheduled', 'True')]
      : [conditionOf(pod.status?.conditions, 'PodScheduled')].filter((each) => each !== undefined)),
    ...(settings.initializedRemembered && canRestartAll(pod) ? [createRestartingCondition(pod, previousStatus, observed)] : []),
  ];
}

/** Mirrors `GeneratePodReadyToStartContainersCondition`. */
function createSandboxConditions({ pod, sandbox }: GenerateInput, previousStatus: PodStatus, settings: ReadinessSettings): PodCondition[] {
  const type = 'PodReadyToStartContainers';
  if (!sandbox) return [conditionOf(previousStatus.conditions, type)].filter((each) => each !== undefined);
  const generation = conditionGenerationOf(pod, previousStatus, type, settings);
  if (sandbox.ready) return [{ type, status: 'True', ...generation }];
  const explanation = settings.sandboxReasonReported
    ? { reason: 'PodSandboxNotReady', ...(sandbox.message && { message: sandbox.message }) }
    : {};
  return [{ type, status: 'False', ...generation, ...explanation }];
}

/** Mirrors `GenerateAllContainersRestartingCondition`. If no container runs or has ended, the containers have been cleaned up. */
function createRestartingCondition(pod: Pod, previousStatus: PodStatus, observed: ObservedStatus): PodCondition {
  const type = 'AllContainersRestarting';
  const { phase, containerStatuses, initContainerStatuses } = observed;
  if (isTerminalPhase(phase)) return { type, status: 'False', reason: phase === 'Failed' ? 'PodFailed' : 'PodCompleted' };
  const statuses = [...(containerStatuses ?? []), ...(initContainerStatuses ?? [])];
  const hasContainers = statuses.some(({ state }) => !!(state?.running || state?.terminated));
  if (!hasContainers || !shouldRestartAll(pod, previousStatus, observed)) return { type, status: 'False' };
  return { type, status: 'True', reason: 'RestartAllContainersStarted', message: 'container exited with restart policy rule' };
}

/**
 * Computes the addresses in a pod's status: from the runtime and, for a pod with hostNetwork, from its node. Mirrors the end of
 * `generateAPIPodStatus` and the beginning of `convertStatusToAPIStatus`.
 */
export function addressesOf(
  { pod, podIPs = [], hostIPs = [] }: Pick<GenerateInput, 'pod' | 'podIPs' | 'hostIPs'>,
  settings: ReadinessSettings,
): Pick<PodStatus, 'hostIP' | 'hostIPs' | 'podIP' | 'podIPs'> {
  const [first, second] = hostIPs;
  const podAddresses = pod.spec?.hostNetwork && first ? addHostIPs(podIPs, first, second, settings) : { podIP: podIPs[0], podIPs };
  return {
    ...(first && { hostIP: first }),
    ...(first && settings.hostIPsListed && { hostIPs: toPodIPs([first, ...(second ? [second] : [])]) }),
    ...(podAddresses.podIP && { podIP: podAddresses.podIP }),
    ...(settings.podIPsReported && podAddresses.podIPs.length > 0 && { podIPs: toPodIPs(podAddresses.podIPs) }),
  };
}

function addHostIPs(podIPs: readonly string[], first: string, second: string | undefined, settings: ReadinessSettings) {
  const isSet = podIPs.length > 0;
  if (!isSet && !settings.hostNetworkInPodIPs) return { podIP: first, podIPs };
  const ownIPs = isSet ? podIPs : [first];
  const mayAdd = settings.secondHostIPAdded ? ownIPs.length === 1 : !isSet && settings.hostNetworkDualStack;
  // Since the gate `sidecars`, a second address of the same family is not added, for example if the node's addresses changed their order.
  const isOtherFamily = !settings.sidecars || isIPv6(ownIPs[0] ?? '') !== isIPv6(second ?? '');
  return { podIP: ownIPs[0], podIPs: second && mayAdd && isOtherFamily ? [...ownIPs, second] : ownIPs };
}

const isIPv6 = (ip: string): boolean => ip.includes(':');
const toPodIPs = (ips: readonly string[]): PodIP[] => ips.map((ip) => ({ ip }));
