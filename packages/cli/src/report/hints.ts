import { formatCount, hintsIntent, unmanagedCodeOf } from 'kube-endpoints/internal';
import type { Node, Service } from 'kube-endpoints/types';
import { profileFor } from 'kube-endpoints/versions';

/** A message that topology hints are unknown without nodes, if a Service requests them. */
export function nodesHint(nodes: readonly Node[] | undefined, services: readonly Service[], version: string): readonly string[] {
  if (nodes) return [];
  const profile = profileFor(version);
  const requestCount = services.filter((service) => hintsIntent(service, profile).mode !== undefined).length;
  if (requestCount === 0) return [];
  const subject = `${formatCount(requestCount, 'Service')} that ${requestCount === 1 ? 'asks' : 'ask'} for hints`;
  return [`The input has no Nodes, so zones are unknown and hints of ${subject} cannot be computed: add the Nodes.`];
}

/** A message about Services whose objects the controller does not manage. */
export function unmanagedHints(services: readonly Service[], version: string, objects: 'Endpoints' | 'EndpointSlices'): string[] {
  const profile = profileFor(version);
  const unmanaged = services.filter((service) => unmanagedCodeOf(service, profile)).length;
  if (unmanaged === 0) return [];
  return [
    `${formatCount(unmanaged, 'Service')} without a selector or of type ExternalName: the controller does not write ${objects} for ${unmanaged === 1 ? 'it' : 'them'}.`,
  ];
}
