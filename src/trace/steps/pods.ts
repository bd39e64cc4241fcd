import type { PodExplanation, PodSlicesExplanation, SlicesExplanation } from '../../explain/explanation.ts';
import type { Problem, ReasonCode, ServiceExplanation } from '../../explain/index.ts';
import { explainReadiness } from '../../readiness/index.ts';
import type { Cluster } from '../cluster.ts';
import { createItem, createNote, enumerate, formatCount, removeFullStop } from '../reasons.ts';
import { createSkippedStep, createStep, type StepResult, type TraceItem, type TraceNote, type TraceStep } from '../trace.ts';
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

/** Creates the step "pod": the pods that get traffic, and why other selected pods do not. */
export function createPodStep(input: PodsInput): StepResult {
  const { explanation, endpoints, portPath } = input;
  const usedEndpoints = endpoints.chosen;
  const problems = explanation.problems.filter(({ code, path }) => isReported(code) && isOfPort(path, portPath));
  const podsById = new Map(explanation.pods.map((pod) => [idOfPod(pod), pod]));
  const podsWithTraffic = usedEndpoints.filter(({ id }) => id.startsWith('pod/'));
  const { excludedPods, skippedByLocationCount } = splitExcludedPods(input);
  const unknownPodCount = explanation.managed ? usedEndpoints.filter(({ id }) => !podsById.has(id)).length : 0;
  const isNarrowed = excludedPods.some(isProblematic) || unknownPodCount > 0 || problems.some(losesRequests);
  return createStep('pod', explanation.managed ? 'Pods of the Service' : 'Pods behind the endpoints', {
    outcome: problems.some(isError) ? 'error' : isNarrowed ? 'warning' : 'ok',
    notes: [
      ...problems.map(createProblemNote),
      ...(podsWithTraffic.length > 0
        ? [
            createNote('PodsWithTraffic', {
              pods: formatCount(podsWithTraffic.length, 'pod'),
              get: podsWithTraffic.length === 1 ? 'gets' : 'get',
            }),
          ]
        : []),
      ...(skippedByLocationCount > 0 && podsWithTraffic.length > 0
        ? [createNote('PodsSkippedByLocation', { count: skippedByLocationCount })]
        : []),
      ...(unknownPodCount > 0
        ? [createNote('PodUnknown', { endpoints: formatCount(unknownPodCount, 'endpoint') }, 'endpointslice.endpoints[].targetRef')]
        : []),
    ],
    chosen: podsWithTraffic.map(({ id, label }) => createItem(id, labelOf(podsById.get(id)) ?? label)),
    leftOut: excludedPods.map(({ pod, notes }) => createItem(idOfPod(pod), labelOf(pod) ?? '', notes)),
    cause: describeCause(problems, excludedPods),
  });
}

/** ServiceHasNoSelector is already reported in the endpoints step. */
const isReported = (code: string): boolean => podReasonCodes.includes(code) && code !== 'ServiceHasNoSelector';

const isError = ({ severity }: Problem): boolean => severity === 'error';

/** Whether requests that reach an endpoint may fail there. */
const losesRequests = ({ code }: Problem): boolean => code === 'TargetPortUndeclared' || code === 'NotReadyPodsPublished';

/** A pod without traffic, and the reasons. */
interface ExcludedPod {
  readonly pod: PodExplanation;
  readonly notes: readonly TraceNote[];
}

/**
 * Splits the pods without traffic: pods excluded because of their state, with reasons, and the number of pods excluded because of their
 * location.
 */
function splitExcludedPods({ explanation, slices, endpoints, portPath }: PodsInput): {
  readonly excludedPods: readonly ExcludedPod[];
  readonly skippedByLocationCount: number;
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
    const podSlices = slicesByPod.get(idOfPod(pod));
    return podSlices?.slices.length === 0 ? podSlices.reasons.map(createProblemNote) : [createNote('PodInNoSlice')];
  };
  const excludedPods = podsWithoutTraffic.map((pod) => ({ pod, notes: explainExclusion(pod) })).filter(({ notes }) => notes.length > 0);
  return { excludedPods, skippedByLocationCount: podsWithoutTraffic.length - excludedPods.length };
}

