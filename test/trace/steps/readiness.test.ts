import { describe, expect, it } from 'vitest';
import { codesOf, crashingStatus, labelsOf, leftOutOf, makeCluster, makePod, makeService, runTrace, shop, stepOf } from '../shop.ts';

const ip = '10.96.0.10:http';
const web = makeService('web');

describe('the readiness step', () => {
  it('succeeds if every pod is ready', () => {
    expect(stepOf(runTrace(ip, shop), 'readiness')).toMatchObject({ outcome: 'ok', notes: [{ code: 'AllReady' }], leftOut: [] });
    expect(labelsOf(runTrace(ip, shop), 'readiness')).toEqual(['web-1 10.1.0.1', 'web-2 10.1.0.2', 'web-3 10.1.0.3']);
  });

  it('reports containers, probes and readiness gates', () => {
    const gatedPod = makePod('web-2', 2, {
      spec: { readinessGates: [{ conditionType: 'example.com/lb' }] },
      status: { conditions: [{ type: 'Ready', status: 'False' }] },
    });
    const trace = runTrace(ip, makeCluster([web], [makePod('web-1', 1, { status: crashingStatus }), gatedPod, makePod('web-3', 3)]));
    expect(leftOutOf(trace, 'readiness')).toEqual(['web-1: ContainerWaiting', 'web-2: ReadinessGateMissing']);
    expect([stepOf(trace, 'readiness').outcome, codesOf(trace, 'readiness')]).toEqual(['warning', ['SomeNotReady']]);
    expect(trace.verdict).toContain('web-1, web-2 are not ready: web-1: The container app is not running');
  });

  it('reports PodNotReady if the status gives no further detail', () => {
    const trace = runTrace(ip, makeCluster([web], [makePod('web-1', 1, { status: { conditions: [], containerStatuses: null } })]));
    expect([leftOutOf(trace, 'readiness'), stepOf(trace, 'readiness').outcome]).toEqual([['web-1: PodNotReady'], 'error']);
  });

  it('reports pods that are published although they are not ready', () => {
    const trace = runTrace(
      ip,
      makeCluster([makeService('web', { publishNotReadyAddresses: true })], [makePod('web-1', 1, { status: crashingStatus })]),
    );
    expect([trace.outcome, codesOf(trace, 'pod')[0], codesOf(trace, 'readiness')]).toEqual(['degraded', 'NotReadyPodsPublished', []]);
    expect(trace.verdict).toContain('1 of 1 endpoints are not ready, but get traffic, because publishNotReadyAddresses is true: web-1');
  });

  it('is skipped if no pod is selected', () => {
    expect(stepOf(runTrace(ip, makeCluster([web], [])), 'readiness').outcome).toBe('skipped');
  });
});
