import { describe, expect, it } from 'vitest';
import { createCluster } from '../../../src/trace/cluster.ts';
import { suggestions } from '../../../src/trace/name/suggest.ts';
import { makeCluster, makeService } from '../shop.ts';

const cluster = createCluster(makeCluster([makeService('web'), makeService('payments/checkout')], []), {});
const of = (...meant: readonly (readonly [namespace: string, service: string])[]) => {
  const attempts = meant.map(([namespace, service]) => ({
    name: 'x.',
    request: { kind: 'service' as const, zone: 'cluster.local.', namespace, service },
    records: [],
    reason: { code: 'ServiceNotFound' as const, values: {} },
    isForwarded: false,
  }));
  return suggestions(attempts, cluster).map(({ code, remedy }) => `${code}: ${remedy}`);
};

describe('suggestions', () => {
  it('finds the same name in another namespace', () => {
    expect(of(['default', 'web'])).toEqual(['ServiceElsewhere: Use web.shop.']);
  });

  it('finds a Service or namespace name that differs by one or two letters', () => {
    expect(of(['shop', 'wbe'])).toEqual(['NameSimilar: Use web.shop.']);
    expect(of(['payment', 'chekout'])).toEqual(['NameSimilar: Use checkout.payments.']);
  });

  it('returns nothing without a similar name', () => {
    expect([of(['shop', 'database']), of(), of(['', ''])]).toEqual([[], [], []]);
  });
});
