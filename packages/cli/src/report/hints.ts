import { counted, hintsIntent, unmanagedBecause } from 'kube-endpoints/internal';
import type { Node, Service } from 'kube-endpoints/types';
import { profileFor } from 'kube-endpoints/versions';

/** What is not known without nodes, where a Service's slices hang on it. */
export function nodesHint(nodes: readonly Node[] | undefined, services: readonly Service[], version: string): readonly string[] {
  if (nodes) return [];
  const profile = profileFor(version);
  const asking = services.filter((service) => hintsIntent(service, profile).mode !== undefined).length;
  if (asking === 0) return [];
  const which = `${counted(asking, 'Service')} that ${asking === 1 ? 'asks' : 'ask'} for hints`;
  return [`The input holds no Nodes, so that zones are not known and hints of ${which} cannot be told: give nodes, too.`];
}

/** Tells of Services that the controller leaves alone. */
export function unmanagedHints(services: readonly Service[], version: string, objects: 'Endpoints' | 'EndpointSlices'): string[] {
  const profile = profileFor(version);
  const unmanaged = services.filter((service) => unmanagedBecause(service, profile)).length;
  if (unmanaged === 0) return [];
  return [`${counted(unmanaged, 'Service')} without a selector or of type ExternalName: the controller leaves the ${objects} to others.`];
}
