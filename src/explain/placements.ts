import {
  chooseLesser,
  createPodEvaluator,
  fitCapacity,
  type Offer,
  type PodEvaluator,
  pack,
  type UnmanagedCode,
  unmanagedCodeOf,
  type Verdict,
} from '../spec/index.ts';
import type { EndpointAddress, EndpointPort, EndpointSubset, Pod, Service } from '../types/index.ts';
import type { Profile } from '../versions/index.ts';

/** The placement of a pod's address in the final Endpoints. */
export interface PodPlacement {
  readonly ready: boolean;
  /** Such as "http:8080/TCP", sorted. */
  readonly ports: readonly string[];
}

export interface Placements {
  readonly evaluator: PodEvaluator;
  readonly unmanagedCode: UnmanagedCode | undefined;
  readonly evaluatedPods: readonly { readonly pod: Pod; readonly offer: Offer | undefined }[];
  /** The subsets before and after truncation to capacity. */
  readonly packedSubsets: readonly EndpointSubset[];
  readonly subsets: readonly EndpointSubset[];
  /** Undefined if the address was cut by truncation. */
  placementOf(offer: Offer): PodPlacement | undefined;
}

/** Evaluates every pod, and finds the place of its address in the final subsets. */
export function placePods(service: Service, pods: readonly Pod[], profile: Profile): Placements {
  const unmanagedCode = unmanagedCodeOf(service, profile);
  const evaluator = createPodEvaluator(service, profile);
  const evaluatedPods = pods.map((pod) => ({ pod, offer: unmanagedCode ? undefined : offerOf(evaluator.evaluate(pod)) }));
  const offers = evaluatedPods.flatMap(({ offer }) => offer ?? []);
  const packedSubsets = pack(offers, evaluator.ports.list, profile, chooseLesser);
  const { subsets } = fitCapacity(packedSubsets, profile);
  const placements = placementsByAddress(subsets);
  return {
    evaluator,
    unmanagedCode,
    evaluatedPods,
    packedSubsets,
    subsets,
    placementOf: ({ address }) => placements.get(keyOf(address)),
  };
}

function placementsByAddress(subsets: readonly EndpointSubset[]): ReadonlyMap<string, PodPlacement> {
  const placements = new Map<string, { ready: boolean; ports: string[] }>();
  const add = (address: EndpointAddress, ready: boolean, ports: readonly string[]): void => {
    const key = keyOf(address);
    const placement = placements.get(key);
    placements.set(key, { ready: ready && (placement?.ready ?? true), ports: [...(placement?.ports ?? []), ...ports].sort() });
  };
  for (const { addresses = [], notReadyAddresses = [], ports = [] } of subsets) {
    const printedPorts = ports.map(printPort);
    for (const address of addresses) add(address, true, printedPorts);
    for (const address of notReadyAddresses) add(address, false, printedPorts);
  }
  return placements;
}

const offerOf = (verdict: Verdict): Offer | undefined => (typeof verdict === 'string' ? undefined : verdict);

const keyOf = ({ ip, targetRef }: EndpointAddress): string => JSON.stringify([ip, targetRef?.uid ?? '']);

/** Such as "http:8080/TCP". */
export const printPort = ({ name, port, protocol }: EndpointPort): string =>
  `${name ? `${name}:` : ''}${port}${protocol ? `/${protocol}` : ''}`;
