import type { PodExplanation, PodSlicesExplanation, ReasonCode, ServiceExplanation, SlicesExplanation } from '../../explain/index.ts';
import { idOfPod } from './pods.ts';

/** A Service's pods without what only Endpoints do: these hold so many addresses, slices hold them all. */
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
