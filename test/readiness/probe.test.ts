import { describe, expect, it } from 'vitest';
import { createProbe, type ProbeOptions, type ProbeResult } from '../../src/readiness/index.ts';
import { type ProbeTime, ranBeforeKubelet } from '../../src/readiness/probe.ts';
import type { ContainerStatus, Pod, Probe } from '../../src/types/index.ts';
import { makePod, runningState, sidecar, statusOf, terminatedState, waitingState } from './pods.ts';

const now = '2026-01-01T00:01:00Z';
const timeOf = (container: Partial<ContainerStatus> = {}, more: Partial<ProbeTime> = {}): ProbeTime => ({
  now,
  status: { phase: 'Running', containerStatuses: [statusOf('app', runningState(), container)] },
  ...more,
});

const machineFor = (kind: ProbeOptions['kind'], probe: Probe = {}, more: Partial<ProbeOptions> = {}, spec: Pod['spec'] = {}) =>
  createProbe({ kind, container: 'app', pod: makePod({ containers: [{ name: 'app', [`${kind}Probe`]: probe }], ...spec }), ...more });

/** The stored result after each outcome, for a running container. */
function runOutcomes(machine: ReturnType<typeof machineFor>, outcomes: readonly (ProbeResult | 'error')[], time = timeOf()) {
  let { state } = machine.tick(machine.start, time);
  return outcomes.map((outcome) => {
    const ticked = machine.tick(state, time);
    state = ticked.probes ? machine.answer(ticked.state, outcome) : ticked.state;
    return ticked.probes ? state.result : 'not made';
  });
}

const startingTime = timeOf({ started: false, ready: false });

