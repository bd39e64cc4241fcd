import { expect, it } from 'vitest';
import { codesOf, crashingStatus, labelsOf, makeCluster, makePod, outcomesOf, runTrace, shop, stepOf } from '../shop.ts';

it('a trace to the address of a pod reaches the pod without a Service', () => {
  const trace = runTrace('10.1.0.2:8080', shop);
  expect(trace).toMatchObject({ outcome: 'reached', verdict: '10.1.0.2:8080 reaches pod shop/web-2.' });
  expect(outcomesOf(trace)).toBe('name ok, record skipped, service skipped, policy skipped, endpoints skipped, pod ok, readiness ok');
  expect([labelsOf(trace, 'pod'), codesOf(trace, 'service')]).toEqual([['web-2 10.1.0.2'], ['PodOfAddress']]);
});

it('a trace to the address of a pod that is not ready reaches the pod, with a warning', () => {
  const trace = runTrace('10.1.0.1', makeCluster([], [makePod('web-1', 1, { status: crashingStatus })]));
  expect(trace.outcome).toBe('degraded');
  expect(stepOf(trace, 'readiness').notes[0]).toMatchObject({
    code: 'PodReachableUnready',
    message: 'Pod shop/web-1 is not ready (ContainerWaiting), but its own address is still reachable.',
  });
});

it('a trace to the address of a pod that does not run is unreachable', () => {
  const trace = runTrace('10.1.0.1', makeCluster([], [makePod('web-1', 1, { status: { phase: 'Pending' } })]));
  expect(trace).toMatchObject({
    outcome: 'unreachable',
    verdict: '10.1.0.1 reaches nothing: pod shop/web-1 is not running (phase Pending).',
  });
});
