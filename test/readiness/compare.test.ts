import { expect, test } from 'vitest';
import { compareReadiness } from '../../src/readiness/index.ts';

const running = { state: { running: { startedAt: '2026-01-01T00:00:00Z' } }, started: true };
const pod = {
  metadata: { namespace: 'shop', name: 'web-a' },
  spec: { containers: [{ name: 'web' }], initContainers: [{ name: 'mesh', restartPolicy: 'Always' }] },
  status: {
    phase: 'Running',
    containerStatuses: [{ name: 'web', ready: true, ...running }],
    initContainerStatuses: [{ name: 'mesh', ready: false, ...running }],
  },
};

test('compareReadiness finds conditions that another kubelet derives differently, and the gate behind them', () => {
  expect(compareReadiness(pod, { version: '1.27' }, { version: '1.29' })).toStrictEqual([
    { condition: 'Initialized', before: 'False', after: 'True', gates: ['sidecars'] },
    { condition: 'Ready', before: 'True', after: 'False', gates: ['sidecars'] },
    { condition: 'ContainersReady', before: 'True', after: 'False', gates: ['sidecars'] },
  ]);
  expect(compareReadiness(pod, { version: '1.29' }, { version: '1.30' })).toStrictEqual([]);
});

test('compareReadiness leaves out a condition that only one of both releases reports', () => {
  const change = { condition: 'Ready', before: 'True', after: 'False', gates: ['readinessGatesEvaluated'] };
  const gatedPod = { ...pod, spec: { containers: [{ name: 'web' }], readinessGates: [{ conditionType: 'example.com/gate' }] } };
  expect(compareReadiness(gatedPod, { version: '1.9' }, { version: '1.37' })).toStrictEqual([change]);
  expect(compareReadiness(gatedPod, { version: '1.37' }, { version: '1.9' })).toStrictEqual([
    { ...change, before: change.after, after: change.before },
  ]);
});
