import type { ProxyNode } from './objects.ts';
import type { EndpointView } from './view.ts';

/**
 * Returns whether an endpoint matches topologyKeys of its Service: the first key for which any endpoint and the node have the same value
 * decides, and "*" matches all endpoints. Undefined if all match. Mirrors deprecatedTopologyFilter (1.21, pkg/proxy/topology.go).
 */
export function createTopologyFilter(
  endpoints: readonly EndpointView[],
  topologyKeys: readonly string[],
  { labels }: Pick<ProxyNode, 'labels'>,
): ((endpoint: EndpointView) => boolean) | undefined {
  if (topologyKeys.length === 0) return undefined;
  const values = new Map(Object.entries(labels ?? {}));
  if (values.size === 0 && topologyKeys.at(-1) !== anyTopology) return () => false;
  for (const key of topologyKeys) {
    if (key === anyTopology || values.size === 0) return undefined;
    const matches = ({ topology }: EndpointView): boolean =>
      values.has(key) && topology !== undefined && Object.hasOwn(topology, key) && topology[key] === values.get(key);
    if (endpoints.some(matches)) return matches;
  }
  return () => false;
}

const anyTopology = '*';
