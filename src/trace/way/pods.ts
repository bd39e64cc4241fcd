import type { PodExplanation, PodSlicesExplanation, SlicesExplanation } from '../../explain/explanation.ts';
import type { Problem, ReasonCode, ServiceExplanation } from '../../explain/index.ts';
import { explainReadiness } from '../../readiness/index.ts';
import type { Cluster } from '../cluster.ts';
import { clause, counted, enumerate, item, note } from '../reasons.ts';
import { type Draft, draft, skipped, type TraceItem, type TraceNote, type TraceStep } from '../trace.ts';
import { problemNote } from './problems.ts';
import { ofPods } from './service.ts';

export interface PodsInput {
  readonly explained: ServiceExplanation;
  /** The release's verdicts on the pods, from slices. */
  readonly slices: SlicesExplanation;
  /** The step "endpoints". */
  readonly endpoints: TraceStep;
  /** Path of the target port of the followed port. */
  readonly portPath: string | undefined;
}

/** The step "pod": the pods that get traffic, and why other selected pods do not. */
export function podStep(input: PodsInput): Draft {
  const { explained, endpoints, portPath } = input;
  const used = endpoints.chosen;
  const problems = explained.problems.filter(({ code, path }) => isReported(code) && isOfPort(path, portPath));
  const byId = new Map(explained.pods.map((pod) => [idOfPod(pod), pod]));
  const reached = used.filter(({ id }) => id.startsWith('pod/'));
  const { out, passed: excludedByLocation } = splitExcluded(input);
  const unknown = explained.managed ? used.filter(({ id }) => !byId.has(id)).length : 0;
  const isNarrowed = out.some(isProblematic) || unknown > 0;
  return draft('pod', explained.managed ? 'Pods of the Service' : 'Pods behind the endpoints', {
    outcome: problems.some(isError) ? 'error' : isNarrowed ? 'warning' : 'ok',
    notes: [
      ...problems.map(problemNote),
      ...(reached.length > 0
        ? [note('PodsBehind', { pods: counted(reached.length, 'pod'), get: reached.length === 1 ? 'gets' : 'get' })]
        : []),
      ...(excludedByLocation > 0 && reached.length > 0 ? [note('PodsPassedBy', { count: excludedByLocation })] : []),
      ...(unknown > 0 ? [note('PodUnknown', { endpoints: counted(unknown, 'endpoint') }, 'endpointslice.endpoints[].targetRef')] : []),
    ],
    chosen: reached.map(({ id, label }) => item(id, labelOf(byId.get(id)) ?? label)),
    leftOut: out.map(({ pod, notes }) => item(idOfPod(pod), labelOf(pod) ?? '', notes)),
    blame: blameOf(problems, out),
  });
}

/** ServiceHasNoSelector is already reported in the endpoints step. */
const isReported = (code: string): boolean => ofPods.includes(code) && code !== 'ServiceHasNoSelector';

const isError = ({ severity }: Problem): boolean => severity === 'error';

/** A pod without traffic, and why. */
interface ExcludedPod {
  readonly pod: PodExplanation;
  readonly notes: readonly TraceNote[];
}

/**
 * Splits pods without traffic into those excluded for their own state, with reasons, and the number of those excluded for their location.
 */
function splitExcluded({ explained, slices, endpoints, portPath }: PodsInput): {
  readonly out: readonly ExcludedPod[];
  readonly passed: number;
} {
  const used = new Set(endpoints.chosen.map(({ id }) => id));
  const seen = new Set(endpoints.leftOut.map(({ id }) => id));
  const others = explained.pods.filter((pod) => !used.has(idOfPod(pod)));
  const sliced = new Map(slices.pods.map((pod) => [idOfPod(pod), pod]));
  const explainExclusion = (pod: PodExplanation): readonly TraceNote[] => {
    if (!pod.included) return pod.reasons.map(problemNote);
    // The causes are reported in the readiness step.
    if (!pod.ready) return pod.reasons.slice(0, 1).map(problemNote);
    const lacking = pod.reasons.filter(({ code, path }) => code === 'PortNotFound' && path === portPath);
    if (lacking.length > 0 || seen.has(idOfPod(pod)) || endpoints.outcome === 'skipped') return lacking.map(problemNote);
    const inSlices = sliced.get(idOfPod(pod));
    return inSlices?.slices.length === 0 ? inSlices.reasons.map(problemNote) : [note('PodInNoSlice')];
  };
  const out = others.map((pod) => ({ pod, notes: explainExclusion(pod) })).filter(({ notes }) => notes.length > 0);
  return { out, passed: others.length - out.length };
}

