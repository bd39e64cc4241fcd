import { objectKey } from '../apimachinery/index.ts';
import type { LoadBalancerCauseCode, Service } from '../types/index.ts';
import { profileFor, type ReleaseOptions } from '../versions/index.ts';
import { reasons } from './all-reasons.ts';
import { createClusterIndex } from './cluster-index.ts';
import { findFixCommand } from './commands.ts';
import { describeInitPort } from './declared-ports.ts';
import type { DiagnosisObjects } from './diagnosis-objects.ts';
import { findEndpointCauses } from './endpoint-causes.ts';
import { createEvidence, type Evidence } from './evidence.ts';
import type { Problem, ServiceExplanation } from './explanation.ts';
import { findPodCauses } from './pod-causes.ts';
import { findPolicyCauses } from './policy-causes.ts';
import type { ReasonCode } from './reasons.ts';
import { createServiceCause, type DiagnosisInput, type RootCause } from './root-cause.ts';
import { findSelectionCause } from './selection-causes.ts';
import { findServiceCauses } from './service-causes.ts';
import type { EndpointsReasonCode } from './service-reasons.ts';

/** Why a Service does not work as intended, with the values that show it and a fix. */
export interface Diagnosis {
  /** Stable identifier; docs/reasons.md lists them all. */
  readonly code: ReasonCode;
  /** "error": the Service has no ready endpoint or loses all traffic; "warning": it loses some, or may. */
  readonly severity: 'error' | 'warning';
  /** One sentence that names the objects. */
  readonly message: string;
  /** The objects that have this cause, such as "pod/shop/web-1", sorted. */
  readonly objects: readonly string[];
  readonly evidence: readonly Evidence[];
  readonly fix: Fix;
}

export interface Fix {
  /** What to do. */
  readonly text: string;
  /** A command that does it, or that shows what to do next. */
  readonly command?: string;
}

/** Finds why a Service does not work, as `diagnoseService` does. */
type DiagnoseService = (service: Service, explanation: ServiceExplanation) => Diagnosis[];

/**
 * Creates a function like `diagnoseService` for many Services of one cluster, whose objects it indexes once.
 * @throws RangeError for an unknown version
 */
export function createServiceDiagnoser(objects: DiagnosisObjects, options: ReleaseOptions = {}): DiagnoseService {
  const cluster = createClusterIndex(objects);
  const given = options.version === undefined ? undefined : profileFor(options.version, options.featureGates);
  return (service, explanation) => {
    const profile = given ?? profileFor(explanation.version, options.featureGates);
    const selectedPods = explanation.pods.flatMap(({ namespace, name }) => cluster.pod(`${namespace}/${name}`) ?? []);
    const readyNames = new Set(explanation.pods.filter(({ ready }) => ready).map(({ name }) => name));
    const readyPods = selectedPods.filter(({ metadata }) => readyNames.has(metadata?.name ?? ''));
    return findCauses({ service, explanation, objects, cluster, selectedPods, readyPods, profile });
  };
}

/**
 * Finds why a Service does not work, root causes first: the first one explains the most. Empty if nothing is wrong. Causes that follow from
 * another one are left out, and pods with the same cause are one item.
 * @param explanation `explainService` of the Service, with `readiness`, so that pods that are not ready have a cause
 * @throws RangeError for an unknown version
 */
export const diagnoseService = (
  service: Service,
  explanation: ServiceExplanation,
  objects: DiagnosisObjects,
  options: ReleaseOptions = {},
): Diagnosis[] => createServiceDiagnoser(objects, options)(service, explanation);

function findCauses(input: DiagnosisInput): Diagnosis[] {
  const podCauses = findPodCauses(input);
  const causes = [
    ...findServiceCauses(input),
    ...findProblemCauses(input, podCauses.length > 0),
    ...findPolicyCauses(input),
    ...podCauses,
    ...findEndpointCauses(input),
  ];
  return causes
    .map((cause, index) => ({ cause: promoteCause(cause, causes), index }))
    .sort((a, b) => rankOf(a.cause) - rankOf(b.cause) || a.index - b.index)
    .map(({ cause }) => createDiagnosis(cause, input));
}

/** A wrong field of a Service port may be why the port does not work otherwise, for example why a policy denies it. */
function promoteCause(cause: RootCause, causes: readonly RootCause[]): RootCause {
  const port = portOf(cause);
  const isPromoted =
    portCodes.has(cause.reason.code) && port !== undefined && causes.some((each) => each.severity === 'error' && portOf(each) === port);
  return isPromoted ? { ...cause, severity: 'error' } : cause;
}

const portCodes: ReadonlySet<ReasonCode> = new Set(['UnknownField', 'TargetPortUndeclared']);

