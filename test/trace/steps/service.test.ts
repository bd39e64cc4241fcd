import { describe, expect, it } from 'vitest';
import { podReasonCodes } from '../../../src/trace/steps/service.ts';
import { codesOf, labelsOf, leftOutOf, makeCluster, makePod, makeService, runTrace, shop, stepOf } from '../shop.ts';

const pods = [makePod('web-1', 1)];
const ports = [
  { name: 'http', port: 80, targetPort: 8080 },
  { name: 'admin', port: 9000, targetPort: 9000 },
];

describe('the Service step', () => {
  it('lists the requested port, and leaves out the others', () => {
    const trace = runTrace('10.96.0.10:80', makeCluster([makeService('web', { ports })], pods));
    expect(stepOf(trace, 'service')).toMatchObject({ title: 'Service shop/web', outcome: 'ok' });
    expect([codesOf(trace, 'service'), labelsOf(trace, 'service'), leftOutOf(trace, 'service')]).toEqual([
      ['ServiceOfName', 'PortOfNumber'],
      ['http 80/TCP'],
      ['admin 9000/TCP: PortNotRequested'],
    ]);
  });

  it('fails if the Service has no such port', () => {
    const trace = runTrace('10.96.0.10:81', shop);
    expect([trace.outcome, stepOf(trace, 'service').outcome]).toEqual(['unreachable', 'error']);
    expect(trace.verdict).toBe('10.96.0.10:81 reaches nothing: Service shop/web has no port 81; it has http 80/TCP.');
    expect([stepOf(trace, 'policy').outcome, stepOf(trace, 'endpoints').outcome]).toEqual(['skipped', 'skipped']);
  });

  it('reports a Service without ports only once', () => {
    const trace = runTrace('10.96.0.10', makeCluster([makeService('web', { ports: [] })], pods));
    expect(codesOf(trace, 'service')).toEqual(['ServiceHasNoPort', 'ServiceOfName']);
  });

  it('traces a Service of a different proxy as if kube-proxy served it', () => {
    const labels = { 'service.kubernetes.io/service-proxy-name': 'other' };
    const service = makeService('web');
    const trace = runTrace('10.96.0.10', makeCluster([{ ...service, metadata: { ...service.metadata, labels } }], pods));
    expect([stepOf(trace, 'service').outcome, codesOf(trace, 'service').at(-1)]).toEqual(['warning', 'ServedByOtherProxy']);
    expect(trace.outcome).toBe('reached');
  });

  it('explains why a load balancer is pending, and still uses the cluster IP', () => {
    const events = [
      { reason: 'SyncLoadBalancerFailed', message: 'address taken', involvedObject: { kind: 'Service', namespace: 'shop', name: 'web' } },
    ];
    const trace = runTrace('10.96.0.10', makeCluster([makeService('web', { type: 'LoadBalancer' })], pods, { events }));
    expect([trace.outcome, codesOf(trace, 'service')]).toEqual(['reached', expect.arrayContaining(['LoadBalancerFailing'])]);
    const manifest = { ...makeService('web', { type: 'LoadBalancer' }), metadata: { name: 'web', namespace: 'shop' } };
    expect(codesOf(runTrace('10.96.0.10', makeCluster([manifest], pods)), 'service')).toEqual(['ServiceOfName', 'OnlyPort']);
  });

  it('notes that a cluster IP is a placeholder', () => {
    const trace = runTrace('10.96.0.10', { ...shop, standIns: new Set(['shop/web']) });
    expect(codesOf(trace, 'service')).toEqual(['ServiceOfName', 'AddressIsPlaceholder', 'OnlyPort']);
  });
});

it('podReasonCodes contains SelectorMatchesNothing', () => {
  expect(podReasonCodes).toContain('SelectorMatchesNothing');
});
