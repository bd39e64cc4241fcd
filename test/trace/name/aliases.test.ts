import { describe, expect, it } from 'vitest';
import { codesOf, makeCluster, makeService, runTrace, stepOf } from '../shop.ts';

const alias = (key: string, externalName: string) =>
  makeService(key, { type: 'ExternalName', externalName, clusterIP: '', clusterIPs: [], selector: null, ports: [] });
const longName = `${'x'.repeat(70)}.example.com`;
const objects = makeCluster(
  [
    alias('a', 'b.shop.svc.cluster.local'),
    alias('b', 'c.shop.svc.cluster.local.'),
    alias('c', 'b.shop.svc.cluster.local'),
    alias('long', longName),
    alias('self', 'self.shop.svc.cluster.local'),
    alias('reverse', '1.0.96.10.in-addr.arpa'),
    alias('gone', 'missing.shop.svc.cluster.local'),
  ],
  [],
);

describe('a trace to an ExternalName Service that does not resolve', () => {
  it('reports a loop of Services', () => {
    const trace = runTrace('a', objects);
    expect([trace.outcome, codesOf(trace, 'record')[0]]).toEqual(['unreachable', 'ExternalNameLoop']);
    expect(trace.verdict).toBe('a reaches nothing: ExternalName Services refer to each other in a loop: shop/a, shop/b, shop/c, shop/b.');
    expect(JSON.stringify(stepOf(trace, 'record'))).not.toContain('Use another type');
  });

  it('reports an invalid external name', () => {
    const trace = runTrace('long', objects);
    expect([trace.outcome, stepOf(trace, 'record').outcome, codesOf(trace, 'record')[0]]).toEqual([
      'unreachable',
      'error',
      'AliasTargetInvalid',
    ]);
    expect(trace.verdict).toContain(
      `long reaches nothing: long.shop.svc.cluster.local. is an alias for ${longName}, which is not a valid DNS name`,
    );
  });

  it('suggests the Service that a misspelt external name may mean', () => {
    const misspelt = alias('misspelt', 'web.shopp.svc.cluster.local');
    const trace = runTrace('misspelt', { ...objects, services: [...objects.services, misspelt, makeService('web')] });
    expect(codesOf(trace, 'record')).toContain('AliasTargetNotFound');
    expect(trace.verdict).toContain('there is no Service shopp/web; there is a Service web in shop');
  });

  it('reports an external name that is the Service itself, a reverse name or a missing Service', () => {
    expect(codesOf(runTrace('self', objects), 'record')[0]).toBe('ExternalNameIsItself');
    expect(codesOf(runTrace('reverse', objects), 'record')[0]).toBe('AliasTargetHasNoAddress');
    const trace = runTrace('gone', objects);
    expect(codesOf(trace, 'record')[0]).toBe('AliasTargetNotFound');
    expect(trace.verdict).toContain(
      'Service shop/gone is an alias for missing.shop.svc.cluster.local, but there is no Service shop/missing',
    );
  });
});
