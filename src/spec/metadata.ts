import { compareText } from '../apimachinery/compare.ts';
import type { Optional, Service, StringMap } from '../types/index.ts';
import type { Profile } from '../versions/index.ts';
import type { OverCapacity } from './capacity.ts';
import { sameMap } from './equal.ts';

/** Labels and annotations that the endpoints controller sets itself. */
export const headlessLabel = 'service.kubernetes.io/headless';
export const managedByLabel = 'endpoints.kubernetes.io/managed-by';
export const managedByController = 'endpoint-controller';
export const triggerTimeAnnotation = 'endpoints.kubernetes.io/last-change-trigger-time';
export const overCapacityAnnotation = 'endpoints.kubernetes.io/over-capacity';

/** Computes the labels of a Service's Endpoints: the Service's own labels, the headless label if headless, and the managed-by label. */
export function labelsFor(service: Service, profile: Profile): Record<string, string> {
  const entries = Object.entries(service.metadata?.labels ?? {}).filter(
    ([key]) => !(profile.headlessLabelSet && key === headlessLabel) && !(profile.managedByLabel && key === managedByLabel),
  );
  if (profile.headlessLabelSet && isHeadless(service)) entries.push([headlessLabel, '']);
  if (profile.managedByLabel) entries.push([managedByLabel, managedByController]);
  return toSortedMap(entries);
}

/** Whether a Service has no cluster IP. Mirrors !IsServiceIPSet (pkg/apis/core/v1/helper/helpers.go). */
export const isHeadless = (service: Service): boolean => !service.spec?.clusterIP || service.spec.clusterIP === 'None';

/** Computes the annotations after a write: the existing ones, with the controller's own annotations set or removed. */
export function annotationsFor(
  current: Optional<StringMap>,
  triggerTime: string | undefined,
  overCapacity: OverCapacity | undefined,
  profile: Profile,
): Record<string, string> {
  if (!profile.triggerTimeAnnotated) return toSortedMap(Object.entries(current ?? {}));
  const ownedKeys = profile.overCapacityWarned ? [triggerTimeAnnotation, overCapacityAnnotation] : [triggerTimeAnnotation];
  const entries = Object.entries(current ?? {}).filter(([key]) => !ownedKeys.includes(key));
  if (triggerTime !== undefined) entries.push([triggerTimeAnnotation, triggerTime]);
  if (overCapacity) entries.push([overCapacityAnnotation, overCapacity]);
  return toSortedMap(entries);
}

/**
 * Whether the labels of the existing object need no write.
 *
 * Mirrors labelsCorrectForEndpoints (1.33, pkg/controller/endpoint/endpoints_controller.go) and the comparisons before it,
 * including their bug: if the headless label is not compared, a Service that carries it itself never compares equal.
 */
export function areLabelsCorrect(current: Optional<StringMap>, service: Service, profile: Profile): boolean {
  const serviceLabels = service.metadata?.labels;
  if (profile.managedByLabel) {
    if (current?.[managedByLabel] !== managedByController) return false;
    const inheritedLabels = omitKeys(current, headlessLabel, managedByLabel);
    // Upstream does not strip these two labels from the Service, so a Service with one of them never compares equal.
    return sameMap(inheritedLabels, serviceLabels);
  }
  return sameMap(profile.headlessLabelNotCompared ? omitKeys(current, headlessLabel) : current, serviceLabels);
}

/**
 * The Service as later syncs find it in the cache after a write of its Endpoints: before `serviceLabelsNotMutated`, with the labels of the
 * Endpoints if it has labels. Mirrors the label mutation of syncService (1.16.0, pkg/controller/endpoint/endpoints_controller.go).
 */
export function mutateLabels(service: Service, profile: Profile): Service {
  if (!service.metadata?.labels || !profile.headlessLabelSet || profile.serviceLabelsNotMutated) return service;
  return { ...service, metadata: { ...service.metadata, labels: labelsFor(service, profile) } };
}

/** Copies a map without the given keys. */
export const omitKeys = (map: Optional<StringMap>, ...keys: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(map ?? {}).filter(([key]) => !keys.includes(key)));

/** Creates a map with sorted keys. `Object.fromEntries` treats `__proto__` as a normal key. */
export const toSortedMap = (entries: [string, string][]): Record<string, string> =>
  Object.fromEntries(entries.sort(([a], [b]) => compareText(a, b)));
