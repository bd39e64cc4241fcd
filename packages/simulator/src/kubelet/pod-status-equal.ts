import { isOwnedByKubelet } from 'kube-endpoints/internal';
import { compareText, semanticEqual } from 'kube-endpoints/internal/apimachinery';
import type { ContainerStatus, PodStatus } from 'kube-endpoints/types';

/**
 * Whether two statuses are equal in what the kubelet writes: conditions of other owners, times of conditions, and the statuses of resource claims do
 * not count. Mirrors `isPodStatusByKubeletEqual` after `normalizeStatus` (1.36, pkg/kubelet/status/status_manager.go).
 */
export const isKubeletStatusEqual = (a: PodStatus, b: PodStatus): boolean => semanticEqual(toComparable(a), toComparable(b));

function toComparable(status: PodStatus): object {
  const { conditions, containerStatuses, initContainerStatuses, ...rest } = status;
  const owned = (conditions ?? []).filter(({ type }) => isOwnedByKubelet(type) || type === 'DisruptionTarget');
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([name]) => !foreignFields.includes(name))),
    conditions: Object.fromEntries(owned.map(({ type, status: value, reason, message }) => [type, { value, reason, message }])),
    containerStatuses: sortByName(containerStatuses),
    initContainerStatuses: sortByName(initContainerStatuses),
  };
}

const foreignFields: readonly string[] = ['resourceClaimStatuses', 'extendedResourceClaimStatus', 'nodeAllocatableResourceClaimStatuses'];

const sortByName = (statuses: PodStatus['containerStatuses']): ContainerStatus[] =>
  [...(statuses ?? [])].sort((a, b) => compareText(a.name ?? '', b.name ?? ''));
