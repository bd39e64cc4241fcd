import type { ApiObject } from 'kube-endpoints/port';

/**
 * The pod with the condition that an eviction sets before it deletes the pod. Mirrors `addConditionAndDeletePod` (1.36,
 * pkg/registry/core/pod/storage/eviction.go).
 * @param now RFC 3339
 */
export function addDisruptionTarget(pod: ApiObject, now: string): ApiObject {
  const status = (pod['status'] ?? {}) as { readonly conditions?: readonly { readonly type: string }[] };
  const conditions = (status.conditions ?? []).filter(({ type }) => type !== 'DisruptionTarget');
  return { ...pod, status: { ...status, conditions: [...conditions, { ...disruptionTarget, lastTransitionTime: now }] } };
}

const disruptionTarget = { type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI', message: 'Eviction API: evicting' };
