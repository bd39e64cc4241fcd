import { expect, test } from 'vitest';
import { loadBalancerReasons } from '../../src/explain/load-balancer-reasons.ts';
import { reasons } from '../../src/explain/reasons.ts';
import type { LoadBalancerCauseCode } from '../../src/types/index.ts';

test('they are reasons of Services, none of which keeps traffic in the cluster from pods, and the sentences of no two are alike', () => {
  const rows = Object.entries(loadBalancerReasons);
  for (const [code, { severity }] of rows) {
    expect(reasons[code as LoadBalancerCauseCode]?.about).toBe('service');
    expect(['warning', 'info']).toContain(severity);
  }
  expect(new Set(rows.map(([, { message }]) => message)).size).toBe(rows.length);
});
