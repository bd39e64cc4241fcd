import { describe, expect, test } from 'vitest';
import { at, createPod, indexed, type Options, onExitCode, perIndex, ready, running, syncOnce } from './jobs.ts';

describe('the job controller and the pods of a Job', () => {
  test.each<[string, Options, string[]]>([
    ['creates as many pods as may run in parallel', {}, ['create', 'create', 'status active=2']],
    ['creates no more pods than completions are missing', { status: { succeeded: 2 } }, ['create', 'status active=1 succeeded=2']],
    [
      'creates no pods once one has succeeded, without completions',
      { spec: { completions: undefined }, status: { succeeded: 1 }, pods: [running('a')] },
      ['status active=1 succeeded=1'],
    ],
    [
      'creates the pods of the lowest free indexes',
      { spec: indexed, pods: [createPod('a', { index: 1 })], status: { completedIndexes: '0' } },
      ['create 2', 'status active=2 succeeded=1 completedIndexes=0'],
    ],
    [
      'deletes surplus pods, those that are not ready first, after their finalizers',
      { spec: { parallelism: 1 }, pods: [ready('a'), running('b')] },
      ['release b', 'delete b', 'status active=1 ready=1 terminating=1'],
    ],
    [
      'deletes a second pod of an index, and one whose index is too high',
      {
        spec: { ...indexed, parallelism: 3 },
        pods: [createPod('a', { index: 1 }), createPod('b', { index: 1, isReady: true }), createPod('c', { index: 3 })],
      },
      ['release a', 'release c', 'delete a', 'delete c', 'status active=1 ready=1 terminating=2'],
    ],
    [
      'counts a succeeded pod after its finalizer was removed',
      { pods: [createPod('a', { phase: 'Succeeded' }), running('b')] },
      ['create', 'status active=2 +a', 'release a', 'status active=2 succeeded=1'],
    ],
    [
      'does not count a pod whose finalizer could not be removed',
      { pods: [createPod('a', { phase: 'Succeeded' }), running('b')], failures: { 'release a': 'Timeout' } },
      ['create', 'status active=2 +a', 'release a'],
    ],
    [
      'counts a pod that the status contains, and that has no finalizer any more',
      { status: { uncountedTerminatedPods: { failed: ['uid-gone'] } }, pods: [running('a'), running('b')] },
      ['status active=2 failed=1'],
    ],
    [
      'counts a deleted pod as failed before it has ended',
      { pods: [createPod('a', { isDeleted: true, end: -700 }), running('b'), running('c')] },
      ['status active=2 terminating=1 -a', 'release a', 'status active=2 terminating=1 failed=1'],
    ],
    [
      'replaces a deleted pod only after its end, with the policy Failed',
      { spec: { podReplacementPolicy: 'Failed' }, pods: [createPod('a', { isDeleted: true }), running('b')] },
      ['status active=1 terminating=1'],
    ],
    [
      'creates a replacement with the failures of its index, and keeps the finalizer of the failed pod until then',
      { spec: perIndex, pods: [createPod('a', { phase: 'Failed', index: 0, failures: 0 }), createPod('b', { index: 1 })] },
      ['create 0 after 1 failures', 'status active=2'],
    ],
    [
      'creates a replacement without counting a failure that the policy ignores',
      {
        spec: { ...perIndex, ...onExitCode('Ignore') },
        pods: [createPod('a', { phase: 'Failed', index: 0, failures: 1, exitCode: 42 }), createPod('b', { index: 1 })],
      },
      ['create 0 after 1 failures', 'status active=2'],
    ],
    [
      'counts the failed pod once its replacement is active',
      {
        spec: perIndex,
        pods: [
          createPod('a', { phase: 'Failed', index: 0, failures: 0 }),
          createPod('b', { index: 0, failures: 1 }),
          createPod('c', { index: 1 }),
        ],
      },
      ['status active=2 -a', 'release a', 'status active=2 failed=1'],
    ],
    [
      'deletes the pods of a suspended Job',
      { spec: { suspend: true }, pods: [running('a')] },
      ['release a', 'delete a', 'status terminating=1 Suspended/JobSuspended'],
    ],
    [
      'creates the pods of a resumed Job',
      {
        spec: { parallelism: 1 },
        status: { conditions: [{ type: 'Suspended', status: 'True', reason: 'JobSuspended', message: 'Job suspended' }] },
      },
      ['create', 'status active=1 not Suspended'],
    ],
    [
      'adopts a pod without a controller',
      { spec: { parallelism: 1 }, pods: [createPod('a', { isOrphan: true, isTracked: false })] },
      ['get sum', 'adopt a', 'status active=1'],
    ],
    [
      'disowns a pod that its selector does not match',
      { spec: { parallelism: 0 }, pods: [createPod('a', { labels: {} })] },
      ['disown a', 'status'],
    ],
    ['ignores a Job of another controller', { spec: { managedBy: 'example.com/queue' } }, []],
    ['ignores a finished Job', { status: { conditions: [{ type: 'Complete', status: 'True' }] } }, []],
    [
      'creates no pods for a deleted Job, and counts all of its pods as failed',
      { metadata: { deletionTimestamp: at(0) }, pods: [createPod('a', { phase: 'Failed' })] },
      ['status -a', 'release a', 'status failed=1'],
    ],
    [
      'removes the finalizers of pods whose Job is gone',
      { isGone: true, pods: [createPod('a'), createPod('b', { isTracked: false })] },
      ['release a'],
    ],
  ])('%s', (_, options, calls) => expect(syncOnce(options).calls).toStrictEqual(calls));

  test.each<[string, Options, number | undefined]>([
    ['waits 10 s after the first failure before it creates a pod', { pods: [createPod('a', { phase: 'Failed', end: -3 })] }, 7000],
    [
      'waits twice as long after the second failure',
      { pods: [createPod('a', { phase: 'Failed', end: -9 }), createPod('b', { phase: 'Failed', end: -3 })] },
      17_000,
    ],
    [
      'waits at most 10 minutes',
      { spec: { backoffLimit: 20 }, pods: Array.from({ length: 9 }, (_, i) => createPod(`a${i}`, { phase: 'Failed', end: 0 })) },
      600_000,
    ],
    [
      'does not wait after a later success',
      { pods: [createPod('a', { phase: 'Failed', end: -3 }), createPod('b', { phase: 'Succeeded', end: -2 })] },
      undefined,
    ],
    [
      'does not wait after a success at the same time',
      { pods: [createPod('a', { phase: 'Failed', end: -3 }), createPod('b', { phase: 'Succeeded', end: -3 })] },
      undefined,
    ],
    [
      'waits for the back-off of an index if no other index is free',
      { spec: { ...perIndex, completions: 1 }, pods: [createPod('a', { phase: 'Failed', index: 0, end: -4 })] },
      6000,
    ],
    ['waits at least for the period of a batch', { pods: [createPod('a', { phase: 'Failed', end: -9.5 })] }, 1000],
    ['syncs at the deadline', { spec: { activeDeadlineSeconds: 30 }, status: { startTime: at(-10) } }, 20_000],
  ])('%s', (_, options, delay) => expect(syncOnce(options).nextSync).toBe(delay));

  test.each<[string, Options, string[]]>([
    ['reports completion', { status: { succeeded: 3 } }, ['Normal Completed: Job completed']],
    [
      'reports too many successes',
      { status: { succeeded: 4 } },
      ['Warning TooManySucceededPods: Too many succeeded pods running after completion count reached', 'Normal Completed: Job completed'],
    ],
    [
      'reports the pod that made the Job fail',
      { spec: onExitCode('FailJob'), pods: [createPod('a', { phase: 'Failed', exitCode: 42 })] },
      ['Warning PodFailurePolicy: Container c for pod default/a failed with exit code 42 matching FailJob rule at index 0'],
    ],
    [
      'reports a mode that it does not know',
      { spec: { completionMode: 'Other' } },
      ['Warning UnknownCompletionMode: Skipped Job sync because completion mode is unknown'],
    ],
  ])('%s', (_, options, events) => expect(syncOnce(options).events).toStrictEqual(events));

  test('creates at most 500 pods in a sync', () => {
    const { calls } = syncOnce({ spec: { parallelism: 600, completions: 600 } });
    expect(calls.filter((call) => call === 'create')).toHaveLength(500);
  });

  test('counts at most 500 pods in a sync, and completes later', () => {
    const pods = Array.from({ length: 501 }, (_, i) => createPod(`p${i}`, { phase: 'Succeeded' }));
    const { calls, events } = syncOnce({ spec: { completions: 501 }, pods });
    expect(calls.filter((call) => call.startsWith('release'))).toHaveLength(500);
    expect(events).toStrictEqual([]);
  });
});
