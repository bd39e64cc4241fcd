import { describe, expect, test } from 'vitest';
import { explain } from '../../src/commands/explain.ts';
import { explainPod } from '../../src/report/explain-pod.ts';
import { readinessIn } from '../../src/report/explanations.ts';
import { notReady, plain, pod, scopeOf, service } from '../objects.ts';

const waiting = { reason: 'CrashLoopBackOff', message: 'back-off 5m0s' };
const containerStatuses = [{ name: 'web', state: { waiting }, restartCount: 9, ready: false, started: false }];
const broken = pod('a', 'web', '10.0.0.1', { ...notReady, containerStatuses });
const scope = scopeOf({ services: [service('web')], pods: [broken] });
const line =
  'ContainerWaiting: The container web is not running: waiting: CrashLoopBackOff, back-off 5m0s; restarted 9 times (pod.status.containerStatuses[0].state.waiting)';

test('readiness is explained by the rules of the release', () => {
  expect(readinessIn('1.37')(broken).map(({ code }) => code)).toEqual(['ContainerWaiting']);
  expect(() => readinessIn('1.16')(broken)).toThrow(RangeError);
});

describe('explain shows the waiting container', () => {
  test('of a named Service', () => {
    const lines = explain(scope, { version: '1.37', named: true }).text(plain);
    expect(lines.filter((each) => each.includes('ContainerWaiting')).map((each) => each.trim())).toEqual([line]);
  });

  test('of a pod', () => {
    const report = explainPod(scope, [broken], { version: '1.37', pod: 'a', namespace: 'shop', named: false });
    expect(
      report
        .text(plain)
        .filter((each) => each.includes('ContainerWaiting'))
        .map((each) => each.trim()),
    ).toEqual([line]);
    expect(report.data()).toMatchObject({ items: [{ pod: { reasons: [{ code: 'PodNotReady' }, { code: 'ContainerWaiting' }] } }] });
  });
});
