import type { PodExplanation, PodSlicesExplanation, SlicesExplanation } from '../../explain/explanation.ts';
import type { Problem, ReasonCode, ServiceExplanation } from '../../explain/index.ts';
import { explainReadiness } from '../../readiness/index.ts';
import type { Cluster } from '../cluster.ts';
import { enumerate, formatCount, item, note, withoutFullStop } from '../reasons.ts';
import { createStep, type StepResult, skippedStep, type TraceItem, type TraceNote, type TraceStep } from '../trace.ts';
import { createProblemNote } from './problems.ts';
import { podReasonCodes } from './service.ts';

export interface PodsInput {
  readonly explanation: ServiceExplanation;
  /** The release's verdicts on the pods, from slices. */
  readonly slices: SlicesExplanation;
  /** The step "endpoints". */
  readonly endpoints: TraceStep;
  /** Path of the target port of the followed port. */
  readonly portPath: string | undefined;
}

/** The step "pod": the pods that get traffic, and why other selected pods do not. */
export function podStep(input: PodsInput): StepResult {
  const { explanation, endpoints, portPath } = input;
  const usedEndpoints = endpoints.chosen;
  const problems = explanation.problems.filter(({ code, path }) => isReported(code) && isOfPort(path, portPath));
  const podsById = new Map(explanation.pods.map((pod) => [idOfPod(pod), pod]));
  const podsWithTraffic = usedEndpoints.filter(({ id }) => id.startsWith('pod/'));
  const { excludedPods, skippedByLocation } = splitExcluded(input);
  const unknownPodCount = explanation.managed ? usedEndpoints.filter(({ id }) => !podsById.has(id)).length : 0;
  const isNarrowed = excludedPods.some(isProblematic) || unknownPodCount > 0;
  return createStep('pod', explanation.managed ? 'Pods of the Service' : 'Pods behind the endpoints', {
    outcome: problems.some(isError) ? 'error' : isNarrowed ? 'warning' : 'ok',
    notes: [
      ...problems.map(createProblemNote),
      ...(podsWithTraffic.length > 0
        ? [
            note('PodsWithTraffic', {
              pods: formatCount(podsWithTraffic.length, 'pod'),
              get: podsWithTraffic.length === 1 ? 'gets' : 'get',
            }),
          ]
        : []),
      ...(skippedByLocation > 0 && podsWithTraffic.length > 0 ? [note('PodsSkippedByLocation', { count: skippedByLocation })] : []),
      ...(unknownPodCount > 0
        ? [note('PodUnknown', { endpoints: formatCount(unknownPodCount, 'endpoint') }, 'endpointslice.endpoints[].targetRef')]
        : []),
    ],
    chosen: podsWithTraffic.map(({ id, label }) => item(id, labelOf(podsById.get(id)) ?? label)),
    leftOut: excludedPods.map(({ pod, notes }) => item(idOfPod(pod), labelOf(pod) ?? '', notes)),
    cause: describeCause(problems, excludedPods),
  });
}

/** ServiceHasNoSelector is already reported in the endpoints step. */
const isReported = (code: string): boolean => podReasonCodes.includes(code) && code !== 'ServiceHasNoSelector';

const isError = ({ severity }: Problem): boolean => severity === 'error';

/** A pod without traffic, and the reasons. */
interface ExcludedPod {
  readonly pod: PodExplanation;
  readonly notes: readonly TraceNote[];
}

/**
 * Splits the pods without traffic: pods excluded because of their state, with reasons, and the number of pods excluded because of their
 * location.
 */
function splitExcluded({ explanation, slices, endpoints, portPath }: PodsInput): {
  readonly excludedPods: readonly ExcludedPod[];
  readonly skippedByLocation: number;
} {
  const usedIds = new Set(endpoints.chosen.map(({ id }) => id));
  const leftOutEndpoints = new Set(endpoints.leftOut.map(({ id }) => id));
  const podsWithoutTraffic = explanation.pods.filter((pod) => !usedIds.has(idOfPod(pod)));
  const slicesByPod = new Map(slices.pods.map((pod) => [idOfPod(pod), pod]));
  const explainExclusion = (pod: PodExplanation): readonly TraceNote[] => {
    if (!pod.included) return pod.reasons.map(createProblemNote);
    // The causes are reported in the readiness step.
    if (!pod.ready) return pod.reasons.slice(0, 1).map(createProblemNote);
    const missingPortReasons = pod.reasons.filter(({ code, path }) => code === 'PortNotFound' && path === portPath);
    if (missingPortReasons.length > 0 || leftOutEndpoints.has(idOfPod(pod)) || endpoints.outcome === 'skipped')
      return missingPortReasons.map(createProblemNote);
    const inSlices = slicesByPod.get(idOfPod(pod));
    return inSlices?.slices.length === 0 ? inSlices.reasons.map(createProblemNote) : [note('PodInNoSlice')];
  };
  const excludedPods = podsWithoutTraffic.map((pod) => ({ pod, notes: explainExclusion(pod) })).filter(({ notes }) => notes.length > 0);
  return { excludedPods, skippedByLocation: podsWithoutTraffic.length - excludedPods.length };
}

