import type { Optional, Pod, Service, StringMap } from '../types/index.ts';
import type { Profile } from '../versions/index.ts';

/** Why the endpoints controller does not manage a Service's Endpoints. */
export type UnmanagedCode = 'ServiceIsExternalName' | 'ServiceHasNoSelector';

/**
 * Returns why the endpoints controller does not manage a Service; undefined if the controller manages it.
 * An empty selector, unlike an absent one, selects every pod of the namespace.
 *
 * Mirrors the start of syncService (1.36, pkg/controller/endpoint/endpoints_controller.go).
 */
export function unmanagedCodeOf(service: Service, profile: Profile): UnmanagedCode | undefined {
  if (profile.externalNameSkipped && service.spec?.type === 'ExternalName') return 'ServiceIsExternalName';
  return service.spec?.selector ? undefined : 'ServiceHasNoSelector';
}

/** Selects the pods of the Service's namespace that carry every label of its selector, in the order given; none without a selector. */
export const selectPods = (service: Service, pods: readonly Pod[]): Pod[] => pods.filter(createPodMatcher(service));

/** Creates a function that tests whether a pod is in the Service's namespace and carries every label of its selector. */
export function createPodMatcher(service: Service): (pod: Pod) => boolean {
  const namespace = service.metadata?.namespace;
  const matches = createLabelMatcher(service.spec?.selector);
  return (pod) => isInNamespace(pod, namespace) && matches(pod.metadata?.labels);
}

/** Whether a pod is in a namespace. Absent and empty names are equal. */
export const isInNamespace = (pod: Pod, namespace: Optional<string>): boolean => (pod.metadata?.namespace || '') === (namespace || '');

/** Creates a function that tests labels against a selector. An absent selector matches nothing, an empty one everything. */
export function createLabelMatcher(selector: Optional<StringMap>): (labels: Optional<StringMap>) => boolean {
  if (!selector) return () => false;
  const keys = Object.keys(selector);
  const [firstKey] = keys;
  if (firstKey === undefined) return () => true;
  const value = selector[firstKey] as string;
  if (keys.length === 1) return (labels) => labels?.[firstKey] === value;
  // copied, because the caller owns the selector and may change it
  const values = keys.map((each) => selector[each]);
  return (labels) => !!labels && keys.every((key, i) => labels[key] === values[i]);
}
