import { describe, expect, it } from 'vitest';
import { describeNodes } from '../../../src/trace/steps/policy.ts';
import {
  codesOf,
  crashingStatus,
  labelsOf,
  leftOutOf,
  makeCluster,
  makePod,
  makeService,
  outcomesOf,
  runTrace,
  stepOf,
  withEndpoints,
} from '../shop.ts';

const pods = [makePod('web-1', 1), makePod('web-4', 4), makePod('frontend-1', 9)];
const clusterWithLocalPolicy = makeCluster([makeService('web', { internalTrafficPolicy: 'Local' })], pods);
const clusterWithHints = (() => {
  const objects = makeCluster([makeService('web')], [makePod('web-1', 1), makePod('web-2', 2), makePod('web-3', 3)]);
  const hintedSlices = withEndpoints(objects.slices ?? [], (endpoint) => ({
    ...endpoint,
    hints: { forZones: [{ name: endpoint.zone ?? '' }] },
  }));
  return { ...objects, slices: hintedSlices };
})();

describe('the policy step with policy Cluster', () => {
  it('returns the same result for every node', () => {
    const trace = runTrace('10.96.0.10', makeCluster([makeService('web')], pods));
    expect(stepOf(trace, 'policy')).toMatchObject({ title: 'Rules of any node', outcome: 'ok' });
    expect([codesOf(trace, 'policy'), labelsOf(trace, 'policy')]).toEqual([
      ['FromAnyNode', 'InternalPolicyCluster'],
      ['any node: 2 endpoints'],
    ]);
    expect(trace.verdict).toBe('10.96.0.10 reaches 2 endpoints of Service shop/web.');
  });

  it('reports session affinity by client IP', () => {
    const sessionAffinityConfig = { clientIP: { timeoutSeconds: 60 } };
    const trace = runTrace('10.96.0.10', makeCluster([makeService('web', { sessionAffinity: 'ClientIP', sessionAffinityConfig })], pods));
    expect(stepOf(trace, 'policy').notes.at(-1)).toMatchObject({
      code: 'SessionAffinityApplies',
      message: expect.stringContaining('for 60 s'),
    });
  });
});

describe('the policy step with policy Local', () => {
  it('reaches the endpoints of the node that the request comes from', () => {
    const trace = runTrace('10.96.0.10', clusterWithLocalPolicy, { node: 'n1' });
    expect(codesOf(trace, 'policy')).toEqual(['FromNode', 'InternalPolicyLocal']);
    expect(stepOf(trace, 'policy').notes[0]?.message).toBe('Traced from node n1 in zone zone-a.');
    expect([trace.outcome, labelsOf(trace, 'policy')]).toEqual(['reached', ['n1 in zone-a: 2 endpoints']]);
  });

  it('reaches nothing from a node without endpoints', () => {
    const trace = runTrace('10.96.0.10', clusterWithLocalPolicy, { from: 'pod/frontend-1' });
    expect(trace.verdict).toBe(
      '10.96.0.10 reaches nothing from pod/frontend-1: node n3 has no usable endpoint, and the traffic policy allows no other node.',
    );
    expect(stepOf(trace, 'policy').leftOut[0]).toMatchObject({
      id: 'node/n3',
      notes: [{ code: 'NoEndpointOnNode', remedy: expect.stringContaining('set service.spec.internalTrafficPolicy to Cluster') }],
    });
    expect(leftOutOf(trace, 'endpoints')).toEqual(['web-1 10.1.0.1:8080: NotLocal', 'web-4 10.1.0.4:8080: NotLocal']);
  });

  it('evaluates each group of nodes if no node is given', () => {
    const trace = runTrace('10.96.0.10', clusterWithLocalPolicy);
    expect([trace.outcome, codesOf(trace, 'policy')]).toEqual(['degraded', ['FromEachNode', 'InternalPolicyLocal']]);
    expect(labelsOf(trace, 'policy')).toEqual(['n1 in zone-a: 2 endpoints']);
    expect(leftOutOf(trace, 'policy')).toEqual([
      'n2 in zone-a: 0 endpoints: NoEndpointOnNode',
      'n3 in zone-b: 0 endpoints: NoEndpointOnNode',
    ]);
    expect(trace.verdict).toContain('n2, n3 have no usable endpoint');
    expect(stepOf(trace, 'endpoints').chosen[0]?.notes).toMatchObject([{ code: 'UsedFrom', message: 'Used from n1.' }]);
  });

  it('uses the nodes in the slices if no nodes are given', () => {
    const trace = runTrace('10.96.0.10', { ...clusterWithLocalPolicy, nodes: undefined });
    expect([trace.outcome, labelsOf(trace, 'policy')]).toEqual(['reached', ['n1 in zone-a: 2 endpoints']]);
  });

  it('reports no problem if no endpoint is ready on any node', () => {
    const trace = runTrace(
      '10.96.0.10',
      makeCluster([makeService('web', { internalTrafficPolicy: 'Local' })], [makePod('web-1', 1, { status: crashingStatus })]),
    );
    expect(outcomesOf(trace)).toContain('policy ok, endpoints error');
  });
});