describe('createProbe', () => {
  it.each([
    ['startup', 'unknown', startingTime],
    ['readiness', 'failure', timeOf()],
    ['liveness', 'success', timeOf()],
  ] as const)('a %s probe stores %s before the first run', (kind, result, time) => {
    const machine = machineFor(kind);
    expect(machine.tick(machine.start, time)).toEqual({
      state: { containerID: 'containerd://app', result, run: 0, onHold: false, ended: false },
      probes: true,
    });
  });

  it('requires as many consecutive successes and failures as the thresholds say', () => {
    const machine = machineFor('readiness', { successThreshold: 2, failureThreshold: 3 });
    expect(runOutcomes(machine, ['success', 'failure', 'success', 'success', 'failure', 'failure', 'error', 'failure'])).toEqual([
      'failure',
      'failure',
      'failure',
      'success',
      'success',
      'success',
      'success',
      'failure',
    ]);
  });

  it('uses the default thresholds and period of the API server', () => {
    expect(runOutcomes(machineFor('readiness'), ['success', 'failure', 'failure', 'failure'])).toEqual([
      'success',
      'success',
      'success',
      'failure',
    ]);
    expect([machineFor('readiness').periodSeconds, machineFor('readiness', { periodSeconds: 3 }).periodSeconds]).toEqual([10, 3]);
  });

  it('waits for initialDelaySeconds', () => {
    const machine = machineFor('readiness', { initialDelaySeconds: 30 });
    const probesAt = (seconds: string) => machine.tick(machine.start, timeOf({}, { now: `2026-01-01T00:00:${seconds}Z` })).probes;
    expect([probesAt('29'), probesAt('29.999'), probesAt('30')]).toEqual([false, false, true]);
    expect(machine.tick(machine.start, timeOf({ state: { running: {} } })).probes).toBe(true);
  });

  it('runs only the startup probe until the container has started, and never after', () => {
    const probes = (kind: ProbeOptions['kind'], time: ProbeTime) => machineFor(kind).tick(machineFor(kind).start, time).probes;
    expect([probes('readiness', startingTime), probes('liveness', startingTime), probes('startup', startingTime)]).toEqual([
      false,
      false,
      true,
    ]);
    expect([probes('readiness', timeOf()), probes('liveness', timeOf()), probes('startup', timeOf())]).toEqual([true, true, false]);
  });

  it('stops after a failure that restarts the container, until the next container runs', () => {
    const machine = machineFor('liveness', { failureThreshold: 1 });
    expect(runOutcomes(machine, ['failure', 'success'])).toEqual(['failure', 'not made']);
    const failed = machine.answer(machine.tick(machine.start, timeOf()).state, 'failure');
    expect(machine.tick(failed, timeOf({ containerID: 'containerd://next' }))).toMatchObject({
      state: { result: 'success', onHold: false, run: 0 },
      probes: true,
    });
    expect(runOutcomes(machineFor('readiness', { failureThreshold: 1 }), ['failure', 'success'])).toEqual(['failure', 'success']);
  });

  it('stops a startup probe that has succeeded from 1.32 on', () => {
    expect(runOutcomes(machineFor('startup', {}, { version: '1.31' }), ['success', 'success'], startingTime)).toEqual([
      'success',
      'success',
    ]);
    expect(runOutcomes(machineFor('startup', {}, { version: '1.32' }), ['success', 'success'], startingTime)).toEqual([
      'success',
      'not made',
    ]);
    expect(runOutcomes(machineFor('startup'), ['unknown', 'success'], startingTime)).toEqual(['unknown', 'not made']);
  });

  it('continues its count in the next container', () => {
    const machine = machineFor('liveness', { failureThreshold: 2 });
    const failedOnce = machine.answer(machine.tick(machine.start, timeOf()).state, 'failure');
    const nextState = machine.tick(failedOnce, timeOf({ containerID: 'containerd://next' })).state;
    expect(nextState).toMatchObject({ result: 'success', run: 1 });
    expect(machine.answer(nextState, 'failure').result).toBe('failure');
  });

  it('fails if the container does not run, and ends if it will not run again', () => {
    const resultFor = (state: ContainerStatus['state'], more: Partial<ProbeOptions> = {}, spec: Pod['spec'] = {}) => {
      const machine = machineFor('readiness', {}, more, { restartPolicy: 'Never', ...spec });
      const { result, ended } = machine.tick(machine.start, timeOf({ state: state ?? {} })).state;
      return ended ? 'ended' : result;
    };
    expect(resultFor(waitingState())).toBe('failure');
    expect(resultFor(terminatedState(1))).toBe('ended');
    expect(resultFor(terminatedState(1), { version: '1.17' })).toBe('ended');
    expect(resultFor(terminatedState(1), {}, { restartPolicy: 'OnFailure' })).toBe('failure');
    expect(resultFor(terminatedState(0), {}, { restartPolicy: 'OnFailure' })).toBe('ended');
    expect(resultFor(terminatedState(0), { version: '1.34' }, { restartPolicy: 'OnFailure' })).toBe('failure');
  });

  it('continues in a sidecar of a pod with restartPolicy Never', () => {
    const spec = { restartPolicy: 'Never', containers: [], initContainers: [{ ...sidecar('app'), readinessProbe: {} }] };
    const time: ProbeTime = { now, status: { initContainerStatuses: [statusOf('app', terminatedState(1))] } };
    const ends = (version: string) => {
      const machine = machineFor('readiness', {}, { version }, spec);
      return machine.tick(machine.start, time).state.ended;
    };
    expect(['1.28', '1.33.5', '1.33.6', '1.34.1', '1.34.2', '1.35', '1.37'].map(ends)).toEqual([
      true,
      true,
      false,
      true,
      false,
      false,
      false,
    ]);
  });

  it('continues if all containers are restarted', () => {
    const spec = {
      restartPolicy: 'Never',
      containers: [
        { name: 'app', readinessProbe: {} },
        { name: 'b', restartPolicyRules: rules },
      ],
    };
    const ends = (other: ContainerStatus, version?: string, conditions: { type: string; status: string }[] = []) => {
      const machine = machineFor('readiness', {}, { version }, spec);
      const containerStatuses = [statusOf('app', terminatedState(1)), other];
      return machine.tick(machine.start, { now, status: { containerStatuses, conditions } }).state.ended;
    };
    expect(ends(statusOf('b', terminatedState(42)))).toBe(false);
    expect(ends(statusOf('b', terminatedState(42)), '1.35')).toBe(true);
    expect(ends(statusOf('b', terminatedState(1)))).toBe(true);
    expect(ends(statusOf('b', runningState()), '1.37', [{ type: 'AllContainersRestarting', status: 'True' }])).toBe(false);
  });

  const rules = [{ action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [42] } }];

  it('ends with the pod; startup and liveness probes also end with its deletion', () => {
    const machine = machineFor('liveness');
    const endedState = machine.tick(machine.start, timeOf({}, { status: { phase: 'Failed' } })).state;
    expect(endedState).toMatchObject({ ended: true });
    expect(machine.tick(endedState, timeOf())).toEqual({ state: endedState, probes: false });
    expect(machine.answer(endedState, 'failure')).toBe(endedState);
    expect(machine.tick(machine.start, timeOf({}, { deleted: true }))).toMatchObject({ state: { ended: true }, probes: false });
    const ends = (kind: ProbeOptions['kind'], version: string) => {
      const other = machineFor(kind, {}, { version });
      return other.tick(other.start, timeOf({}, { deleted: true })).state.ended;
    };
    expect([ends('readiness', '1.37'), ends('liveness', '1.20.5'), ends('liveness', '1.20.6')]).toEqual([false, false, true]);
  });

  it('waits while the container has no status', () => {
    const machine = machineFor('readiness');
    for (const time of [{ now }, timeOf({ name: 'other' }), timeOf({ containerID: '' })])
      expect(machine.tick(machine.start, time)).toEqual({ state: machine.start, probes: false });
  });

  it('stores no result for a container that ran before the kubelet, until the first probe, from 1.35 on', () => {
    const storedResult = (kubeletStart: string, version?: string) => {
      const machine = machineFor('readiness', {}, { kubeletStart, version });
      return machine.tick(machine.start, timeOf()).state.result;
    };
    expect(storedResult('2026-01-01T00:00:10Z')).toBe('failure');
    expect(storedResult('2026-01-01T00:00:11Z')).toBeUndefined();
    expect(storedResult('2026-01-01T00:00:11Z', '1.34')).toBe('failure');
    const spec = { containers: [], initContainers: [{ ...sidecar('app'), startupProbe: {} }] };
    const time: ProbeTime = { now, status: { initContainerStatuses: [statusOf('app', runningState())] } };
    const initialStartupResult = (version: string) => {
      const machine = machineFor('startup', {}, { version, kubeletStart: now }, spec);
      return machine.tick(machine.start, time).state.result;
    };
    expect(['1.34', '1.35.3', '1.35.4', '1.36'].map(initialStartupResult)).toEqual(['unknown', undefined, 'success', 'success']);
  });

  it('refuses a probe that the container does not define', () => {
    expect(() => createProbe({ kind: 'readiness', pod: makePod(), container: 'app' })).toThrow(TypeError);
    expect(() => createProbe({ kind: 'readiness', pod: makePod(), container: 'b' })).toThrow(/"b" with a readiness probe/);
    expect(() => machineFor('startup', {}, { version: '1.17' })).toThrow(TypeError);
    const spec = { containers: [], initContainers: [{ ...sidecar('app'), readinessProbe: {} }] };
    expect(() => machineFor('readiness', {}, { version: '1.27' }, spec)).toThrow(TypeError);
  });
});

it('ranBeforeKubelet is false for a container without a start time', () => {
  expect([
    ranBeforeKubelet({ state: { running: {} } }, now),
    ranBeforeKubelet({}, now),
    ranBeforeKubelet(statusOf('a', runningState()), undefined),
  ]).toEqual([false, false, false]);
});
