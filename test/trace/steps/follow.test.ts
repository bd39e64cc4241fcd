import { describe, expect, it } from 'vitest';
import { codesOf, makeCluster, makePod, makeService, outcomesOf, runTrace, shop, stepOf } from '../shop.ts';

describe('a trace to an address', () => {
  it('ends if no object has the address', () => {
    const trace = runTrace('10.9.9.9:80', shop);
    expect(outcomesOf(trace)).toBe(
      'name ok, record skipped, service warning, policy skipped, endpoints skipped, pod skipped, readiness skipped',
    );
    expect([trace.outcome, codesOf(trace, 'service'), trace.verdict]).toEqual([
      'outside',
      ['AddressUnknown'],
      '10.9.9.9:80 leads to no Service and no pod: no known object has the address 10.9.9.9.',
    ]);
  });

  it('ends if nodes have no rules for the IP family', () => {
    const service = makeService('web', { clusterIPs: ['10.96.0.10', 'fd00::10'], ipFamilies: ['IPv4'] });
    const trace = runTrace('[fd00::10]:80', makeCluster([service], [makePod('web-1', 1)]));
    expect([trace.outcome, codesOf(trace, 'policy')]).toEqual(['unreachable', ['NoRulesForAddress']]);
    expect(stepOf(trace, 'endpoints').outcome).toBe('skipped');
  });
});

describe('a trace to a Service whose name does not resolve', () => {
  it('continues from the cluster IP', () => {
    const trace = runTrace('_grpc._tcp.web.shop.svc.cluster.local', shop);
    expect(outcomesOf(trace)).toBe('name ok, record error, service ok, policy ok, endpoints ok, pod ok, readiness ok');
    expect([trace.outcome, codesOf(trace, 'record')[0]]).toEqual(['unreachable', 'PortNotFound']);
    expect(trace.verdict).toContain('reaches nothing: Service shop/web has no port');
  });

  it('is unreachable while the Service has no cluster IP', () => {
    const service = { ...makeService('web'), spec: { ...makeService('web').spec, clusterIP: '', clusterIPs: [] } };
    const trace = runTrace('web', makeCluster([service], [makePod('web-1', 1)]));
    expect([trace.outcome, codesOf(trace, 'service')[0]]).toEqual(['unreachable', 'ClusterIPPending']);
    expect(trace.verdict).toBe('web reaches nothing: Service shop/web has no cluster IP yet.');
  });
});
