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
    isOfOthers: false,
  }));
  return suggestions(attempts, cluster).map(({ code, mend }) => `${code}: ${mend}`);
};

describe('suggestions', () => {
  it('finds the same name in another namespace', () => {
    expect(of(['default', 'web'])).toEqual(['ServiceElsewhere: Ask for web.shop.']);
  });

  it('finds a Service or namespace name that differs by one or two letters', () => {
    expect(of(['shop', 'wbe'])).toEqual(['NameSimilar: Ask for web.shop.']);
    expect(of(['payment', 'chekout'])).toEqual(['NameSimilar: Ask for checkout.payments.']);
  });

  it('returns nothing without a similar name', () => {
    expect([of(['shop', 'database']), of(), of(['', ''])]).toEqual([[], [], []]);
  });
});
