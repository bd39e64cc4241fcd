import { zoneLabel } from 'kube-endpoints/internal';
import type { EndpointSliceInput, Node, Pod } from 'kube-endpoints/types';

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