/** Ignores pods that are in no slice: the endpoints step reports outdated slices. */
function describeCause(problems: readonly Problem[], excludedPods: readonly ExcludedPod[]): string | undefined {
  const errors = problems.filter((problem) => isError(problem) && problem.code !== 'NoPodReady');
  const mainProblem = errors.find(({ code }) => code !== 'NoPodEligible') ?? errors[0];
  if (mainProblem) return withoutFullStop(mainProblem.message);
  const problematic = excludedPods.filter(
    (each) => isProblematic(each) && (!each.pod.included || each.pod.ready) && each.notes[0]?.code !== 'PodInNoSlice',
  );
  const [first] = problematic;
  if (!first) return undefined;
  const names = enumerate(
    problematic.map(({ pod }) => pod.name),
    3,
  );
  const reason = withoutFullStop(first.notes[0]?.message ?? '').replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
  return `${names} ${problematic.length === 1 ? 'is not an endpoint' : 'are not endpoints'}: ${reason}`;
}

/** A pod that terminates normally is not a problem. */
const isProblematic = ({ notes }: ExcludedPod): boolean => !notes.some(({ code }) => normalEndCodes.includes(code));

const normalEndCodes: readonly string[] = ['PodTerminal', 'PodFinished', 'PodTerminating'];

/** Ignores problems of ports other than the followed one. */
const isOfPort = (path: string, portPath: string | undefined): boolean =>
  portPath === undefined || path === portPath || !path.startsWith('service.spec.ports[');

/** "pod/shop/web-1" */
export const idOfPod = ({ namespace, name }: Pick<PodExplanation, 'namespace' | 'name'>): string => `pod/${namespace}/${name}`;

const labelOf = (pod: PodExplanation | undefined): string | undefined => pod && [pod.name, pod.ip].filter(Boolean).join(' ');

/** Notes for the reasons of a pod that have one of the codes. */
export const notesWithCodes = (pod: PodExplanation, codes: ReadonlySet<string>): TraceNote[] =>
  pod.reasons.filter(({ code }) => codes.has(code)).map(createProblemNote);

/** The step "readiness": why pods are not ready. @param reached the pods that get traffic */
export function readinessStep(explanation: ServiceExplanation, reached: readonly TraceItem[], cluster: Cluster): StepResult {
  const { pods } = explanation;
  const included = pods.filter((pod) => pod.included);
  if (included.length === 0) return skippedStep('readiness', 'Readiness');
  const notReady = included.filter(({ ready }) => !ready);
  const leftOut = notReady.map((pod): TraceItem => {
    const podObject = cluster.pod(pod.namespace, pod.name);
    const causes = podObject ? explainReadiness(podObject, { version: cluster.version }).causes.map(({ code }) => code) : [];
    return item(idOfPod(pod), pod.name, notesWithCodes(pod, new Set<string>(causes.length > 0 ? causes : ['PodNotReady'])));
  });
  const [first] = leftOut;
  const firstNote = first?.notes[0];
  return createStep('readiness', 'Readiness', {
    outcome: leftOut.length === 0 ? 'ok' : notReady.length === included.length ? 'error' : 'warning',
    notes: [leftOut.length === 0 ? note('AllReady') : note('SomeNotReady', { count: leftOut.length, all: included.length })],
    chosen: reached.map(({ id, label }) => item(id, label)),
    leftOut,
    cause:
      first &&
      firstNote &&
      (leftOut.length === 1 ? withoutFullStop(firstNote.message) : `${first.label}: ${withoutFullStop(firstNote.message)}`),
  });
}

/** Removes the effects of the limit on addresses in Endpoints, because slices have no such limit. */
export function adjustToSlices(explanation: ServiceExplanation, { pods }: SlicesExplanation): ServiceExplanation {
  const slicesByPod = new Map(pods.map((pod) => [idOfPod(pod), pod]));
  return {
    ...explanation,
    problems: explanation.problems.filter(({ code }) => !endpointsOnlyCodes.includes(code)),
    pods: explanation.pods.map((pod) => (isCutByCapacity(pod) ? withSliceState(pod, slicesByPod.get(idOfPod(pod))) : pod)),
  };
}

const endpointsOnlyCodes: readonly ReasonCode[] = ['OverCapacityWarned', 'OverCapacityTruncated', 'EndpointsRefused'];

const isCutByCapacity = ({ reasons }: PodExplanation): boolean => reasons.some(({ code }) => code === 'CutByCapacity');

const withSliceState = (pod: PodExplanation, podSlices: PodSlicesExplanation | undefined): PodExplanation => ({
  ...pod,
  included: true,
  ready: podSlices?.slices.some(({ conditions }) => conditions.ready) ?? false,
  reasons: podSlices?.reasons ?? [],
});
