import type { BalancedService } from 'kube-endpoints/load-balancer';
import { describe, expect, test } from 'vitest';
import { createPrecedence, hasStatus, type Precedence } from '../../src/service-lb/claims.ts';

const pending: BalancedService = { spec: { type: 'LoadBalancer' } };
const published: BalancedService = { ...pending, status: { loadBalancer: { ingress: [{ ip: '192.0.2.9' }] } } };

function bench(...first: string[]): { readonly precedence: Precedence; readonly resumed: string[] } {
  const resumed: string[] = [];
  const precedence = createPrecedence((key) => void resumed.push(key));
  for (const key of first) precedence.add(key, published);
  return { precedence, resumed };
}

test('whose status tells an address is told by its ingress', () => {
  expect([published, pending, { status: { loadBalancer: { ingress: [] } } }, undefined].map(hasStatus)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

describe('a Service that waits for its first address', () => {
  test('waits until each that has one has had its turn', () => {
    const { precedence, resumed } = bench('a', 'b');
    expect([precedence.holdsBack('c', pending), precedence.holdsBack('c', pending), precedence.holdsBack('d', pending)]).toEqual([
      true,
      true,
      true,
    ]);
    expect(precedence.waiting).toBe(2);
    precedence.over('a');
    precedence.over('x');
    expect(resumed).toEqual([]);
    precedence.over('b');
    expect([resumed, precedence.waiting]).toEqual([['c', 'd'], 0]);
    precedence.over('b');
    expect([resumed, precedence.holdsBack('c', pending)]).toEqual([['c', 'd'], false]);
  });

  test('waits for nobody where there is nobody', () => {
    const { precedence } = bench();
    precedence.add('a', pending);
    expect(precedence.holdsBack('b', pending)).toBe(false);
  });
});

test.each<[string, BalancedService | undefined]>([
  ['has an address', published],
  ['is gone', undefined],
  ['is being deleted', { ...pending, metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }],
  ['is no load balancer any more', { spec: { type: 'ClusterIP' } }],
])('one that %s does not wait', (_, service) => {
  const { precedence } = bench('a');
  expect([precedence.holdsBack('b', service), precedence.waiting]).toEqual([false, 0]);
});

test('nor does one that lost its address while it was among the first', () => {
  const { precedence } = bench('a');
  expect(precedence.holdsBack('a', pending)).toBe(false);
});
