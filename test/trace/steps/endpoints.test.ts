import { describe, expect, it } from 'vitest';
import { createEndpointItem, idOfEndpoint, nameOfEndpoint } from '../../../src/trace/steps/endpoints.ts';
import {
  codesOf,
  crashingStatus,
  labelsOf,
  leftOutOf,
  makeCluster,
  makePod,
  makeService,
  runTrace,
  shop,
  slicesOf,
  stepOf,
  withEndpoints,
} from '../shop.ts';

const ip = '10.96.0.10:http';
const web = makeService('web');
const terminatingPod = { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } };

describe('the endpoints step', () => {
  it('lists the endpoints that the rules of the node use, named after their pods', () => {
    const trace = runTrace(ip, shop);
    expect(stepOf(trace, 'endpoints')).toMatchObject({ outcome: 'ok', notes: [] });
    expect(stepOf(trace, 'endpoints').chosen.map(({ id, label }) => `${id} ${label}`)).toEqual([
      'pod/shop/web-1 web-1 10.1.0.1:8080',
      'pod/shop/web-2 web-2 10.1.0.2:8080',
      'pod/shop/web-3 web-3 10.1.0.3:8080',
    ]);
    expect([trace.outcome, trace.verdict]).toEqual(['reached', '10.96.0.10:http reaches 3 endpoints of Service shop/web.']);
  });

  it('leaves out an endpoint that is not ready, and reports it', () => {
    const trace = runTrace(ip, makeCluster([web], [makePod('web-1', 1), makePod('web-2', 2, { status: crashingStatus })]));
    expect([trace.outcome, stepOf(trace, 'endpoints').outcome]).toEqual(['degraded', 'warning']);
    expect(leftOutOf(trace, 'endpoints')).toEqual(['web-2 10.1.0.2:8080: NotReady']);
    expect(trace.verdict).toBe(
      '10.96.0.10:http reaches 1 endpoint of Service shop/web, but with problems: web-2 is not ready: ' +
        'the container app is not running: waiting: CrashLoopBackOff.',
    );
  });

  it('leaves out a terminating endpoint without a warning', () => {
    const trace = runTrace(ip, makeCluster([web], [makePod('web-1', 1), makePod('web-2', 2, terminatingPod)]));
    expect([trace.outcome, leftOutOf(trace, 'endpoints')]).toEqual(['reached', ['web-2 10.1.0.2:8080: Terminating']]);
  });

  it('falls back to terminating endpoints that serve', () => {
    const trace = runTrace(ip, makeCluster([web], [makePod('web-1', 1, { status: crashingStatus }), makePod('web-2', 2, terminatingPod)]));
    expect([trace.outcome, labelsOf(trace, 'endpoints')]).toEqual(['degraded', ['web-2 10.1.0.2:8080']]);
    expect(stepOf(trace, 'endpoints').chosen[0]?.notes).toMatchObject([{ code: 'TerminatingFallback' }]);
    expect(trace.verdict).toContain('no endpoint is ready, and only terminating endpoints get traffic');
  });

  it('fails if no pod is ready or no pod matches', () => {
    const unreadyTrace = runTrace(ip, makeCluster([web], [makePod('web-1', 1, { status: crashingStatus })]));
    expect([unreadyTrace.outcome, codesOf(unreadyTrace, 'endpoints')]).toEqual(['unreachable', ['NoUsableEndpoint']]);
    const unmatchedTrace = runTrace(ip, makeCluster([web], [makePod('other-1', 1)]));
    expect([unmatchedTrace.outcome, codesOf(unmatchedTrace, 'endpoints')]).toEqual(['unreachable', ['NoEndpoints']]);
    expect(unmatchedTrace.verdict).toBe(
      '10.96.0.10:http reaches nothing: this port has no endpoints: ' +
        'the selector app=web matches no pod: the closest, other-1, has app=other instead of app=web; namespace "shop" has 1 pod.',
    );
  });

  it('names the ports of slices that users write, if none is the port of the Service', () => {
    const database = makeService('web', { selector: null, ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 5432 }] });
    const slices = slicesOf(makeService('web', { ports: [{ name: 'pg', port: 80, protocol: 'TCP', targetPort: 5432 }] }), [
      makePod('web-1', 1),
    ]);
    const trace = runTrace(ip, makeCluster([database], [], { slices }));
    expect([trace.outcome, codesOf(trace, 'endpoints')[0]]).toEqual(['unreachable', 'SlicesHaveOtherPorts']);
    expect(trace.verdict).toBe(
      '10.96.0.10:http reaches nothing: the EndpointSlices have endpoints, but no port named "http" with protocol TCP; they have "pg" (5432/TCP).',
    );
    const withoutSlices = runTrace(ip, makeCluster([database], [], { slices: [] }));
    expect(codesOf(withoutSlices, 'endpoints')[0]).toBe('NoEndpoints');
  });

  it('reports slices that are out of date', () => {
    const trace = runTrace(ip, {
      ...shop,
      slices: withEndpoints(shop.slices ?? [], (endpoint) => ({ ...endpoint, conditions: { ready: false } })),
    });
    expect([trace.outcome, codesOf(trace, 'endpoints')]).toEqual(['unreachable', ['NoUsableEndpoint', 'SlicesHaveOldState']]);
    expect(trace.verdict).toBe(
      '10.96.0.10:http reaches nothing: the EndpointSlices are out of date: the state of web-1, web-2, web-3 has changed.',
    );
  });

  it('uses the Endpoints object of a Service without a selector', () => {
    const subsets = [{ addresses: [{ ip: '10.9.0.1' }], ports: [{ name: 'http', port: 5432 }] }];
    const endpoints = [{ metadata: { name: 'db', namespace: 'shop' }, subsets }];
    const trace = runTrace(ip, { ...makeCluster([makeService('db', { selector: null })], []), slices: undefined, endpoints });
    expect(codesOf(trace, 'endpoints')).toEqual(['EndpointsManagedExternally', 'SlicesComputed']);
    expect(stepOf(trace, 'endpoints').chosen).toMatchObject([{ id: 'endpoint/10.9.0.1:5432', label: '10.9.0.1:5432' }]);
    expect(trace.outcome).toBe('reached');
  });
});

it('createEndpointItem names an endpoint after its pod, or else after its address', () => {
  const text = '10.0.0.1:80';
  const targetRef = { kind: 'Pod', namespace: 'shop', name: 'web-1' };
  expect(createEndpointItem({ text, targetRef }, [])).toEqual({ id: 'pod/shop/web-1', label: 'web-1 10.0.0.1:80', notes: [] });
  expect([idOfEndpoint({ text, targetRef: { kind: 'Node', name: 'n1' } }), nameOfEndpoint({ text })]).toEqual([
    'endpoint/10.0.0.1:80',
    text,
  ]);
});