describe('the policy step with hints', () => {
  it('keeps traffic in the zone', () => {
    const trace = runTrace('10.96.0.10', clusterWithHints, { node: 'n1' });
    expect(stepOf(trace, 'policy').notes.at(-1)).toMatchObject({
      code: 'HintsApplied',
      message: 'Topology hints restrict traffic to zone zone-a; ready endpoints in use: 2 of 3.',
    });
    expect([trace.outcome, leftOutOf(trace, 'endpoints')]).toEqual(['reached', ['web-3 10.1.0.3:8080: HintsOtherZone']]);
    expect(codesOf(trace, 'pod')).toEqual(['PodsWithTraffic', 'PodsSkippedByLocation']);
  });

  it('evaluates each node if no node is given', () => {
    const trace = runTrace('10.96.0.10', clusterWithHints);
    expect([trace.outcome, leftOutOf(trace, 'endpoints')]).toEqual(['reached', []]);
    expect(stepOf(trace, 'endpoints').chosen.map(({ notes }) => notes[0]?.message)).toEqual([
      'Used from n1, n2.',
      'Used from n1, n2.',
      'Used from n3.',
    ]);
  });
});

describe('the policy step for external addresses', () => {
  const clusterWithLoadBalancer = makeCluster(
    [
      makeService(
        'web',
        {
          type: 'LoadBalancer',
          externalTrafficPolicy: 'Local',
          loadBalancerSourceRanges: ['10.0.0.0/8'],
          ports: [{ name: 'http', port: 80, targetPort: 8080, nodePort: 30080 }],
        },
        { status: { loadBalancer: { ingress: [{ ip: '198.51.100.1' }] } } },
      ),
    ],
    pods,
  );

  it('uses only endpoints on the receiving node, and reports the source ranges', () => {
    const trace = runTrace('198.51.100.1:80', clusterWithLoadBalancer, { node: 'n2' });
    expect([trace.outcome, codesOf(trace, 'policy')]).toEqual(['unreachable', ['FromNode', 'ExternalPolicyLocal', 'SourceRanges']]);
    expect(codesOf(trace, 'service')).toContain('ServiceOfAddress');
    expect(runTrace('198.51.100.1:80', clusterWithLoadBalancer, { node: 'n1' }).outcome).toBe('reached');
  });

  it("ignores externalTrafficPolicy if the client pod's own node forwards the traffic", () => {
    const trace = runTrace('198.51.100.1:80', clusterWithLoadBalancer, { from: 'frontend-1' });
    expect([trace.outcome, codesOf(trace, 'policy')]).toEqual(['reached', ['FromNode', 'ExternalShortcut', 'SourceRanges']]);
  });

  it('fails for a pod whose address is in none of the source ranges', () => {
    const [service] = clusterWithLoadBalancer.services;
    const traceWithRanges = (loadBalancerSourceRanges: readonly string[], pod = 'frontend-1') => {
      const services = [{ ...service, spec: { ...service?.spec, loadBalancerSourceRanges } }];
      return runTrace(
        '198.51.100.1:80',
        { ...clusterWithLoadBalancer, services, pods: [...pods, makePod('no-ip-1', 1, { status: { podIP: '', podIPs: [] } })] },
        { from: pod },
      );
    };
    const trace = traceWithRanges(['192.0.2.0/24', 'fd00::/8']);
    expect([trace.outcome, codesOf(trace, 'policy'), labelsOf(trace, 'policy')]).toEqual([
      'unreachable',
      ['SourceNotAllowed', 'FromNode', 'ExternalShortcut', 'SourceRanges'],
      [],
    ]);
    expect(trace.verdict).toBe(
      '198.51.100.1:80 reaches nothing from frontend-1: traffic from pod shop/frontend-1 to 198.51.100.1, the load balancer address of Service shop/web, is dropped: 10.1.0.9 is not in 192.0.2.0/24.',
    );
    expect(traceWithRanges(['192.0.2.0/24', '10.1.0.9/32']).outcome).toBe('reached');
    expect(traceWithRanges(['192.0.2.0/24', '0.0.0.0/0']).outcome).toBe('reached');
    // The address of a pod without an IP is unknown, so no source range can exclude it.
    expect(traceWithRanges(['192.0.2.0/24'], 'no-ip-1').outcome).toBe('reached');
  });

  it("ignores externalTrafficPolicy for a node port of the client pod's own node", () => {
    const trace = runTrace('192.168.0.3:30080', clusterWithLoadBalancer, { from: 'frontend-1' });
    expect([trace.outcome, codesOf(trace, 'policy')]).toEqual(['reached', ['FromNode', 'ExternalShortcut']]);
    expect(runTrace('192.168.0.2:30080', clusterWithLoadBalancer, { from: 'frontend-1' }).outcome).toBe('unreachable');
    expect(runTrace('192.168.0.3:30080', clusterWithLoadBalancer, { node: 'n3' }).outcome).toBe('unreachable');
  });

  it('applies the rules of the node that has the address to a node port', () => {
    expect(runTrace('192.168.0.1:30080', clusterWithLoadBalancer, { from: 'frontend-1' })).toMatchObject({ outcome: 'reached' });
    const trace = runTrace('192.168.0.2:30080', clusterWithLoadBalancer);
    expect([trace.outcome, codesOf(trace, 'policy')]).toEqual(['unreachable', ['FromNode', 'ExternalPolicyLocal']]);
    expect(stepOf(trace, 'policy').title).toBe('Rules of node n2');
  });
});

it("the policy step notes that the requested node is not the pod's node", () => {
  const trace = runTrace('10.96.0.10', clusterWithLocalPolicy, { from: 'frontend-1', node: 'n1' });
  expect(stepOf(trace, 'policy').notes[0]).toMatchObject({
    code: 'RequestedNodeDiffers',
    message: 'Traced from node n1, as requested, although pod shop/frontend-1 runs on n3.',
  });
});

it('namesOf shortens long lists and counts the rest', () => {
  expect([describeNodes({ nodes: [] }), describeNodes({ nodes: ['a', 'b', 'c', 'd'] })]).toEqual(['any node', 'a, b, c and 1 more']);
});
