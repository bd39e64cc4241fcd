import { describe, expect, it } from 'vitest';
import { ask, codesOf, makeCluster, makeService, stepOf } from '../shop.ts';

const alias = (key: string, externalName: string) =>
  makeService(key, { type: 'ExternalName', externalName, clusterIP: '', clusterIPs: [], selector: null, ports: [] });
const long = `${'x'.repeat(70)}.example.com`;
const objects = makeCluster(
  [
    alias('a', 'b.shop.svc.cluster.local'),
    alias('b', 'c.shop.svc.cluster.local.'),
    alias('c', 'b.shop.svc.cluster.local'),
    alias('long', long),
    alias('self', 'self.shop.svc.cluster.local'),
    alias('reverse', '1.0.96.10.in-addr.arpa'),
    alias('gone', 'nobody.shop.svc.cluster.local'),
  ],
  [],
);

describe('ExternalName Services that do not resolve', () => {
  it('form a loop', () => {
    const trace = ask('a', objects);
    expect([trace.outcome, codesOf(trace, 'record')[0]]).toEqual(['unreachable', 'ExternalNamesLoop']);
    expect(trace.verdict).toBe('a reaches nothing: ExternalName Services refer to each other in a loop: shop/a, shop/b, shop/c, shop/b.');
    expect(JSON.stringify(stepOf(trace, 'record'))).not.toContain('Use another type');
  });

  it('point to an invalid name', () => {
    const trace = ask('long', objects);
    expect([trace.outcome, stepOf(trace, 'record').outcome, codesOf(trace, 'record')[0]]).toEqual([
      'unreachable',
      'error',
      'AliasIsNoName',
    ]);
    expect(trace.verdict).toContain(
      `long reaches nothing: long.shop.svc.cluster.local. is an alias for ${long}, which is not a valid DNS name`,
    );
  });

  it('point to themselves, to a reverse name or to a missing Service', () => {
    expect(codesOf(ask('self', objects), 'record')[0]).toBe('ExternalNameIsItself');
    expect(codesOf(ask('reverse', objects), 'record')[0]).toBe('AliasHasNoAddress');
    expect(codesOf(ask('gone', objects), 'record')[0]).toBe('ExternalNameHasNoRecord');
  });
});