const portOf = ({ reason }: RootCause): string | undefined => /^service\.spec\.ports\[\d+\]/.exec(reason.path)?.[0];

/** Problems that only say that pods have problems. */
const symptoms: readonly ReasonCode[] = ['NoPodEligible', 'NoPodReady'];

/** Why a load balancer is pending. */
const pendingCodes: readonly ReasonCode[] = ['LoadBalancerWithoutNodes', 'LoadBalancerWithoutNodePorts'];

function findProblemCauses(input: DiagnosisInput, havePodsCauses: boolean): RootCause[] {
  const { explanation, service } = input;
  const hasPortProblem = explanation.problems.some(({ code }) => code === 'PortFoundInNoPod' || code === 'ServiceHasNoPorts');
  return explanation.problems.flatMap((problem): RootCause[] => {
    if (problem.severity === 'info') return [];
    if (symptoms.includes(problem.code) && (havePodsCauses || hasPortProblem)) return [];
    if (problem.code === 'LoadBalancerPending' && explanation.problems.some(({ code }) => pendingCodes.includes(code))) return [];
    if (problem.code === 'SelectorMatchesNothing') return [findSelectionCause(input) ?? createServiceCause(problem, service)];
    // A Service with ready pods works for its other ports.
    const severity = problem.code === 'PortFoundInNoPod' && explanation.counts.ready > 0 ? 'warning' : problem.severity;
    return [createServiceCause(withInitPort(problem, input), service, severity)];
  });
}

/** Adds that an init container declares the target port that pods lack. */
function withInitPort(problem: Problem, { service, selectedPods }: DiagnosisInput): Problem {
  const [, index] = /^service\.spec\.ports\[(\d+)\]\.targetPort$/.exec(problem.path) ?? [];
  const target = index === undefined ? undefined : service.spec?.ports?.[Number(index)]?.targetPort;
  const note = target === undefined || target === null ? '' : describeInitPort(target, selectedPods);
  return note ? { ...problem, message: `${problem.message.replace(/\.$/, '')}; ${note}.` } : problem;
}

/** Problems that do not affect the endpoints of the Service: they come after those of pods. */
const minorCodes: ReadonlySet<ReasonCode> = new Set([
  'AnnotationWithoutEffect',
  'AnnotationUnreadable',
  'RewrittenAtEverySync',
  'EmptyIPFamiliesPanic',
  'OverCapacityWarned',
  'OverCapacityTruncated',
  'EndpointsRefused',
  'LoadBalancerOfOtherClass',
  'LoadBalancerNotPickedUp',
  'LoadBalancerFailing',
  'LoadBalancerWithoutNodes',
  'LoadBalancerPending',
  'LoadBalancerWithoutNodePorts',
  'LoadBalancerCleanupPending',
] satisfies (EndpointsReasonCode | LoadBalancerCauseCode)[]);

/** Whether a cause does not affect the endpoints of the Service. */
export const isMinor = (code: ReasonCode): boolean => minorCodes.has(code);

/** Causes of other causes of the same Service. */
const firstCodes: ReadonlySet<ReasonCode> = new Set(['NamespaceTerminating', 'UnknownField']);

const rankOf = ({ severity, reason }: RootCause): number =>
  (severity === 'error' ? 0 : minorCodes.has(reason.code) ? 2 : 1) - (firstCodes.has(reason.code) ? 0.5 : 0);

function createDiagnosis(cause: RootCause, input: DiagnosisInput): Diagnosis {
  const { reason, severity, message, objects } = cause;
  const command = findFixCommand(cause, input);
  return {
    code: reason.code,
    severity,
    message,
    objects,
    evidence: [...createFieldEvidence(cause), ...createEventEvidence(cause, input)],
    fix: { text: reasons[reason.code].remedy, ...(command !== undefined && { command }) },
  };
}

/** The field that the path of the reason names. A path may also name a list of objects, such as "events". */
function createFieldEvidence({ reason, subject }: RootCause): Evidence[] {
  const [, root, path] = /^(\w+)\.(.+)$/.exec(reason.path) ?? [];
  return path !== undefined && (root === subject.kind || root === 'workload') ? [createEvidence(subject.name, path, subject.object)] : [];
}

/** The latest Warning about the subject. Controllers report problems with EndpointSlices as Events about their Service. */
function createEventEvidence({ subject }: RootCause, { cluster, service }: DiagnosisInput): Evidence[] {
  const isSlice = subject.kind === 'endpointslice';
  const event = isSlice ? cluster.warningAbout('service', service) : cluster.warningAbout(subject.kind, subject.object);
  if (!event) return [];
  const name = isSlice ? `Service ${objectKey(service)}` : subject.name;
  return [{ object: `Event about ${name}`, path: 'message', value: JSON.stringify(event.message ?? '') }];
}
