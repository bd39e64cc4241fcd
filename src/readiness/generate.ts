import type { Optional, Pod, PodCondition, PodIP, PodStatus } from '../types/index.ts';
import { conditionsUnder, type GeneratedCondition, generationIn } from './conditions.ts';
import { type ReadinessSettings, type ReadinessVersion, readinessSettings } from './gates.ts';
import { isOwned } from './merge.ts';
import { phaseUnder } from './phase.ts';
import { applyProbesUnder, type ProbeResults } from './probed.ts';
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
  /** See `PhaseOptions`. */
  readonly finished?: boolean | undefined;
  readonly initialized?: boolean | undefined;
  /** Set if the kubelet evicts the pod. */
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
 * The complete status that a release's kubelet generates. Mirrors `generateAPIPodStatus`, and the generation of `SetPodStatus`.
 * @throws RangeError for an unknown version
 */
export function generateStatus(input: GenerateInput, options: ReadinessVersion = {}): GeneratedStatus {
  const settings = readinessSettings(options);
  const { pod, previousStatus = pod.status ?? {}, eviction } = input;
  const seen = phaseUnder(pod, settings, input);
  const isImmediateEviction = eviction !== undefined && !settings.previousStatusKept;
  const base = { ...generation(pod, settings), ...addressesOf(isImmediateEviction ? { ...input, hostIPs: undefined } : input, settings) };
  const others = (pod.status?.conditions ?? []).filter(({ type }) => !isOwned(type, settings));
  if (isImmediateEviction) {
    const { reason, message } = eviction;
    return { ...base, phase: 'Failed', ...texts(reason, message), ...listsOf(input.observed), conditions: others };
  }
  const derived = settings.previousStatusKept ? derivePhase(pod, previousStatus, seen, eviction) : { phase: seen };
  // a terminal phase in the API server never changes
  const phase = isTerminalPhase(pod.status?.phase) ? (pod.status?.phase as string) : derived.phase;
  const probed = input.probes ? applyProbesUnder(pod, input.observed, input.probes, settings) : input.observed;
  const observed = { ...listsOf(probed), phase };
  return { ...base, ...derived, ...observed, conditions: conditionsOf(input, previousStatus, observed, others, settings) };
}

interface DerivedPhase {
  readonly phase: string;
  readonly reason?: string;
  readonly message?: string;
}

/** The phase, reason and message that follow from the observed phase and the previous status. */
function derivePhase(pod: Pod, previousStatus: PodStatus, seen: string, eviction: GenerateInput['eviction']): DerivedPhase {
  if (eviction) return { phase: 'Failed', ...texts(eviction.reason, eviction.message) };
  const ended = [previousStatus.phase, pod.status?.phase].find(isTerminalPhase);
  const phase = isTerminalPhase(seen) || !ended ? seen : ended;
  if (phase !== previousStatus.phase) return { phase };
  return { phase, ...texts(previousStatus.reason || pod.status?.reason, previousStatus.message || pod.status?.message) };
}

const texts = (reason: Optional<string>, message: Optional<string>) => ({ ...(reason && { reason }), ...(message && { message }) });

const listsOf = ({ containerStatuses, initContainerStatuses }: ObservedStatus) => ({
  ...(containerStatuses && { containerStatuses }),
  ...(initContainerStatuses && { initContainerStatuses }),
});

function generation({ metadata, status }: Pod, { generationAlwaysSet, generationUpdatedIfSet }: ReadinessSettings) {
  const isSet = generationAlwaysSet || (generationUpdatedIfSet && !!status?.observedGeneration);
  return metadata?.generation && isSet ? { observedGeneration: metadata.generation } : {};
}

