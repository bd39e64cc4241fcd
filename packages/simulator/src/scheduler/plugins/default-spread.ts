import { type LabelRequirement, type LabelSelector, requirementsOf, selectorMatches } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import type { Cache } from '../../controller/controller.ts';
import type { Pod } from '../types.ts';

interface Selecting extends ApiObject {
  readonly spec?: { readonly selector?: unknown };
}

/**
 * The pods that a pod is spread from by default: those of its Services and of its controller. Empty without both: DefaultSelector
 * (1.36, plugins/helper/spread.go).
 */
export function defaultSelectorOf(pod: Pod, cache: Cache): LabelRequirement[] {
  const namespace = pod.metadata.namespace ?? '';
  const services = cache.list<Selecting>('Service', namespace).flatMap(({ spec }) => {
    const matchLabels = spec?.selector as Record<string, string> | undefined;
    return matchLabels && selectorMatches({ matchLabels }, pod.metadata.labels ?? {}) ? [matchLabels] : [];
  });
  const labels = Object.assign({}, ...services) as Record<string, string>;
  const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true);
  const controller = owner && controllerKinds[`${owner['apiVersion']}/${owner['kind']}`];
  const selector = controller && cache.get<Selecting>(owner['kind'] as string, namespace, owner['name'] as string)?.spec?.selector;
  if (controller === 'labels') Object.assign(labels, selector ?? {});
  const ofController = controller === 'selector' && selector ? requirementsOf(selector as LabelSelector) : [];
  return [...requirementsOf({ matchLabels: labels }), ...ofController];
}

/** The form of the selectors of controllers. */
const controllerKinds: Readonly<Record<string, 'labels' | 'selector'>> = {
  'v1/ReplicationController': 'labels',
  'apps/v1/ReplicaSet': 'selector',
  'apps/v1/StatefulSet': 'selector',
};
