import { formatCount, hintsIntent, unmanagedCodeOf } from 'kube-endpoints/internal';
import type { Node, Service } from 'kube-endpoints/types';
import { profileFor } from 'kube-endpoints/versions';
import type { Release } from '../flags/common.ts';
import { policyKinds } from '../input/related-kinds.ts';
import type { LoadedObjects } from '../live/read-objects.ts';

/** Returns a message that topology hints are unknown if the input has no nodes and a Service requests hints; otherwise none. */
export function createUnknownZonesHints(
  nodes: readonly Node[] | undefined,
  services: readonly Service[],
  { version, featureGates }: Release,
): readonly string[] {
  if (nodes) return [];
  const profile = profileFor(version, featureGates);
  const hintedCount = services.filter((service) => hintsIntent(service, profile).mode !== undefined).length;
  if (hintedCount === 0) return [];
  const subject = `${formatCount(hintedCount, 'Service')} that ${hintedCount === 1 ? 'asks' : 'ask'} for hints`;
  return [`The input has no Nodes, so zones are unknown and hints of ${subject} cannot be computed: add the Nodes.`];
}

/** Returns a message about the Services whose objects the controller does not manage; none if it manages the objects of all. */
export function createUnmanagedHints(
  services: readonly Service[],
  { version, featureGates }: Release,
  objects: 'Endpoints' | 'EndpointSlices',
): string[] {
  const profile = profileFor(version, featureGates);
  const unmanagedCount = services.filter((service) => unmanagedCodeOf(service, profile)).length;
  if (unmanagedCount === 0) return [];
  return [
    `${formatCount(unmanagedCount, 'Service')} without a selector or of type ExternalName: the controller does not write ${objects} for ${unmanagedCount === 1 ? 'it' : 'them'}.`,
  ];
}

/**
 * Returns messages about what files lack, so that the answer may be wrong or incomplete. In a live cluster, absent objects do not exist.
 * @param hasFindings whether something is wrong anyway: then it does not matter that other problems are unknown
 */
export function createCaveats({ inventory, live }: Pick<LoadedObjects, 'inventory' | 'live'>, hasFindings: boolean): string[] {
  const { services, pods, nodes, templatePods, related } = inventory;
  if (live || services.length === 0) return [];
  const hasSelectors = services.some(({ spec }) => Object.keys(spec?.selector ?? {}).length > 0);
  const areTemplates = templatePods.size > 0;
  const hasPolicies = policyKinds.some((kind) => related[kind].length > 0);
  // Before a deployment, files have no nodes.
  const missing = [...(nodes || areTemplates ? [] : ['Nodes']), ...(hasPolicies ? [] : ['network policies'])];
  return [
    ...(areTemplates
      ? [
          `The input has no Pods: the templates of ${formatCount(templatePods.size, 'workload')} are used as if their pods ran and were ready.`,
        ]
      : pods.length === 0 && hasSelectors
        ? ['The input has no Pods, so the endpoints of Services with a selector are unknown: add the Pods.']
        : []),
    ...(missing.length > 0 && !hasFindings
      ? [`The input has no ${missing.join(' and no ')}: problems that only these show are unknown.`]
      : []),
  ];
}
