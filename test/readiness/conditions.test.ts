import { describe, expect, it } from 'vitest';
import { computeConditions } from '../../src/readiness/index.ts';
import type { PodStatus } from '../../src/types/index.ts';
import { makePod, runningState, sidecar, statusOf, terminatedState, waitingState } from './pods.ts';

const readyStatus: PodStatus = { phase: 'Running', containerStatuses: [statusOf('app', runningState())] };
const conditionIn = (type: string, ...[pod, options]: Parameters<typeof computeConditions>) =>
  computeConditions(pod, options).find((condition) => condition.type === type);

describe('computeConditions', () => {
  it('returns Initialized, Ready and ContainersReady', () => {
    expect(computeConditions(makePod({}, readyStatus))).toEqual([
      { type: 'Initialized', status: 'True' },
      { type: 'Ready', status: 'True' },
      { type: 'ContainersReady', status: 'True' },
    ]);
  });

  it('distinguishes an absent list of statuses from an empty one', () => {
    expect(conditionIn('Ready', makePod({}, { phase: 'Pending' }))).toEqual({
      type: 'Ready',
      status: 'False',
      reason: 'UnknownContainerStatuses',
    });
    expect(conditionIn('Ready', makePod({}, { containerStatuses: [], initContainerStatuses: [] }))).toEqual({
      type: 'Ready',
      status: 'False',
      reason: 'ContainersNotReady',
      message: 'containers with unknown status: [app]',
    });
    expect(conditionIn('Ready', makePod({}, { containerStatuses: [] }), { version: '1.27' })?.reason).toBe('ContainersNotReady');
    expect(conditionIn('Ready', makePod({}, { containerStatuses: [] }), { version: '1.28' })?.reason).toBe('UnknownContainerStatuses');
  });

  it('lists unknown containers before unready ones, sidecars first', () => {
    const pod = makePod(
      { initContainers: [sidecar('proxy')], containers: [{ name: 'a' }, { name: 'b' }] },
      {
        containerStatuses: [statusOf('b', waitingState())],
        initContainerStatuses: [statusOf('proxy', waitingState())],
      },
    );
    const message = 'containers with unknown status: [a], containers with unready status: [proxy b]';
    expect(conditionIn('ContainersReady', pod)?.message).toBe(message);
    expect(conditionIn('ContainersReady', pod, { version: '1.27' })?.message).toBe(message.replace('proxy ', ''));
  });

  it.each([
    ['Succeeded', '1.17', 'PodCompleted'],
    ['Succeeded', '1.37', 'PodCompleted'],
    ['Failed', '1.37', 'PodFailed'],
    ['Failed', '1.22.11', 'PodFailed'],
    ['Failed', '1.22.10', undefined],
  ])('sets the reason of a pod that is %s, in %s: %s', (phase, version, reason) => {
    expect(conditionIn('Ready', makePod({}, { ...readyStatus, phase }), { version })?.reason).toBe(reason);
  });

  it('evaluates readiness gates once all containers are ready', () => {
    const readinessGates = ['a', 'b"', 'c'].map((conditionType) => ({ conditionType }));
    const conditions = [
      { type: 'a', status: 'True' },
      { type: 'c', status: 'Unknown' },
    ];
    const pod = makePod({ readinessGates }, { ...readyStatus, conditions });
    expect(conditionIn('Ready', pod)).toEqual({
      type: 'Ready',
      status: 'False',
      reason: 'ReadinessGatesNotReady',
      message:
        'corresponding condition of pod readiness gate "b\\"" does not exist., the status of pod readiness gate "c" is not "True", but Unknown',
    });
    expect(conditionIn('ContainersReady', pod)?.status).toBe('True');
    expect(conditionIn('Ready', pod, { conditions: readinessGates.map((gate) => ({ type: gate.conditionType, status: 'True' })) })).toEqual(
      {
        type: 'Ready',
        status: 'True',
      },
    );
  });

  it('requires completed init containers and started sidecars', () => {
    const spec = { initContainers: [{ name: 'one' }, sidecar('two')] };
    const initContainerStatuses = [
      statusOf('one', terminatedState(), { ready: true }),
      statusOf('two', runningState(), { started: false }),
    ];
    const pod = makePod(spec, { containerStatuses: [statusOf('app', waitingState())], initContainerStatuses });
    expect(conditionIn('Initialized', pod)?.message).toBe('containers with incomplete status: [two]');
    const previousCondition = { type: 'Initialized', status: 'True' };
    expect(conditionIn('Initialized', pod, { previousStatus: { conditions: [previousCondition] } })).toEqual(previousCondition);
    expect(conditionIn('Initialized', pod, { previousStatus: { conditions: [previousCondition] }, version: '1.35' })?.status).toBe('False');
    const startedPod = { ...pod, status: { ...pod.status, containerStatuses: [statusOf('app', terminatedState(1))] } };
    expect(conditionIn('Initialized', startedPod)).toEqual(previousCondition);
  });

  it('sets observedGeneration from 1.34 on, and in 1.33 if it was set before', () => {
    const pod = makePod({}, readyStatus, { generation: 7 });
    const generations = (version: string, observedGeneration?: number) =>
      computeConditions(pod, {
        version,
        previousStatus: { conditions: [{ type: 'Ready', ...(observedGeneration && { observedGeneration }) }] },
      }).map((condition) => condition.observedGeneration);
    expect(generations('1.34')).toEqual([7, 7, 7]);
    expect(generations('1.33')).toEqual([undefined, undefined, undefined]);
    expect(generations('1.33', 3)).toEqual([undefined, 7, undefined]);
    expect(generations('1.32', 3)).toEqual([undefined, undefined, undefined]);
  });

  it('accepts a pod without any fields', () => {
    expect(computeConditions({}).map(({ status }) => status)).toEqual(['True', 'False', 'False']);
  });
});
