import { describe, expect, it } from 'vitest';
import { createCluster } from '../../../src/trace/cluster.ts';
import type { TraceObjects } from '../../../src/trace/index.ts';
import { portsOf } from '../../../src/trace/way/ports.ts';
import { findViewpoints } from '../../../src/trace/way/viewpoints.ts';
import { makeCluster, makePod, makeService, nodes, shop } from '../shop.ts';

const placesIn = (objects: TraceObjects, node?: string, role: 'cluster' | 'nodePort' = 'cluster', address = '10.96.0.10') => {
  const [service] = objects.services;
  const [port] = service ? portsOf(service) : [];
  if (!service || !port) throw new Error('there is a Service with a port');
  const origin = { namespace: 'shop', ...(node !== undefined && { node }) };
  return findViewpoints({ kind: 'service', service, address, role }, port, origin, createCluster(objects, {}));
};
const local = makeService('web', { internalTrafficPolicy: 'Local' });

describe('findViewpoints', () => {
  it('returns any node if all nodes behave alike, or else the requested node', () => {
    expect(placesIn(shop).map((place) => [place.nodes, place.zone])).toEqual([[[], '']]);
    expect(placesIn(shop, 'n3').map((place) => [place.nodes, place.zone])).toEqual([[['n3'], 'zone-b']]);
  });

  it('groups nodes of one zone that have no endpoints', () => {
    const more = [4, 5].map((number) => ({ metadata: { name: `n${number}`, labels: nodes[2]?.metadata?.labels ?? {} } }));
    const objects = makeCluster([local], [makePod('web-1', 1)], { nodes: [...nodes, ...more] });
    expect(placesIn(objects).map((place) => place.nodes)).toEqual([['n1'], ['n2'], ['n3', 'n4', 'n5']]);
  });

  it('returns any node if no nodes are known', () => {
    expect(placesIn(makeCluster([local], [], { nodes: undefined })).map((place) => place.nodes)).toEqual([[]]);
  });

  it('returns the node that owns the address of a node port', () => {
    expect(placesIn(shop, 'n1', 'nodePort', '192.168.0.2').map((place) => place.nodes)).toEqual([['n2']]);
  });

  it('is empty if the Service has no cluster IP of the family', () => {
    expect(placesIn(shop, undefined, 'cluster', 'fd00::10')).toEqual([]);
  });

  it('reports which endpoints are used, and why', () => {
    const [place] = placesIn(makeCluster([local], [makePod('web-1', 1), makePod('web-2', 2)]), 'n1');
    expect(place?.endpoints.map(({ endpoint, code, isUsed }) => [endpoint.ip, code, isUsed])).toEqual([
      ['10.1.0.1', 'Ready', true],
      ['10.1.0.2', 'NotLocal', false],
    ]);
  });
});
