import { describe, expect, it } from 'vitest';
import { recordStatus } from '../../src/readiness/index.ts';
import { transitionTime, truncateToSeconds } from '../../src/readiness/record.ts';
import type { PodStatus } from '../../src/types/index.ts';
import { makePod, runningState, sidecar, statusOf, terminatedState, waitingState } from './pods.ts';

const [past, now] = ['2026-01-01T00:00:00Z', '2026-02-02T02:02:02.5Z'];
const record = (previousStatus: PodStatus, status: PodStatus, spec = {}, version = '1.37') =>
  recordStatus({ pod: makePod(spec), previousStatus, status, now }, { version });

describe('recordStatus', () => {
  it('updates lastTransitionTime only together with the status of a condition', () => {
    const previousStatus = { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: past }] };
    const conditions = [
      { type: 'Ready', status: 'True', reason: 'Other' },
      { type: 'ContainersReady', status: 'True' },
      { type: 'example.com/other', status: 'True' },
    ];
    expect(record(previousStatus, { conditions }).status?.conditions).toEqual([
      { ...conditions[0], lastTransitionTime: past },
      { ...conditions[1], lastTransitionTime: '2026-02-02T02:02:02Z' },
      conditions[2],
    ]);
    expect(record(previousStatus, { conditions: [{ type: 'Ready', status: 'False' }] }).status?.conditions?.[0]?.lastTransitionTime).toBe(
      '2026-02-02T02:02:02Z',
    );
  });

  it('keeps startTime and the highest observedGeneration', () => {
    expect(record({ startTime: past, observedGeneration: 4 }, { startTime: now, observedGeneration: 3 }).status).toEqual({
      startTime: past,
      observedGeneration: 4,
    });
    expect(record({}, {}).status).toEqual({ startTime: '2026-02-02T02:02:02Z' });
  });

  it('sorts containers by name and init containers in the order of the spec', () => {
    const spec = { initContainers: [{ name: 'z' }, { name: 'a' }] };
    const status = {
      containerStatuses: [statusOf('b', runningState()), statusOf('a', runningState())],
      initContainerStatuses: [statusOf('gone', runningState()), statusOf('a', runningState()), statusOf('z', runningState())],
    };
    const recorded = record({}, status, spec).status;
    expect(recorded?.containerStatuses?.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(recorded?.initContainerStatuses?.map(({ name }) => name)).toEqual(['z', 'a', 'gone']);
    expect(status.containerStatuses[0]?.name).toBe('b');
  });

  it('refuses a terminated container to run again if its policy forbids a restart', () => {
    const refused = 'terminated container app attempted illegal transition to non-terminated state';
    const endedWith = (code: number): PodStatus => ({ containerStatuses: [statusOf('app', terminatedState(code))] });
    const [succeeded, failed] = [endedWith(0), endedWith(1)];
    const rerun = { containerStatuses: [statusOf('app', runningState())] };
    expect(record(succeeded, rerun, { restartPolicy: 'Never' })).toEqual({ refused });
    expect(record(succeeded, rerun, { restartPolicy: 'OnFailure' })).toEqual({ refused });
    expect(record(failed, rerun, { restartPolicy: 'OnFailure' }).refused).toBeUndefined();
    expect(record(succeeded, rerun, { restartPolicy: 'Always' }).refused).toBeUndefined();
    expect(record(succeeded, {}, { restartPolicy: 'Never' }).refused).toBeUndefined();
    const spec = { restartPolicy: 'Never', containers: [{ name: 'app', restartPolicy: 'Always' }] };
    expect([record(succeeded, rerun, spec).refused, record(succeeded, rerun, spec, '1.34').refused]).toEqual([undefined, refused]);
  });

  it('allows sidecars to run again and requires init containers to match the spec, from 1.28 on', () => {
    const spec = { restartPolicy: 'Never', initContainers: [sidecar('proxy')] };
    const previousStatus = { initContainerStatuses: [statusOf('proxy', terminatedState())] };
    const rerun = { initContainerStatuses: [statusOf('proxy', waitingState())] };
    expect(record(previousStatus, rerun, spec).refused).toBeUndefined();
    expect(record(previousStatus, rerun, spec, '1.27').refused).toMatch(/^terminated container proxy /);
    expect(record({ initContainerStatuses: [statusOf('x', terminatedState())] }, {}, spec).refused).toBe(
      'found mismatch between pod spec and status, container: x',
    );
    const specWithoutSidecar = { restartPolicy: 'Never', initContainers: [{ name: 'proxy' }] };
    expect(record(previousStatus, rerun, specWithoutSidecar).refused).toMatch(/^terminated init container proxy /);
  });

  it('allows any transition if all containers can be restarted', () => {
    const restartPolicyRules = [{ action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [42] } }];
    const spec = { restartPolicy: 'Never', containers: [{ name: 'app', restartPolicyRules }] };
    const previousStatus = { containerStatuses: [statusOf('app', terminatedState())] };
    const rerun = { containerStatuses: [statusOf('app', runningState())] };
    expect([record(previousStatus, rerun, spec).refused, record(previousStatus, rerun, spec, '1.35').refused]).toEqual([
      undefined,
      expect.stringContaining('illegal'),
    ]);
  });
});

describe('transition times', () => {
  it('are truncated to seconds', () => {
    expect([truncateToSeconds(now), truncateToSeconds(new Date(1500)), truncateToSeconds('2026-01-01T01:00:00+01:00')]).toEqual([
      '2026-02-02T02:02:02Z',
      '1970-01-01T00:00:01Z',
      past,
    ]);
    expect(() => truncateToSeconds('now')).toThrow(TypeError);
  });

  it('are null if the condition existed before without a time', () => {
    const status = { conditions: [{ type: 'A', status: 'True' }] };
    expect(transitionTime('A', status, { conditions: [{ type: 'A', status: 'True' }] }, past)).toBeNull();
    expect(transitionTime('A', status, {}, past)).toBe(past);
  });
});