/**
 * Describes the main problem; undefined if there is none. Ignores pods that are in no slice: the endpoints step reports outdated slices.
 */
function describeCause(problems: readonly Problem[], excludedPods: readonly ExcludedPod[]): string | undefined {
  const errors = problems.filter((problem) => isError(problem) && problem.code !== 'NoPodReady');
  const mainProblem = errors.find(({ code }) => code !== 'NoPodEligible') ?? errors[0] ?? problems.find(losesRequests);
  if (mainProblem) return removeFullStop(mainProblem.message);
  const problematicPods = excludedPods.filter(
    (each) => isProblematic(each) && (!each.pod.included || each.pod.ready) && each.notes[0]?.code !== 'PodInNoSlice',
  );
  const [first] = problematicPods;
  if (!first) return undefined;
  const names = enumerate(
    problematicPods.map(({ pod }) => pod.name),
    3,
  );
  const reason = removeFullStop(first.notes[0]?.message ?? '').replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
  return `${names} ${problematicPods.length === 1 ? 'is not an endpoint' : 'are not endpoints'}: ${reason}`;
}

/** Whether the exclusion is a problem: the pod does not terminate or end normally. */
const isProblematic = ({ notes }: ExcludedPod): boolean => !notes.some(({ code }) => normalEndCodes.includes(code));

const normalEndCodes: readonly string[] = ['PodTerminal', 'PodFinished', 'PodTerminating'];

/** Whether a problem concerns the followed port or no single port. */
const isOfPort = (path: string, portPath: string | undefined): boolean =>
  portPath === undefined || path === portPath || !path.startsWith('service.spec.ports[');

/** "pod/shop/web-1" */
export const idOfPod = ({ namespace, name }: Pick<PodExplanation, 'namespace' | 'name'>): string => `pod/${namespace}/${name}`;

const labelOf = (pod: PodExplanation | undefined): string | undefined => pod && [pod.name, pod.ip].filter(Boolean).join(' ');

/** Creates notes for the reasons of a pod that have one of the codes. */
export const createNotesWithCodes = (pod: PodExplanation, codes: ReadonlySet<string>): TraceNote[] =>
  pod.reasons.filter(({ code }) => codes.has(code)).map(createProblemNote);

/** Creates the step "readiness": why pods are not ready. @param podsWithTraffic the pods that get traffic */
export function createReadinessStep(explanation: ServiceExplanation, podsWithTraffic: readonly TraceItem[], cluster: Cluster): StepResult {
  const { pods } = explanation;
  const includedPods = pods.filter((pod) => pod.included);
  if (includedPods.length === 0) return createSkippedStep('readiness', 'Readiness');
  const notReadyPods = includedPods.filter(({ ready }) => !ready);
  const leftOut = notReadyPods.map((pod): TraceItem => {
    const podObject = cluster.findPod(pod.namespace, pod.name);
    const causes = podObject ? explainReadiness(podObject, cluster.release).causes.map(({ code }) => code) : [];
    return createItem(idOfPod(pod), pod.name, createNotesWithCodes(pod, new Set<string>(causes.length > 0 ? causes : ['PodNotReady'])));
  });
  const [first] = leftOut;
  const firstNote = first?.notes[0];
  return createStep('readiness', 'Readiness', {
    outcome: leftOut.length === 0 ? 'ok' : notReadyPods.length === includedPods.length ? 'error' : 'warning',
    notes: [
      ...(leftOut.length > 0 ? [createNote('SomeNotReady', { count: leftOut.length, all: includedPods.length })] : []),
      ...(leftOut.length === 0 && !explanation.problems.some(({ code }) => code === 'NotReadyPodsPublished')
        ? [createNote('AllReady')]
        : []),
    ],
    chosen: podsWithTraffic.map(({ id, label }) => createItem(id, label)),
    leftOut,
    cause:
      first &&
      firstNote &&
      (leftOut.length === 1 ? removeFullStop(firstNote.message) : `${first.label}: ${removeFullStop(firstNote.message)}`),
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
