import { hintsIntent, zoneLabel } from '../../core/index.ts';
import type { EndpointSliceInput, Node, Pod, Service } from '../../types/index.ts';
import { profileFor } from '../../versions/index.ts';
import { counted } from '../print/text.ts';

/**
 * The nodes that slices of the input are compared under. Where the input holds none, nothing can be said against the node
 * of any pod, and its zone is taken from the slices that name the node.
 */
export function nodesBehind(
  nodes: readonly Node[] | undefined,
  pods: readonly Pod[],
  slices: readonly EndpointSliceInput[],
): readonly Node[] {
  if (nodes) return nodes;
  const zones = new Map<string, string | undefined>(pods.map(({ spec }) => [spec?.nodeName ?? '', undefined]));
  for (const { endpoints } of slices) {
    for (const { nodeName, zone } of endpoints ?? []) if (nodeName && zone) zones.set(nodeName, zone);
  }
  return [...zones].map(([name, zone]) => ({ metadata: { name, ...(zone !== undefined && { labels: { [zoneLabel]: zone } }) } }));
}

/** What is not known without nodes, where a Service's slices hang on it. */
export function nodesHint(nodes: readonly Node[] | undefined, services: readonly Service[], version: string): readonly string[] {
  if (nodes) return [];
  const profile = profileFor(version);
  const asking = services.filter((service) => hintsIntent(service, profile).mode !== undefined).length;
  if (asking === 0) return [];
  const which = `${counted(asking, 'Service')} that ${asking === 1 ? 'asks' : 'ask'} for hints`;
  return [`The input holds no Nodes, so that zones are not known and hints of ${which} cannot be told: give nodes, too.`];
}
