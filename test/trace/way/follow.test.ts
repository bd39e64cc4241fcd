import { describe, expect, it } from 'vitest';
import { ask, codesOf, makeCluster, makePod, makeService, outcomesOf, shop, stepOf } from '../shop.ts';

describe('followed from an address', () => {
  it('ends if the address is unknown', () => {
    const trace = ask('10.9.9.9:80', shop);
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
    const trace = ask('[fd00::10]:80', makeCluster([service], [makePod('web-1', 1)]));
    expect([trace.outcome, codesOf(trace, 'policy')]).toEqual(['unreachable', ['NotServedByNodes']]);
    expect(stepOf(trace, 'endpoints').outcome).toBe('skipped');
  });
});

describe('a Service whose name does not resolve', () => {
  it('is followed from its cluster IP', () => {
    const trace = ask('_grpc._tcp.web.shop.svc.cluster.local', shop);
    expect(outcomesOf(trace)).toBe('name ok, record error, service ok, policy ok, endpoints ok, pod ok, readiness ok');
    expect([trace.outcome, codesOf(trace, 'record')[0]]).toEqual(['unreachable', 'PortNotFound']);
    expect(trace.verdict).toContain('reaches nothing: Service shop/web has no port');
  });

  it('is unreachable until it has a cluster IP', () => {
    const service = { ...makeService('web'), spec: { ...makeService('web').spec, clusterIP: '', clusterIPs: [] } };
    const trace = ask('web', makeCluster([service], [makePod('web-1', 1)]));
    expect([trace.outcome, codesOf(trace, 'service')[0]]).toEqual(['unreachable', 'ClusterIPAwaited']);
    expect(trace.verdict).toBe('web reaches nothing: Service shop/web has no cluster IP yet.');
  });
});
