import type { Pod, Service } from '../types/index.ts';
import { type GateName, type Profile, profileFor, type ReleaseOptions } from '../versions/index.ts';

/** Why a pod that a Service selects is left out of its Endpoints or slices. */
export type IneligibleCode = 'PodTerminal' | 'PodFinished' | 'PodHasNoIP' | 'PodTerminating';

/** The output that a rule applies to: Endpoints or EndpointSlices. */
export type EligibilityOutput = 'endpoints' | 'slices';

/** One rule of eligibility. `publishNotReady` is the result of `publishesNotReady` for the Service. */
export interface EligibilityRule {
  readonly code: IneligibleCode;
  readonly output: EligibilityOutput;
  /** Releases with this gate apply the rule. If absent, the rule has no first release. */
  readonly since?: GateName;
  /** Releases with this gate no longer apply the rule. If absent, the rule has no last release. */
  readonly until?: GateName;
  /** Whether the rule excludes the pod. */
  readonly applies: (pod: Pod, publishNotReady: boolean) => boolean;
}

export interface ShouldPodBeInEndpointsOptions extends ReleaseOptions {
  /** Whether pods that are being deleted are included; false by default. Releases before `terminalPodsExcluded` do not read it. */
  readonly includeTerminating?: boolean;
}

/**
 * The upstream function of this name. Before `terminalPodsExcluded`, it checks only restart policy and phase; `isPodEligible` adds the
 * other checks of the controller.
 * @throws RangeError for an unknown version
 *
 * Mirrors shouldPodBeInEndpoints (1.9 to 1.22.10, pkg/controller/endpoint/endpoints_controller.go) and ShouldPodBeInEndpoints
 * (1.36, staging/src/k8s.io/endpointslice/util/controller_utils.go).
 */
export function shouldPodBeInEndpoints(pod: Pod, options: ShouldPodBeInEndpointsOptions = {}): boolean {
  if (!profileFor(options.version, options.featureGates).terminalPodsExcluded) return !isFinished(pod);
  return isPodEligible(pod, { ...options, publishNotReadyAddresses: options.includeTerminating ?? false });
}

export interface PodEligibilityOptions extends ReleaseOptions {
  /** Whether the Service publishes pods that are not ready: `spec.publishNotReadyAddresses`; false by default. */
  readonly publishNotReadyAddresses?: boolean;
}

/**
 * Whether a pod may be in the Endpoints of a Service that selects it, ready or not. IP family and ports are not checked.
 * @throws RangeError for an unknown version
 *
 * Mirrors ShouldPodBeInEndpoints (1.36) and, for the releases before `terminalPodsExcluded`, the checks of syncService,
 * addEndpointSubset and shouldPodBeInEndpoints (1.17, pkg/controller/endpoint/endpoints_controller.go).
 */
export function isPodEligible(pod: Pod, options: PodEligibilityOptions = {}): boolean {
  const publishNotReady = options.publishNotReadyAddresses ?? false;
  return (
    createEligibilityCheck(eligibilityRules(profileFor(options.version, options.featureGates), 'endpoints'))(pod, publishNotReady) ===
    undefined
  );
}

/** Returns the first rule of a release that excludes a pod, or undefined. */
export type EligibilityCheck = (pod: Pod, publishNotReady: boolean) => IneligibleCode | undefined;

/**
 * Combines the rules of an output, two or three in every release. Calls them one by one instead of in a loop, so that engines inline them.
 */
export function createEligibilityCheck(rules: readonly EligibilityRule[]): EligibilityCheck {
  const [first, second, third] = rules as [EligibilityRule, EligibilityRule, EligibilityRule?];
  return (pod, publishNotReady) => {
    if (first.applies(pod, publishNotReady)) return first.code;
    if (second.applies(pod, publishNotReady)) return second.code;
    return third?.applies(pod, publishNotReady) ? third.code : undefined;
  };
}

