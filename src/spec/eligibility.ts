import type { Pod, Service } from '../types/index.ts';
import { type Profile, profileFor } from '../versions/index.ts';
import { isPodReady } from './readiness.ts';

/** Why a pod that a Service selects is no endpoint of it in the first place. */
export type IneligibleCode = 'PodTerminal' | 'PodFinished' | 'PodHasNoIP' | 'PodTerminating';

/** One rule of eligibility: whether it leaves the pod out. `publish` is what `publishesNotReady` says of the Service. */
export interface EligibilityRule {
  readonly code: IneligibleCode;
  readonly leavesOut: (pod: Pod, publish: boolean) => boolean;
}

export interface ShouldPodBeInEndpointsOptions {
  /** "1.17" to "1.37" or a patch release of one; the newest by default. */
  readonly version?: string;
  /** `spec.publishNotReadyAddresses` of the Service; false by default. */
  readonly publishNotReadyAddresses?: boolean;
}

/**
 * Whether a pod may be in the Endpoints of a Service that selects it, ready or not; its IP family and ports are not looked at.
 * @throws RangeError for an unknown version
 *
 * Mirrors ShouldPodBeInEndpoints (1.36, staging/src/k8s.io/endpointslice/util/controller_utils.go) and, for the releases
 * before it, the checks of syncService and shouldPodBeInEndpoints (1.17, pkg/controller/endpoint/endpoints_controller.go).
 */
export function shouldPodBeInEndpoints(pod: Pod, options: ShouldPodBeInEndpointsOptions = {}): boolean {
  const publish = options.publishNotReadyAddresses ?? false;
  return firstOf(eligibilityRules(profileFor(options.version)))(pod, publish) === undefined;
}

/** The first of three rules that leaves a pod out. Rules are called by name and not in a loop, so that engines can inline them. */
export function firstOf([a, b, c]: EligibilityRules): (pod: Pod, publish: boolean) => IneligibleCode | undefined {
  return (pod, publish) => {
    if (a.leavesOut(pod, publish)) return a.code;
    if (b.leavesOut(pod, publish)) return b.code;
    return c.leavesOut(pod, publish) ? c.code : undefined;
  };
}

/** Every release has three. */
export type EligibilityRules = readonly [EligibilityRule, EligibilityRule, EligibilityRule];

/** The rules of a release in the order in which it asks them. */
export const eligibilityRules = (profile: Profile): EligibilityRules => (profile.terminalPodsLeftOut ? rulesByPhase : rulesByRestartPolicy);

/** Since terminal pods are left out whatever their restart policy. */
const rulesByPhase: EligibilityRules = [
  { code: 'PodTerminal', leavesOut: (pod) => isTerminal(pod.status?.phase) },
  { code: 'PodHasNoIP', leavesOut: (pod) => !pod.status?.podIP && !pod.status?.podIPs?.length },
  { code: 'PodTerminating', leavesOut: isTerminating },
];

/** Before: only podIP counts, and a finished pod is left out only where it is not ready and will not be restarted. */
const rulesByRestartPolicy: EligibilityRules = [
  { code: 'PodHasNoIP', leavesOut: (pod) => !pod.status?.podIP },
  { code: 'PodTerminating', leavesOut: isTerminating },
  { code: 'PodFinished', leavesOut: (pod, publish) => !publish && !isPodReady(pod) && isFinished(pod) },
];

function isTerminating(pod: Pod, publish: boolean): boolean {
  return !publish && !!pod.metadata?.deletionTimestamp;
}

const isTerminal = (phase: unknown): boolean => phase === 'Failed' || phase === 'Succeeded';

function isFinished(pod: Pod): boolean {
  const phase = pod.status?.phase;
  const policy = pod.spec?.restartPolicy;
  return (policy === 'Never' && isTerminal(phase)) || (policy === 'OnFailure' && phase === 'Succeeded');
}

/** The deprecated annotation that older releases obey instead of `spec.publishNotReadyAddresses`. */
export const tolerateUnreadyAnnotation = 'service.alpha.kubernetes.io/tolerate-unready-endpoints';

/**
 * Whether pods that are not ready or are terminating count as ready for this Service. Where a release still reads the
 * annotation and it parses as a boolean, it wins over the field; where it does not parse it is as if absent.
 */
export function publishesNotReady(service: Service, profile: Profile): boolean {
  const field = service.spec?.publishNotReadyAddresses ?? false;
  if (profile.tolerateUnreadyAnnotationDead) return field;
  return parseBool(service.metadata?.annotations?.[tolerateUnreadyAnnotation]) ?? field;
}

/** What Go's strconv.ParseBool makes of a text; undefined for its error. */
export const parseBool = (text: unknown): boolean | undefined =>
  typeof text === 'string' && Object.hasOwn(booleans, text) ? booleans[text] : undefined;

const booleans: Readonly<Record<string, boolean>> = {
  '1': true,
  t: true,
  T: true,
  true: true,
  TRUE: true,
  True: true,
  '0': false,
  f: false,
  F: false,
  false: false,
  FALSE: false,
  False: false,
};
