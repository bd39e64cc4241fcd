import { describe, expect, it } from 'vitest';
import { podPhase } from '../../src/readiness/index.ts';
import { isStatic, type PhaseOptions } from '../../src/readiness/phase.ts';
import type { ContainerState, Pod } from '../../src/types/index.ts';
import { makePod, runningState, sidecar, statusOf, terminatedState, waitingState } from './pods.ts';

const twoContainers = { containers: [{ name: 'a' }, { name: 'b' }] };

/** The phase of a pod with containers a and b in these states; an undefined state means that there is no status. */
const phaseOf = (spec: Pod['spec'], a?: ContainerState, b?: ContainerState, options: PhaseOptions = {}) => {
  const statuses = [a && statusOf('a', a), b && statusOf('b', b)].filter((each) => each !== undefined);
  return podPhase(makePod({ ...twoContainers, ...spec }, { containerStatuses: statuses }), options);
};

describe('podPhase', () => {
  it.each([
    ['Always', runningState(), runningState(), 'Running'],
    ['Always', runningState(), terminatedState(1), 'Running'],
    ['Always', runningState(), waitingState(), 'Pending'],
    ['Always', runningState(), undefined, 'Pending'],
    ['Always', runningState(), {}, 'Pending'],
    ['Always', terminatedState(), terminatedState(), 'Running'],
    ['OnFailure', terminatedState(), terminatedState(), 'Succeeded'],
    ['OnFailure', terminatedState(), terminatedState(1), 'Running'],
    ['Never', terminatedState(), terminatedState(1), 'Failed'],
    ['Never', terminatedState(), terminatedState(), 'Succeeded'],
  ])('with restartPolicy %s and containers in the states %j and %j, the phase is %s', (restartPolicy, a, b, expected) => {
    for (const version of ['1.17', '1.28', '1.37']) expect(phaseOf({ restartPolicy }, a, b, { version }), version).toBe(expected);
  });

  it('treats a container that waits for a restart as terminated', () => {
    const pod = makePod({}, { containerStatuses: [statusOf('app', waitingState('CrashLoopBackOff'), { lastState: terminatedState(1) })] });
    expect(podPhase(pod)).toBe('Running');
    expect(podPhase({ ...pod, spec: { ...pod.spec, restartPolicy: 'Never' } })).toBe('Failed');
  });

  it('is Pending without any status, and Failed if an init container fails that is never restarted', () => {
    expect(podPhase(makePod())).toBe('Pending');
    expect(podPhase({})).toBe('Pending');
    const pod = makePod(
      { initContainers: [{ name: 'init' }], restartPolicy: 'Never' },
      { initContainerStatuses: [statusOf('init', terminatedState(1))] },
    );
    for (const version of ['1.17', '1.28', '1.35', '1.37']) expect(podPhase(pod, { version })).toBe('Failed');
    expect(podPhase({ ...pod, spec: { ...pod.spec, restartPolicy: 'OnFailure' } })).toBe('Pending');
  });

  it('waits for sidecars to start, unless the pod has been initialized', () => {
    const spec = { initContainers: [sidecar('proxy')] };
    const proxy = statusOf('proxy', runningState(), { started: false });
    const startingPod = makePod(spec, { containerStatuses: [statusOf('app', waitingState())], initContainerStatuses: [proxy] });
    expect(podPhase(startingPod)).toBe('Pending');
    const startedPod = makePod(spec, { containerStatuses: [statusOf('app', runningState())], initContainerStatuses: [proxy] });
    for (const version of ['1.28', '1.32', '1.33', '1.37']) expect(podPhase(startedPod, { version })).toBe('Running');
    expect(podPhase(startedPod, { version: '1.27' })).toBe('Pending');
    expect(podPhase(startedPod, { initialized: false })).toBe('Pending');
    expect(podPhase(startedPod, { initialized: false, version: '1.32' })).toBe('Running');
  });

  it('waits for init containers that are not sidecars from 1.32 on, even if a container has run', () => {
    const pod = makePod(
      { initContainers: [{ name: 'init' }] },
      { containerStatuses: [statusOf('app', terminatedState(1))], initContainerStatuses: [statusOf('init', runningState())] },
    );
    expect(['1.27', '1.28', '1.31', '1.32'].map((version) => podPhase(pod, { version }))).toEqual([
      'Pending',
      'Running',
      'Running',
      'Pending',
    ]);
  });

  it('ignores sidecars that have terminated', () => {
    const pod = makePod(
      { initContainers: [sidecar('proxy')], restartPolicy: 'Never' },
      { containerStatuses: [statusOf('app', terminatedState())], initContainerStatuses: [statusOf('proxy', terminatedState(143))] },
    );
    expect(podPhase(pod)).toBe('Succeeded');
    expect(podPhase(pod, { version: '1.27' })).toBe('Failed');
  });

  it('ends a finished pod regardless of its restartPolicy, except for static pods', () => {
    expect(phaseOf({}, terminatedState(), terminatedState(1), { finished: true })).toBe('Failed');
    expect(phaseOf({}, terminatedState(), terminatedState(), { finished: true })).toBe('Succeeded');
    expect(phaseOf({}, terminatedState(), terminatedState(), { finished: true, version: '1.26' })).toBe('Running');
    const annotations = { 'kubernetes.io/config.source': 'file' };
    const pod = makePod({}, { containerStatuses: [statusOf('app', terminatedState())] }, { annotations });
    expect(podPhase(pod, { finished: true })).toBe('Running');
    expect([
      isStatic(pod),
      isStatic(makePod()),
      isStatic(makePod({}, {}, { annotations: { 'kubernetes.io/config.source': 'api' } })),
    ]).toEqual([true, false, false]);
  });

  it('applies restart policies of containers from 1.35 on', () => {
    const pod = makePod(
      { restartPolicy: 'Never', containers: [{ name: 'app', restartPolicy: 'OnFailure' }] },
      { containerStatuses: [statusOf('app', terminatedState(1))] },
    );
    expect(podPhase(pod)).toBe('Running');
    expect(podPhase(pod, { version: '1.34' })).toBe('Failed');
  });

  it('does not count containers that terminated with RestartingAllContainers as failed from 1.36 on', () => {
    const pod = makePod(
      { restartPolicy: 'Never' },
      { containerStatuses: [statusOf('app', terminatedState(137, 'RestartingAllContainers'))] },
    );
    expect(['1.35', '1.36'].map((version) => podPhase(pod, { version }))).toEqual(['Failed', 'Running']);
  });
});
