import { describe, expect, test } from 'vitest';
import { explain } from '../../src/commands/explain.ts';
import { explainPod } from '../../src/report/explain-pod.ts';
import { createReadinessExplainer } from '../../src/report/explanations.ts';
import { inventoryOf, notReadyStatus, plainStyle, pod, scopeOf, service } from '../objects.ts';

const waiting = { reason: 'CrashLoopBackOff', message: 'back-off 5m0s' };
const containerStatuses = [{ name: 'web', state: { waiting }, restartCount: 9, ready: false, started: false }];
const crashingPod = pod('a', 'web', '10.0.0.1', { ...notReadyStatus, containerStatuses });
const objects = { services: [service('web')], pods: [crashingPod] };
const scope = scopeOf(objects);
const expectedLine =
  'ContainerWaiting: The container web is not running: waiting: CrashLoopBackOff, back-off 5m0s; restarted 9 times (pod.status.containerStatuses[0].state.waiting)';

test('readiness is explained by the rules of the release', () => {
  expect(createReadinessExplainer({ version: '1.37' })(crashingPod).map(({ code }) => code)).toEqual(['ContainerWaiting']);
  expect(() => createReadinessExplainer({ version: '1.8' })(crashingPod)).toThrow(RangeError);
});

describe('explain', () => {
  test('shows the waiting container of a named Service', () => {
    const lines = explain(scope, { version: '1.37', hasNames: true, inventory: inventoryOf(objects), live: false }).text(plainStyle);
    expect(lines.filter((text) => text.includes('ContainerWaiting')).map((text) => text.trim())).toEqual([
      'Cause:    ContainerWaiting: Pod a: the container web is not running: waiting: CrashLoopBackOff, back-off 5m0s; restarted 9 times',
      expectedLine,
    ]);
  });

  test('shows the waiting container of a pod', () => {
    const report = explainPod(scope, [crashingPod], { version: '1.37', pod: 'a', namespace: 'shop', hasNames: false });
    expect(
      report
        .text(plainStyle)
        .filter((text) => text.includes('ContainerWaiting'))
        .map((text) => text.trim()),
    ).toEqual([expectedLine]);
    expect(report.data()).toMatchObject({ items: [{ pod: { reasons: [{ code: 'PodNotReady' }, { code: 'ContainerWaiting' }] } }] });
  });
});