/** Selects the rules of a release for an output, in the order in which the release applies them. */
export const eligibilityRules = (profile: Profile, output: EligibilityOutput): EligibilityRule[] =>
  rules.filter((rule) => rule.output === output && (!rule.since || profile[rule.since]) && !(rule.until && profile[rule.until]));

/**
 * Before `terminalPodsExcluded`, Endpoints checked only podIP and kept a finished pod if it was ready or published, and slices
 * mirrored ShouldPodBeInEndpointSlice (1.21, pkg/controller/util/endpoint).
 * From `terminatingPodsIncluded` on, slices also include terminating pods.
 */
const rules: readonly EligibilityRule[] = [
  { code: 'PodTerminal', output: 'endpoints', since: 'terminalPodsExcluded', applies: isTerminal },
  { code: 'PodTerminal', output: 'slices', since: 'terminalPodsExcluded', applies: isTerminal },
  { code: 'PodHasNoIP', output: 'endpoints', since: 'terminalPodsExcluded', applies: hasNoIP },
  { code: 'PodHasNoIP', output: 'endpoints', until: 'terminalPodsExcluded', applies: ({ status }) => !status?.podIP },
  { code: 'PodHasNoIP', output: 'slices', applies: hasNoIP },
  { code: 'PodTerminating', output: 'endpoints', applies: isTerminating },
  {
    code: 'PodTerminating',
    output: 'slices',
    since: 'sliceTerminatingPodsExcluded',
    until: 'terminatingPodsIncluded',
    applies: isTerminating,
  },
  {
    code: 'PodFinished',
    output: 'endpoints',
    until: 'terminalPodsExcluded',
    applies: (pod, publishNotReady) => !publishNotReady && !isPodReady(pod) && isFinished(pod),
  },
  { code: 'PodFinished', output: 'slices', until: 'terminalPodsExcluded', applies: isFinished },
];

function isTerminal({ status }: Pod): boolean {
  return status?.phase === 'Failed' || status?.phase === 'Succeeded';
}

function hasNoIP({ status }: Pod): boolean {
  return !status?.podIP && !status?.podIPs?.length;
}

function isTerminating({ metadata }: Pod, publishNotReady: boolean): boolean {
  return !publishNotReady && !!metadata?.deletionTimestamp;
}

/** Whether a pod has ended and its restart policy does not restart it. */
function isFinished(pod: Pod): boolean {
  const policy = pod.spec?.restartPolicy;
  return (policy === 'Never' && isTerminal(pod)) || (policy === 'OnFailure' && pod.status?.phase === 'Succeeded');
}

/** The deprecated annotation that older releases read instead of `spec.publishNotReadyAddresses`. */
export const tolerateUnreadyAnnotation = 'service.alpha.kubernetes.io/tolerate-unready-endpoints';

/**
 * Whether pods that are not ready or are terminating count as ready for this Service. In releases that still read the
 * annotation, its value overrides the field if it parses as a boolean.
 */
export function publishesNotReady(service: Service, profile: Profile): boolean {
  const fieldValue = profile.publishNotReadyAddressesRead && (service.spec?.publishNotReadyAddresses ?? false);
  if (profile.tolerateUnreadyAnnotationIgnored) return fieldValue;
  return parseBool(service.metadata?.annotations?.[tolerateUnreadyAnnotation]) ?? fieldValue;
}

/** Go's strconv.ParseBool; undefined instead of its error. */
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

/** The first condition of type Ready, as GetPodReadyCondition finds it (pkg/api/v1/pod/util.go). */
export function readyCondition(pod: Pod): NonNullable<NonNullable<Pod['status']>['conditions']>[number] | undefined {
  const conditions = pod.status?.conditions;
  if (!conditions) return undefined;
  for (const condition of conditions) if (condition.type === 'Ready') return condition;
  return undefined;
}

/** Whether the Ready condition of a pod is present and "True". Mirrors IsPodReady (pkg/api/v1/pod/util.go). */
export const isPodReady = (pod: Pod): boolean => readyCondition(pod)?.status === 'True';