/** The conditions of other owners, followed by the kubelet's own, in the kubelet's order. */
function conditionsOf(
  input: GenerateInput,
  previousStatus: PodStatus,
  observed: ObservedStatus,
  others: readonly PodCondition[],
  settings: ReadinessSettings,
): PodCondition[] {
  const { pod, resize = [] } = input;
  const kept = [...others, ...(settings.resizeConditionsOwned ? resize : [])];
  const disruption = settings.disruptionTargetShared ? conditionOf(previousStatus.conditions, 'DisruptionTarget') : undefined;
  const shared = disruption ? setCondition(kept, disruption) : kept;
  const network = settings.sandboxConditionReported ? networkCondition(input, previousStatus, settings) : [];
  const before = [...shared, ...network];
  const createCondition = (type: string, status: GeneratedCondition['status']): GeneratedCondition => ({
    type,
    status,
    ...generationIn(pod, previousStatus, type, settings),
  });
  // a readiness gate may name a condition that was generated before Ready
  const initialized = conditionsUnder(pod, settings, { observed, previousStatus }).slice(0, 1);
  return [
    ...before,
    ...conditionsUnder(pod, settings, { observed, conditions: [...before, ...initialized], previousStatus }),
    createCondition('PodScheduled', 'True'),
    ...(settings.initializedRemembered && canRestartAll(pod) ? [restartingCondition(pod, previousStatus, observed)] : []),
  ];
}

/** Mirrors `GeneratePodReadyToStartContainersCondition`. */
function networkCondition({ pod, sandbox }: GenerateInput, previousStatus: PodStatus, settings: ReadinessSettings): PodCondition[] {
  const type = 'PodReadyToStartContainers';
  if (!sandbox) return [conditionOf(previousStatus.conditions, type)].filter((each) => each !== undefined);
  const generation = generationIn(pod, previousStatus, type, settings);
  if (sandbox.ready) return [{ type, status: 'True', ...generation }];
  const why = settings.sandboxReasonReported ? { reason: 'PodSandboxNotReady', ...(sandbox.message && { message: sandbox.message }) } : {};
  return [{ type, status: 'False', ...generation, ...why }];
}

/** Mirrors `GenerateAllContainersRestartingCondition`. If no container runs or has ended, the containers have been cleaned up. */
function restartingCondition(pod: Pod, previousStatus: PodStatus, observed: ObservedStatus): PodCondition {
  const type = 'AllContainersRestarting';
  const { phase, containerStatuses, initContainerStatuses } = observed;
  if (isTerminalPhase(phase)) return { type, status: 'False', reason: phase === 'Failed' ? 'PodFailed' : 'PodCompleted' };
  const now = [...(containerStatuses ?? []), ...(initContainerStatuses ?? [])];
  const hasContainers = now.some(({ state }) => !!(state?.running || state?.terminated));
  if (!hasContainers || !shouldRestartAll(pod, previousStatus, observed)) return { type, status: 'False' };
  return { type, status: 'True', reason: 'RestartAllContainersStarted', message: 'container exited with restart policy rule' };
}

/**
 * The addresses in a pod's status: those from the runtime, and the node's for a pod with hostNetwork. Mirrors the end of
 * `generateAPIPodStatus` and the beginning of `convertStatusToAPIStatus`.
 */
export function addressesOf(
  { pod, podIPs = [], hostIPs = [] }: Pick<GenerateInput, 'pod' | 'podIPs' | 'hostIPs'>,
  settings: ReadinessSettings,
): Pick<PodStatus, 'hostIP' | 'hostIPs' | 'podIP' | 'podIPs'> {
  const [first, second] = hostIPs;
  const ofPod = pod.spec?.hostNetwork && first ? onHost(podIPs, first, second, settings) : { podIP: podIPs[0], podIPs };
  return {
    ...(first && { hostIP: first }),
    ...(first && settings.hostIPsListed && { hostIPs: asList([first, ...(second ? [second] : [])]) }),
    ...(ofPod.podIP && { podIP: ofPod.podIP }),
    ...(ofPod.podIPs.length > 0 && { podIPs: asList(ofPod.podIPs) }),
  };
}

function onHost(podIPs: readonly string[], first: string, second: string | undefined, settings: ReadinessSettings) {
  const isSet = podIPs.length > 0;
  if (!isSet && !settings.hostNetworkInPodIPs) return { podIP: first, podIPs };
  const own = isSet ? podIPs : [first];
  const mayAdd = settings.secondHostIPAdded ? own.length === 1 : !isSet && settings.hostNetworkDualStack;
  // from `sidecars` on, a second address of the same family is not added, for example after the node's addresses changed their order
  const isOther = !settings.sidecars || isIPv6(own[0] ?? '') !== isIPv6(second ?? '');
  return { podIP: own[0], podIPs: second && mayAdd && isOther ? [...own, second] : own };
}

const isIPv6 = (ip: string): boolean => ip.includes(':');
const asList = (ips: readonly string[]): PodIP[] => ips.map((ip) => ({ ip }));
