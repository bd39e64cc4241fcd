import { describe, expect, it } from 'vitest';
import type { TraceObjects } from '../../../src/trace/index.ts';
import { codesOf, makeCluster, makePod, makeService, nodes, runTrace, stepOf } from '../shop.ts';

const loadBalancerService = makeService(
  'web',
  {
    type: 'LoadBalancer',
    externalTrafficPolicy: 'Local',
    healthCheckNodePort: 32000,
    ports: [{ name: 'http', port: 80, targetPort: 8080, nodePort: 30080 }],
  },
  { status: { loadBalancer: { ingress: [{ ip: '198.51.100.1', ipMode: 'Proxy' }] } } },
);
const nodesWithPodCIDRs = nodes.map((node, index) => ({
  ...node,
  spec: index === 0 ? { podCIDR: '10.1.0.0/25' } : { podCIDRs: [`10.2.${index}.0/24`] },
}));
const objects: TraceObjects = makeCluster([loadBalancerService], [makePod('web-1', 1)], {
  nodes: nodesWithPodCIDRs,
  serviceCIDRs: [{ spec: { cidrs: ['10.96.0.0/16', 'fd00:1::/108'] } }, {}],
});
const summarize = (target: string) => {
  const trace = runTrace(target, objects);
  return [trace.outcome, stepOf(trace, 'service').outcome, ...codesOf(trace, 'service')];
};

describe('a trace to an address without Service and pod', () => {
  it.each([
    ['8.8.8.8:53', 'outside', 'warning', 'AddressUnknown'],
    ['10.96.1.1:80', 'unreachable', 'error', 'ClusterIPUnused'],
    ['[fd00:1::7]:80', 'unreachable', 'error', 'ClusterIPUnused'],
    ['10.97.0.1:80', 'outside', 'warning', 'AddressUnknown'],
    ['10.1.0.77:80', 'unreachable', 'error', 'PodIPUnused'],
    ['10.2.1.9:80', 'unreachable', 'error', 'PodIPUnused'],
    ['192.168.0.1', 'unreachable', 'error', 'AddressOfNode'],
    ['192.168.0.1:30081', 'unreachable', 'error', 'NodePortNotFound'],
    ['192.168.0.1:22', 'outside', 'warning', 'NodePortNotFound'],
    ['192.168.0.1:32000', 'outside', 'warning', 'NodePortNotFound'],
    ['198.51.100.1:80', 'outside', 'ok', 'LoadBalancerNotTraced'],
  ])('reports %s as %s', (target, ...expected) => {
    expect(summarize(target)).toEqual(expected);
  });

  it('explains the result in the verdict', () => {
    expect(runTrace('192.168.0.1:22', objects).verdict).toBe(
      '192.168.0.1:22 leads to no Service and no pod: 192.168.0.1 is the address of node n1, but no Service has the node port 22; another program may listen on it.',
    );
    expect(runTrace('198.51.100.1:80', objects).verdict).toBe(
      '198.51.100.1:80 leads outside the cluster, to the load balancer of Service shop/web.',
    );
  });
});
