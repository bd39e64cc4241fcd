import { printQuantity } from 'kube-endpoints/internal/apimachinery';
import { type ApiObject, hasReason, type Resource } from 'kube-endpoints/port';
import { countsResource, formatOf, groupResourceOf, matchesScopes, resourceQuotas, usageOf } from '../quota/index.ts';
import { type Registry, serviceAccount } from '../registry/index.ts';
import { child, type Fields, list, sameValue } from '../resources/field/read.ts';
import type { Clock, StoreWrite } from '../store/index.ts';
import type { Controller } from './loop.ts';

/**
 * Sets the status of ResourceQuotas: the limits of the spec, and the usage of the namespace. Admission adds to the usage; this controller
 * subtracts what is deleted. Mirrors pkg/controller/resourcequota (1.36).
 */
export function createResourceQuotaController(registry: Registry, clock: Clock): Controller {
  const user = serviceAccount('resourcequota-controller');
  return {
    keysOf({ resource, current, previous }: StoreWrite) {
      const { namespace } = ((current ?? previous) as ApiObject).metadata;
      if (namespace === undefined) return [];
      const isQuota = groupResourceOf(resource) === 'resourcequotas';
      if (isQuota) return current && !sameValue(current['spec'], previous?.['spec']) ? [namespace] : [];
      return isReplenished(resource, current, previous) && registry.store.list(resourceQuotas, { namespace }).items.length > 0
        ? [namespace]
        : [];
    },
    async reconcile(namespace) {
      for (const quota of registry.store.list(resourceQuotas, { namespace }).items) {
        const status = computeStatus(registry, quota, clock.now());
        if (sameValue(status, child(quota, 'status'))) continue;
        const key = { namespace, name: quota.metadata.name ?? '' };
        try {
          await registry.update(resourceQuotas, key, (current) => ({ ...(current as ApiObject), status }), { user, subresource: 'status' });
        } catch (error) {
          if (!hasReason(error, 'NotFound', 'Conflict')) throw error;
        }
      }
    },
  };
}

/** Whether a write may free usage: a deletion, or a pod that has finished, or has another scope or other resources. */
function isReplenished(resource: Resource, current: ApiObject | undefined, previous: ApiObject | undefined): boolean {
  if (!current) return true;
  if (!previous || resource.group !== '') return false;
  return resource.plural === 'pods'
    ? !sameValue(quotaFieldsOf(current), quotaFieldsOf(previous))
    : ['services', 'persistentvolumeclaims'].includes(resource.plural);
}

/** The fields of a pod that an update may change, and on which its usage and its scopes depend. */
function quotaFieldsOf(pod: ApiObject): readonly unknown[] {
  const status = child(pod, 'status');
  const resources = ['containerStatuses', 'initContainerStatuses'].map((name) => list(status, name).map((each) => each['resources']));
  return [status['phase'], child(pod, 'spec')['activeDeadlineSeconds'], ...resources];
}

function computeStatus({ store, resources, strategyFor }: Registry, quota: ApiObject, now: number): Fields {
  const hard = child(child(quota, 'spec'), 'hard');
  const totals = new Map(Object.keys(hard).map((name) => [name, 0n]));
  for (const resource of resources) {
    const groupResource = groupResourceOf(resource);
    if (strategyFor(resource).storedAs || !resource.namespaced || ![...totals.keys()].some((name) => countsResource(name, groupResource)))
      continue;
    for (const object of store.list(resource, { namespace: quota.metadata.namespace ?? '' }).items) {
      if (!matchesScopes(quota, groupResource, object)) continue;
      for (const [name, nanos] of usageOf(groupResource, object, now))
        if (totals.has(name)) totals.set(name, (totals.get(name) ?? 0n) + nanos);
    }
  }
  const used = Object.fromEntries([...totals].map(([name, nanos]) => [name, printQuantity(nanos, formatOf(String(hard[name])))]));
  return totals.size === 0 ? {} : { hard, used };
}
