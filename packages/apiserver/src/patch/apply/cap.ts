import { compareText } from 'kube-endpoints/internal/apimachinery';
import { union } from './field-set.ts';
import { identifierOf, type ManagedFields, secondsOf } from './managed-fields.ts';

export const maxUpdateManagers = 10;

/**
 * Merges the oldest updates into one entry per API version until the limit is met. Mirrors capUpdateManagers (1.36,
 * apimachinery/pkg/util/managedfields/internal/capmanagers.go).
 */
export function capUpdateManagers(managedFields: ManagedFields): ManagedFields {
  if (managedFields.managers.size <= maxUpdateManagers) return managedFields;
  const managers = new Map(managedFields.managers);
  const times = new Map(managedFields.times);
  const updaters = [...managers].filter(([, { applied }]) => !applied).map(([identifier]) => identifier);
  updaters.sort((left, right) => secondsOf(times.get(left)) - secondsOf(times.get(right)) || compareText(left, right));
  const firstUpdaters = new Map<string, string>();
  let count = updaters.length;
  for (const updater of updaters) {
    const fieldsOfUpdater = managers.get(updater);
    if (count <= maxUpdateManagers || fieldsOfUpdater === undefined) break;
    const { apiVersion } = fieldsOfUpdater;
    const firstUpdater = firstUpdaters.get(apiVersion);
    if (firstUpdater === undefined) {
      firstUpdaters.set(apiVersion, updater);
      continue;
    }
    const bucket = identifierOf({ manager: 'ancient-changes', operation: 'Update', apiVersion });
    const existing = managers.get(bucket) ?? managers.get(firstUpdater);
    if (!managers.has(bucket)) {
      managers.delete(firstUpdater);
    }
    managers.set(bucket, existing === undefined ? fieldsOfUpdater : { ...fieldsOfUpdater, set: union(fieldsOfUpdater.set, existing.set) });
    // If the updater is the bucket of an earlier merge, this deletes the bucket.
    managers.delete(updater);
    count -= 1;
    const time = times.get(updater);
    times.delete(bucket);
    if (time !== undefined) {
      times.set(bucket, time);
    }
  }
  return { managers, times };
}
