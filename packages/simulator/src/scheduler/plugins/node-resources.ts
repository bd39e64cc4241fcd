import { conflicts, type NodeInfo } from '../node-info.ts';
import { maxScore, type Plugin, type PluginRejection, unschedulable } from '../plugin.ts';
import { type Amounts, amountsOfPod, scoredAmountsOfPod } from '../resources.ts';

/** Plugins about what pods use up on a node (1.36, pkg/scheduler/framework/plugins). */

export const nodePorts: Plugin = {
  name: 'NodePorts',
  prepareFilter: ({ info: { hostPorts } }) => {
    if (hostPorts.length === 0) return undefined;
    return {
      filter: ({ pods }) =>
        [...pods.values()].some((info) => info.hostPorts.some((used) => hostPorts.some((port) => conflicts(port, used))))
          ? unschedulable("node(s) didn't have free ports for the requested pod ports")
          : undefined,
    };
  },
};

export const nodeResourcesFit: Plugin = {
  name: 'NodeResourcesFit',
  weight: 1,
  prepareFilter: ({ pod }) => {
    const requests = amountsOfPod(pod, false);
    return { filter: (node) => fitRequests(requests, node) };
  },
  prepareScore: ({ pod }) => {
    const requests = scoredAmountsOfPod(pod);
    return { score: (node) => scoreLeastAllocated(requests, node) };
  },
};

/** Mirrors fitsRequest (noderesources/fit.go). */
export function fitRequests(requests: Amounts, { allocatable, requested, pods }: NodeInfo): PluginRejection | undefined {
  const reasons: string[] = [];
  let isUnresolvable = false;
  if (pods.size + 1 > allocatable.allowedPods) reasons.push('Too many pods');
  const check = (name: string, wanted: number, capacity: number, used: number): void => {
    if (wanted <= 0 || wanted <= capacity - used) return;
    reasons.push(`Insufficient ${name}`);
    isUnresolvable ||= wanted > capacity;
  };
  check('cpu', requests.milliCPU, allocatable.milliCPU, requested.milliCPU);
  check('memory', requests.memory, allocatable.memory, requested.memory);
  check('ephemeral-storage', requests.ephemeralStorage, allocatable.ephemeralStorage, requested.ephemeralStorage);
  for (const [name, wanted] of requests.scalars) check(name, wanted, allocatable.scalars.get(name) ?? 0, requested.scalars.get(name) ?? 0);
  return reasons.length > 0 ? { reasons, isUnresolvable } : undefined;
}

/** The free shares of CPU and memory after the placement: leastResourceScorer (noderesources/least_allocated.go). */
function scoreLeastAllocated(requests: Amounts, { allocatable, nonZeroRequested }: NodeInfo): number {
  const scores: number[] = [];
  const add = (capacity: number, requested: number): void => {
    if (capacity === 0) return;
    scores.push(requested > capacity ? 0 : Math.trunc(((capacity - requested) * maxScore) / capacity));
  };
  add(allocatable.milliCPU, nonZeroRequested.milliCPU + requests.milliCPU);
  add(allocatable.memory, nonZeroRequested.memory + requests.memory);
  return scores.length === 0 ? 0 : Math.trunc(scores.reduce((sum, score) => sum + score, 0) / scores.length);
}

export const nodeResourcesBalancedAllocation: Plugin = {
  name: 'NodeResourcesBalancedAllocation',
  weight: 1,
  prepareScore: ({ info: { requests } }) => {
    if (requests.milliCPU === 0 && requests.memory === 0) return undefined;
    return {
      score: ({ allocatable, requested }) => {
        const before = scoreBalance(shareOf(requested.milliCPU, allocatable.milliCPU), shareOf(requested.memory, allocatable.memory));
        const after = scoreBalance(
          shareOf(requested.milliCPU + requests.milliCPU, allocatable.milliCPU),
          shareOf(requested.memory + requests.memory, allocatable.memory),
        );
        return maxScore / 2 + Math.trunc((maxScore / 2 + after - before) / 2);
      },
    };
  },
};

/** The used share of a resource; undefined if the node has none of it. */
const shareOf = (requested: number, allocatable: number): number | undefined =>
  allocatable === 0 ? undefined : Math.min(requested / allocatable, 1);

/** 100 if both shares are equal: balancedResourceScore (noderesources/balanced_allocation.go). */
function scoreBalance(cpu: number | undefined, memory: number | undefined): number {
  const deviation = cpu === undefined || memory === undefined ? 0 : Math.abs((cpu - memory) / 2);
  return Math.trunc((1 - deviation) * maxScore);
}

const mebibyte = 1024 * 1024;
const minThreshold = 23 * mebibyte;
const maxThresholdPerContainer = 1000 * mebibyte;

export const imageLocality: Plugin = {
  name: 'ImageLocality',
  weight: 1,
  prepareScore: ({ pod: { spec }, images, nodes }) => {
    const containers = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
    const volumes = (spec?.volumes ?? []).flatMap(({ image }) => (image ? [image.reference ?? ''] : []));
    const names = [...containers.map(({ image }) => image ?? ''), ...volumes].map(normalizeImageName);
    const states = names.flatMap((name) => images.get(name) ?? []);
    const maxThreshold = maxThresholdPerContainer * containers.length;
    return {
      score: ({ name }) => {
        const sum = states.reduce(
          (total, image) => total + (image.nodes.has(name) ? Math.trunc(image.sizeBytes * (image.nodes.size / nodes.length)) : 0),
          0,
        );
        const limited = sum < minThreshold ? minThreshold : Math.min(sum, maxThreshold);
        return Math.trunc((maxScore * (limited - minThreshold)) / (maxThreshold - minThreshold));
      },
    };
  },
};

/** Adds the tag "latest" to a name without a tag. */
const normalizeImageName = (name: string): string => (name.lastIndexOf(':') <= name.lastIndexOf('/') ? `${name}:latest` : name);
