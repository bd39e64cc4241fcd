import { expect, it } from 'vitest';
import { ask, codesOf, crashing, labelsOf, makeCluster, makePod, outcomesOf, shop, stepOf } from '../shop.ts';

it('the address of a pod leads to that pod without a Service', () => {
  const trace = ask('10.1.0.2:8080', shop);
  expect(trace).toMatchObject({ outcome: 'reached', verdict: '10.1.0.2:8080 reaches pod shop/web-2.' });
  expect(outcomesOf(trace)).toBe('name ok, record skipped, service skipped, policy skipped, endpoints skipped, pod ok, readiness ok');
  expect([labelsOf(trace, 'pod'), codesOf(trace, 'service')]).toEqual([['web-2 10.1.0.2'], ['PodOfAddress']]);
});

it('a pod that is not ready is still reached by its address', () => {
  const trace = ask('10.1.0.1', makeCluster([], [makePod('web-1', 1, { status: crashing })]));
  expect(trace.outcome).toBe('degraded');
  expect(stepOf(trace, 'readiness').notes[0]).toMatchObject({
    code: 'PodAskedUnready',
    message: 'Pod shop/web-1 is not ready (ContainerWaiting), but its own address is still reachable.',
  });
});

it('a pod that does not run is not reached', () => {
  const trace = ask('10.1.0.1', makeCluster([], [makePod('web-1', 1, { status: { phase: 'Pending' } })]));
  expect(trace).toMatchObject({
    outcome: 'unreachable',
    verdict: '10.1.0.1 reaches nothing: pod shop/web-1 is not running (phase Pending).',
  });
});
