import { describe, expect, it } from 'vitest';
import { createCluster } from '../../../src/trace/cluster.ts';
import { suggestServices } from '../../../src/trace/name/suggest.ts';
import { makeCluster, makeService } from '../shop.ts';

const cluster = createCluster(makeCluster([makeService('web'), makeService('payments/checkout')], []), {});
const suggest = (...requested: readonly (readonly [namespace: string, service: string])[]) => {
  const attempts = requested.map(([namespace, service]) => ({
    name: 'x.',
    request: { kind: 'service' as const, zone: 'cluster.local.', namespace, service },
    records: [],
    reason: { code: 'ServiceNotFound' as const, values: {} },
    isForwarded: false,
  }));
  return suggestServices(attempts, cluster).map(({ code, remedy }) => `${code}: ${remedy}`);
};

describe('suggestServices', () => {
  it('finds a Service with the same name in a different namespace', () => {
    expect(suggest(['default', 'web'])).toEqual(['ServiceInOtherNamespace: Use web.shop.']);
  });

  it('finds a Service or namespace name that differs by one or two letters', () => {
    expect(suggest(['shop', 'wbe'])).toEqual(['SimilarService: Use web.shop.']);
    expect(suggest(['payment', 'chekout'])).toEqual(['SimilarService: Use checkout.payments.']);
  });

  it('returns nothing without a similar name', () => {
    expect([suggest(['shop', 'database']), suggest(), suggest(['', ''])]).toEqual([[], [], []]);
  });
});
