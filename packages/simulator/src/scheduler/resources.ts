import { milliValue } from 'kube-endpoints/internal/apimachinery';
import { computePodRequests, hasPodLevelRequests, parseNanos, type RequestOptions, type Requests } from './pod-requests.ts';
import type { Pod, ResourceList } from './types.ts';

/**
 * Amounts of resources: `framework.Resource` (1.36, pkg/scheduler/framework/types.go). CPU in thousandths, all others in units, rounded up.
 * Numbers are exact up to 2^53 / 100, that is, 90 TB of memory.
 */
export interface Amounts {
  milliCPU: number;
  memory: number;
  ephemeralStorage: number;
  allowedPods: number;
  /** Extended resources, huge pages and the like, by name. */
  readonly scalars: Map<string, number>;
}

export const createAmounts = (): Amounts => ({ milliCPU: 0, memory: 0, ephemeralStorage: 0, allowedPods: 0, scalars: new Map() });

export function parseAmounts(list: ResourceList | undefined): Amounts {
  const result = createAmounts();
  for (const [name, text] of Object.entries(list ?? {})) setAmount(result, name, parseNanos(text));
  return result;
}

export function toAmounts(requests: Requests): Amounts {
  const result = createAmounts();
  for (const [name, nanos] of requests) setAmount(result, name, nanos);
  return result;
}

function setAmount(target: Amounts, name: string, nanos: bigint): void {
  if (name === 'cpu') target.milliCPU = Number(milliValue(nanos));
  else if (name === 'memory') target.memory = toUnits(nanos);
  else if (name === 'ephemeral-storage') target.ephemeralStorage = toUnits(nanos);
  else if (name === 'pods') target.allowedPods = toUnits(nanos);
  else if (isScalarResource(name)) target.scalars.set(name, toUnits(nanos));
}

/** Rounds up, like Quantity.Value. */
const toUnits = (nanos: bigint): number => Number((nanos + 999_999_999n) / 1_000_000_000n);

/** Whether the scheduler counts a resource other than CPU, memory, ephemeral storage and pods: IsScalarResourceName. */
const isScalarResource = (name: string): boolean =>
  name.startsWith('hugepages-') || name.startsWith('attachable-volumes-') || name.includes('kubernetes.io/') || isExtendedResource(name);

const isExtendedResource = (name: string): boolean => name.includes('/') && !name.startsWith('requests.');

/** Adds amounts, or with sign -1 subtracts them. */
export function addAmounts(target: Amounts, added: Amounts, sign: 1 | -1): void {
  target.milliCPU += sign * added.milliCPU;
  target.memory += sign * added.memory;
  target.ephemeralStorage += sign * added.ephemeralStorage;
  for (const [name, amount] of added.scalars) target.scalars.set(name, (target.scalars.get(name) ?? 0) + sign * amount);
}

/** Requests that the score LeastAllocated assumes for a container without any: 100m and 200 MB (1.36, pkg/scheduler/util/pod_resources.go). */
const defaultRequests: Requests = new Map([
  ['cpu', 100_000_000n],
  ['memory', 200n * 1024n * 1024n * 1_000_000_000n],
]);

/** The requests of a pod for the filter of a pod that is not scheduled yet, or for the sums of its node. */
export const amountsOfPod = (pod: Pod, usesStatus: boolean): Amounts => toAmounts(computePodRequests(pod, { usesStatus }));

/** The requests of a pod on its node, with defaults: CalculateResource (1.36, pkg/scheduler/framework/types.go). */
export function nonZeroAmountsOfPod(pod: Pod): Amounts {
  const options: RequestOptions = { usesStatus: true };
  if (!hasPodLevelRequests(pod)) return toAmounts(computePodRequests(pod, { ...options, defaults: defaultRequests }));
  const requests = computePodRequests(pod, options);
  const defaults = new Map([...defaultRequests].filter(([name]) => !requests.has(name)));
  return toAmounts(defaults.size === 0 ? requests : computePodRequests(pod, { ...options, defaults }));
}

/**
 * The requests of a pod to place for the score LeastAllocated, with defaults for each container. As upstream, requests of the pod as a whole
 * do not count: NewFit does not pass the feature to calculatePodResourceRequest (1.36, noderesources/resource_allocation.go).
 */
export const scoredAmountsOfPod = (pod: Pod): Amounts =>
  toAmounts(computePodRequests(pod, { usesStatus: false, ignoresPodLevel: true, defaults: defaultRequests }));
