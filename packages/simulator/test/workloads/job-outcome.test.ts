import type { ApiObject } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { at, createPod, indexed, type Options, onExitCode, perIndex, ready, running, syncOnce } from './jobs.ts';

describe('the job controller at the end of a Job', () => {
  test.each<[string, Options, string[]]>([
    [
      'fails after too many failures, and deletes the other pods',
      { spec: { backoffLimit: 0 }, pods: [createPod('a', { phase: 'Failed' }), ready('b')] },
      [
        'delete b',
        'status terminating=1 -a -b FailureTarget/BackoffLimitExceeded',
        'release a',
        'release b',
        'status terminating=1 failed=2 FailureTarget/BackoffLimitExceeded',
      ],
    ],
    [
      'is not failed while an active pod could not be deleted',
      { spec: { backoffLimit: 0 }, pods: [createPod('a', { phase: 'Failed' }), running('b')], failures: { 'delete b': 'Timeout' } },
      ['delete b', 'status active=1 -a', 'release a', 'status active=1 failed=1'],
    ],
    [
      'fails after too many restarts of containers, with the restart policy OnFailure',
      {
        spec: { backoffLimit: 2, template: { spec: { containers: [{ name: 'c' }], restartPolicy: 'OnFailure' } } },
        pods: [
          { ...running('a'), status: { phase: 'Running', containerStatuses: [{ name: 'c', restartCount: 2 }] } } as unknown as ApiObject,
        ],
      },
      [
        'delete a',
        'status terminating=1 -a FailureTarget/BackoffLimitExceeded',
        'release a',
        'status terminating=1 failed=1 FailureTarget/BackoffLimitExceeded',
      ],
    ],
    [
      'fails at its deadline',
      { spec: { activeDeadlineSeconds: 10 }, status: { startTime: at(-10) }, pods: [running('a')] },
      [
        'delete a',
        'status terminating=1 -a FailureTarget/DeadlineExceeded',
        'release a',
        'status terminating=1 failed=1 FailureTarget/DeadlineExceeded',
      ],
    ],
    [
      'completes once all pods are counted',
      { status: { succeeded: 2 }, pods: [createPod('a', { phase: 'Succeeded' })] },
      [
        'status succeeded=2 +a SuccessCriteriaMet/CompletionsReached',
        'release a',
        'status succeeded=3 SuccessCriteriaMet/CompletionsReached Complete/CompletionsReached',
      ],
    ],
    [
      'does not complete while a pod terminates',
      { spec: { podReplacementPolicy: 'Failed' }, status: { succeeded: 3 }, pods: [createPod('a', { isDeleted: true })] },
      ['status terminating=1 succeeded=3 SuccessCriteriaMet/CompletionsReached', 'release a'],
    ],
    [
      'does not count a failure that its policy ignores, and removes the finalizer',
      {
        spec: { backoffLimit: 0, ...onExitCode('Ignore') },
        pods: [createPod('a', { phase: 'Failed', exitCode: 42 }), running('b'), running('c')],
      },
      ['status active=2', 'release a'],
    ],
    [
      'fails at once if its policy says so',
      { spec: onExitCode('FailJob'), pods: [createPod('a', { phase: 'Failed', exitCode: 42 })] },
      ['status -a FailureTarget/PodFailurePolicy', 'release a', 'status failed=1 FailureTarget/PodFailurePolicy Failed/PodFailurePolicy'],
    ],
    [
      'does not match the exit code 0 of a failed pod',
      {
        spec: { podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { operator: 'NotIn', values: [42] } }] } },
        pods: [createPod('a', { phase: 'Failed', exitCode: 0, end: -100 }), running('b'), running('c')],
      },
      ['status active=2 -a', 'release a', 'status active=2 failed=1'],
    ],
    [
      'fails because of a condition of a pod if its policy says so',
      {
        spec: { podFailurePolicy: { rules: [{ action: 'FailJob', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }] } },
        pods: [createPod('a', { phase: 'Failed', conditions: [{ type: 'DisruptionTarget', status: 'True' }] })],
      },
      ['status -a FailureTarget/PodFailurePolicy', 'release a', 'status failed=1 FailureTarget/PodFailurePolicy Failed/PodFailurePolicy'],
    ],
    [
      'gives up an index after its last failure',
      { spec: perIndex, pods: [createPod('a', { phase: 'Failed', index: 0, failures: 1 }), createPod('b', { index: 1 })] },
      ['create 2 after 0 failures', 'status active=2 failedIndexes=0 -a', 'release a', 'status active=2 failed=1 failedIndexes=0'],
    ],
    [
      'gives up an index at once if its policy says so',
      {
        spec: { ...perIndex, ...onExitCode('FailIndex') },
        pods: [createPod('a', { phase: 'Failed', index: 0, exitCode: 42 }), createPod('b', { index: 1 })],
      },
      ['create 2 after 0 failures', 'status active=2 failedIndexes=0 -a', 'release a', 'status active=2 failed=1 failedIndexes=0'],
    ],
    [
      'fails once too many indexes have failed',
      { spec: { ...perIndex, maxFailedIndexes: 0 }, pods: [createPod('a', { phase: 'Failed', index: 0, failures: 1 })] },
      [
        'status failedIndexes=0 -a FailureTarget/MaxFailedIndexesExceeded',
        'release a',
        'status failed=1 failedIndexes=0 FailureTarget/MaxFailedIndexesExceeded Failed/MaxFailedIndexesExceeded',
      ],
    ],
    [
      'fails at its end if an index has failed',
      { spec: perIndex, status: { completedIndexes: '0,1', failedIndexes: '2', succeeded: 2 } },
      [
        'status succeeded=2 completedIndexes=0,1 failedIndexes=2 FailureTarget/FailedIndexes',
        'status succeeded=2 completedIndexes=0,1 failedIndexes=2 FailureTarget/FailedIndexes Failed/FailedIndexes',
      ],
    ],
    [
      'succeeds by its success policy, and deletes the other pods without counting them as failed',
      {
        spec: { ...indexed, successPolicy: { rules: [{ succeededIndexes: '0,2' }, { succeededCount: 1 }] } },
        pods: [createPod('a', { phase: 'Succeeded', index: 1 }), createPod('b', { index: 0 })],
      },
      ['delete b', 'status terminating=1 succeeded=1 completedIndexes=1 SuccessCriteriaMet/SuccessPolicy', 'release b', 'release a'],
    ],
  ])('%s', (_, options, calls) => expect(syncOnce(options).calls).toStrictEqual(calls));
});
