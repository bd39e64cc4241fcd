import { describe, expect, it } from 'vitest';
import { createCluster } from '../../../src/trace/cluster.ts';
import type { TraceObjects } from '../../../src/trace/index.ts';
import { portsOf } from '../../../src/trace/steps/ports.ts';
import { findViewpoints } from '../../../src/trace/steps/viewpoints.ts';
import { makeCluster, makePod, makeService, nodes, shop } from '../shop.ts';

const viewpointsIn = (
  objects: TraceObjects,
  node?: string,
  role: 'cluster' | 'nodePort' = 'cluster',
  address = '10.96.0.10',
  version = '1.37',
) => {
  const [service] = objects.services;
  const [port] = service ? portsOf(service) : [];
  if (!service || !port) throw new Error('the fixture needs a Service with a port');
  const origin = { namespace: 'shop', ...(node !== undefined && { node }) };
  return findViewpoints({ kind: 'service', service, address, role }, port, origin, createCluster(objects, { version }));
};
const localService = makeService('web', { internalTrafficPolicy: 'Local' });

describe('findViewpoints', () => {
  it('returns "any node" if all nodes have the same result, else the requested node', () => {
    expect(viewpointsIn(shop).map((viewpoint) => [viewpoint.nodes, viewpoint.zone])).toEqual([[[], '']]);
    expect(viewpointsIn(shop, 'n3').map((viewpoint) => [viewpoint.nodes, viewpoint.zone])).toEqual([[['n3'], 'zone-b']]);
  });

  it('groups the nodes of a zone that have no endpoints', () => {
    const more = [4, 5].map((number) => ({ metadata: { name: `n${number}`, labels: nodes[2]?.metadata?.labels ?? {} } }));
    const objects = makeCluster([localService], [makePod('web-1', 1)], { nodes: [...nodes, ...more] });
    expect(viewpointsIn(objects).map((viewpoint) => viewpoint.nodes)).toEqual([['n1'], ['n2'], ['n3', 'n4', 'n5']]);
  });

  it('returns "any node" if no nodes are known', () => {
    expect(viewpointsIn(makeCluster([localService], [], { nodes: undefined })).map((viewpoint) => viewpoint.nodes)).toEqual([[]]);
  });

  it('returns the node that owns the address of a node port', () => {
    expect(viewpointsIn(shop, 'n1', 'nodePort', '192.168.0.2').map((viewpoint) => viewpoint.nodes)).toEqual([['n2']]);
  });

  it('returns nothing if the Service has no cluster IP of the family', () => {
    expect(viewpointsIn(shop, undefined, 'cluster', 'fd00::10')).toEqual([]);
  });

  it.each([
    ['1.16', '10.1.0.9:8080'],
    ['1.18', '10.1.0.9:8080'],
    ['1.19', '10.1.0.1:8080'],
  ])('uses the Endpoints or the slices that kube-proxy %s reads', (version, expected) => {
    const endpoints = [
      {
        metadata: { namespace: 'shop', name: 'web' },
        subsets: [{ addresses: [{ ip: '10.1.0.9', nodeName: 'n2' }], ports: [{ name: 'http', port: 8080, protocol: 'TCP' }] }],
      },
    ];
    const cluster = makeCluster([localService], [makePod('web-1', 1)], { endpoints });
    const viewpoints = viewpointsIn(cluster, 'n1', 'cluster', '10.96.0.10', version);
    expect(viewpoints.flatMap((viewpoint) => viewpoint.endpoints.map(({ endpoint }) => endpoint.text))).toEqual([expected]);
  });

  it.each([
    ['1.20', ['Ready', 'Ready']],
    ['1.30', ['Ready', 'Ready']],
    ['1.31', ['Ready', 'HintsOtherZone']],
  ])('applies the rules of kube-proxy %s', (version, codes) => {
    const cluster = makeCluster([makeService('web')], [makePod('web-1', 1), makePod('web-3', 3)]);
    const withHints = cluster.slices?.map((slice) => ({
      ...slice,
      endpoints: slice.endpoints?.map((endpoint, index) => ({
        ...endpoint,
        hints: { forZones: [{ name: index === 0 ? 'zone-a' : 'zone-b' }] },
      })),
    }));
    const [viewpoint] = viewpointsIn({ ...cluster, slices: withHints }, 'n1', 'cluster', '10.96.0.10', version);
    expect(viewpoint?.endpoints.map(({ code }) => code)).toStrictEqual(codes);
  });

  it('reports which endpoints are used, and why', () => {
    const [viewpoint] = viewpointsIn(makeCluster([localService], [makePod('web-1', 1), makePod('web-2', 2)]), 'n1');
    expect(viewpoint?.endpoints.map(({ endpoint, code, isUsed }) => [endpoint.ip, code, isUsed])).toEqual([
      ['10.1.0.1', 'Ready', true],
      ['10.1.0.2', 'NotLocal', false],
    ]);
  });
});
