import { describe, expect, it } from 'vitest';
import { mergeStatus } from '../../src/readiness/index.ts';
import type { PodStatus } from '../../src/types/index.ts';
import { makePod } from './pods.ts';

const now = '2026-02-02T02:02:02Z';
const earlier = '2026-01-01T00:00:00Z';
const merge = (stored: PodStatus, status: PodStatus, { running = false, version = '1.37' } = {}) =>
  mergeStatus({ pod: makePod(), stored, status, running, now }, { version });
const readyConditions = (status: string, lastTransitionTime = earlier) => [
  { type: 'Ready', status, lastTransitionTime },
  { type: 'ContainersReady', status, lastTransitionTime },
];

describe('mergeStatus', () => {
  it('keeps conditions of other writers, and takes those of the kubelet from the new status', () => {
    const stored = { conditions: [{ type: 'example.com/a', status: 'True' }, ...readyConditions('False')] };
    const status = { conditions: [{ type: 'example.com/b', status: 'True' }, ...readyConditions('True')] };
    expect(merge(stored, status).conditions).toEqual([{ type: 'example.com/a', status: 'True' }, ...readyConditions('True')]);
  });

  it('delays a terminal phase while containers may run', () => {
    const stored = { phase: 'Running', reason: 'Old', conditions: [] };
    const status = { phase: 'Failed', reason: 'Evicted', message: 'low on memory' };
    expect(merge(stored, status, { running: true })).toEqual({ phase: 'Running', reason: 'Old', conditions: [] });
    expect(merge(stored, status, { running: false })).toEqual({ ...status, conditions: [] });
    expect(merge(stored, status, { running: true, version: '1.22.8' })).toEqual({ ...status, conditions: [] });
    expect(merge({ phase: 'Failed' }, status, { running: true }).phase).toBe('Failed');
    expect(merge({}, status, { running: true })).toEqual({ conditions: [] });
  });

  it('sets Ready and ContainersReady to False in a terminal phase', () => {
    const status = { phase: 'Succeeded', conditions: [...readyConditions('True')] };
    const [first, second] = ['Ready', 'ContainersReady'].map((type) => ({
      type,
      status: 'False',
      reason: 'PodCompleted',
      lastTransitionTime: now,
    }));
    expect(merge({ phase: 'Running' }, status).conditions).toEqual([first, second]);
    expect(merge({ phase: 'Running' }, { ...status, phase: 'Failed' }).conditions?.[0]?.reason).toBe('PodFailed');
    expect(merge({ phase: 'Running' }, status, { version: '1.24.1' }).conditions).toEqual(readyConditions('True'));
    const partlyReadyConditions = [
      { type: 'Ready', status: 'False', lastTransitionTime: earlier, reason: 'ReadinessGatesNotReady' },
      ...readyConditions('True').slice(1),
    ];
    expect(merge({ phase: 'Running' }, { ...status, conditions: partlyReadyConditions }).conditions).toEqual([
      { ...first, lastTransitionTime: earlier },
      second,
    ]);
    const unreadyConditions = readyConditions('False').map((condition) => ({ ...condition, reason: 'ContainersNotReady' }));
    expect(merge({ phase: 'Running' }, { ...status, conditions: unreadyConditions }).conditions).toEqual(unreadyConditions);
    expect(merge({}, { phase: 'Failed', conditions: readyConditions('True').slice(1) }).conditions).toHaveLength(2);
  });

  it('writes DisruptionTarget together with the terminal phase', () => {
    const disruption = { type: 'DisruptionTarget', status: 'True', reason: 'TerminationByKubelet', lastTransitionTime: earlier };
    const status = { phase: 'Failed', conditions: [disruption] };
    expect(merge({ phase: 'Running' }, status).conditions).toEqual([{ ...disruption, lastTransitionTime: now }]);
    expect(merge({ phase: 'Running' }, status, { running: true }).conditions).toEqual([]);
    expect(merge({ phase: 'Failed' }, status).conditions).toEqual([]);
    expect(merge({ phase: 'Running' }, status, { version: '1.25' }).conditions).toEqual([]);
  });

  it('keeps fields of other writers', () => {
    const stored = { resourceClaimStatuses: [{ name: 'a' }] } as PodStatus;
    expect(merge(stored, {})).toEqual({ ...stored, conditions: [] });
    expect(merge({}, stored)).toEqual({ conditions: [] });
    expect(merge({}, { qosClass: 'Guaranteed' } as PodStatus)).toEqual({ qosClass: 'Guaranteed', conditions: [] });
  });
});