/** Does not blame a pod for missing from the slices. */
function blameOf(problems: readonly Problem[], out: readonly ExcludedPod[]): string | undefined {
  const errors = problems.filter((problem) => isError(problem) && problem.code !== 'NoPodReady');
  const mainProblem = errors.find(({ code }) => code !== 'NoPodEligible') ?? errors[0];
  if (mainProblem) return clause(mainProblem.message);
  const problematic = out.filter(
    (each) => isProblematic(each) && (!each.pod.included || each.pod.ready) && each.notes[0]?.code !== 'PodInNoSlice',
  );
  const [first] = problematic;
  if (!first) return undefined;
  const names = enumerate(
    problematic.map(({ pod }) => pod.name),
    3,
  );
  const why = clause(first.notes[0]?.message ?? '').replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
  return `${names} ${problematic.length === 1 ? 'is not an endpoint' : 'are not endpoints'}: ${why}`;
}

/** A pod that terminates normally is not a problem. */
const isProblematic = ({ notes }: ExcludedPod): boolean => !notes.some(({ code }) => normalEnds.includes(code));

const normalEnds: readonly string[] = ['PodTerminal', 'PodFinished', 'PodTerminating'];

/** Ignores problems of ports other than the followed one. */
const isOfPort = (path: string, portPath: string | undefined): boolean =>
  portPath === undefined || path === portPath || !path.startsWith('service.spec.ports[');

/** "pod/shop/web-1" */
export const idOfPod = ({ namespace, name }: Pick<PodExplanation, 'namespace' | 'name'>): string => `pod/${namespace}/${name}`;

const labelOf = (pod: PodExplanation | undefined): string | undefined => pod && [pod.name, pod.ip].filter(Boolean).join(' ');

/** The notes about a pod's readiness. */
export const notesOfPod = (pod: PodExplanation, codes: ReadonlySet<string>): TraceNote[] =>
  pod.reasons.filter(({ code }) => codes.has(code)).map(problemNote);

/** The last step: what keeps pods from being ready. @param reached the pods that get traffic */
export function readinessStep(explained: ServiceExplanation, reached: readonly TraceItem[], cluster: Cluster): Draft {
  const { pods } = explained;
  const included = pods.filter((pod) => pod.included);
  if (included.length === 0) return skipped('readiness', 'Readiness');
  const notReady = included.filter(({ ready }) => !ready);
  const leftOut = notReady.map((pod): TraceItem => {
    const own = cluster.pod(pod.namespace, pod.name);
    const causes = own ? explainReadiness(own, { version: cluster.version }).causes.map(({ code }) => code) : [];
    return item(idOfPod(pod), pod.name, notesOfPod(pod, new Set<string>(causes.length > 0 ? causes : ['PodNotReady'])));
  });
  const [first] = leftOut;
  const cause = first?.notes[0];
  return draft('readiness', 'Readiness', {
    outcome: leftOut.length === 0 ? 'ok' : notReady.length === included.length ? 'error' : 'warning',
    notes: [leftOut.length === 0 ? note('AllReady') : note('SomeNotReady', { count: leftOut.length, all: included.length })],
    chosen: reached.map(({ id, label }) => item(id, label)),
    leftOut,
    blame: first && cause && (leftOut.length === 1 ? clause(cause.message) : `${first.label}: ${clause(cause.message)}`),
  });
}

/** Removes what applies to Endpoints only: their limit on addresses, as slices have none. */
export function bySlices(explained: ServiceExplanation, { pods }: SlicesExplanation): ServiceExplanation {
  const sliced = new Map(pods.map((pod) => [idOfPod(pod), pod]));
  return {
    ...explained,
    problems: explained.problems.filter(({ code }) => !ofEndpoints.includes(code)),
    pods: explained.pods.map((pod) => (isCut(pod) ? uncut(pod, sliced.get(idOfPod(pod))) : pod)),
  };
}

const ofEndpoints: readonly ReasonCode[] = ['OverCapacityWarned', 'OverCapacityTruncated', 'EndpointsRefused'];

const isCut = ({ reasons }: PodExplanation): boolean => reasons.some(({ code }) => code === 'CutByCapacity');

const uncut = (pod: PodExplanation, own: PodSlicesExplanation | undefined): PodExplanation => ({
  ...pod,
  included: true,
  ready: own?.slices.some(({ conditions }) => conditions.ready) ?? false,
  reasons: own?.reasons ?? [],
});
