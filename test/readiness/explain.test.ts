import { describe, expect, it } from 'vitest';
import { explainReadiness, type ReadinessCause } from '../../src/readiness/index.ts';
import type { Pod, PodStatus } from '../../src/types/index.ts';
import { makePod, runningState, sidecar, statusOf, terminatedState, waitingState } from './pods.ts';

const causesOf = (spec: Pod['spec'], status: PodStatus, version?: string): readonly ReadinessCause[] => {
  const conditions = [{ type: 'Ready', status: 'False' }];
  return explainReadiness(makePod(spec, { phase: 'Running', conditions, ...status }), { version }).causes;
};
const app = 'pod.status.containerStatuses[0]';

describe('explainReadiness', () => {
  it('returns no causes for a ready pod', () => {
    const status = {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True' }],
      containerStatuses: [statusOf('app', waitingState())],
    };
    const { ready, conditions, causes } = explainReadiness(makePod({}, status));
    expect([ready, causes]).toEqual([true, []]);
    expect(conditions.map(({ type, status: word }) => [type, word])).toEqual([
      ['Initialized', 'True'],
      ['Ready', 'False'],
      ['ContainersReady', 'False'],
    ]);
  });

  it('returns no causes without a status, and StatusesUnknown if the condition says so', () => {
    expect(explainReadiness({})).toMatchObject({ ready: false, causes: [] });
    expect(causesOf({}, {})).toEqual([]);
    const conditions = [{ type: 'Ready', status: 'False', reason: 'UnknownContainerStatuses' }];
    expect(causesOf({}, { conditions })).toEqual([{ code: 'StatusesUnknown', path: 'pod.status.containerStatuses', values: {} }]);
  });

  it('names a waiting container and its last termination', () => {
    const status = statusOf(
      'app',
      { waiting: { reason: 'CrashLoopBackOff', message: 'back-off' } },
      { lastState: terminatedState(1), restartCount: 4 },
    );
    const state = 'waiting: CrashLoopBackOff, back-off; last ended with code 1 (Error), restarted 4 times';
    expect(causesOf({}, { containerStatuses: [status] })).toEqual([
      { code: 'ContainerWaiting', path: `${app}.state.waiting`, values: { container: 'app', state } },
    ]);
  });

  it('names a container that has terminated or has no known state', () => {
    const spec = { containers: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] };
    const containerStatuses = [statusOf('b', {}, { ready: false }), statusOf('a', terminatedState(137, 'OOMKilled'), { restartCount: 1 })];
    expect(causesOf(spec, { containerStatuses })).toEqual([
      {
        code: 'ContainerEnded',
        path: 'pod.status.containerStatuses[1].state.terminated',
        values: { container: 'a', state: 'ended with code 137 (OOMKilled); restarted once' },
      },
      { code: 'ContainerUnknown', path: `${app}.state`, values: { container: 'b' } },
      { code: 'ContainerUnknown', path: 'pod.spec.containers[2]', values: { container: 'c' } },
    ]);
  });

  it('names the failing probe', () => {
    const startupProbe = { tcpSocket: { port: 'http' }, failureThreshold: 30, initialDelaySeconds: 5 };
    const readinessProbe = { httpGet: { port: 8080 }, periodSeconds: 5 };
    const spec = { containers: [{ name: 'app', startupProbe, readinessProbe }] };
    const started = { containerStatuses: [statusOf('app', runningState(), { ready: false })] };
    expect(causesOf(spec, started)).toEqual([
      {
        code: 'ReadinessProbeFails',
        path: 'pod.spec.containers[0].readinessProbe',
        values: { container: 'app', probe: 'HTTP GET / on port 8080, every 5 s, failing after 3' },
      },
    ]);
    expect(causesOf(spec, { containerStatuses: [statusOf('app', runningState(), { ready: false, started: false })] })).toEqual([
      {
        code: 'ContainerNotStarted',
        path: 'pod.spec.containers[0].startupProbe',
        values: {
          container: 'app',
          since: ' since 2026-01-01T00:00:00Z',
          probe: 'TCP on port http, after an initial delay of 5 s, every 10 s, failing after 30',
        },
      },
    ]);
    expect(causesOf({}, started)[0]).toEqual({ code: 'ContainerNotReady', path: `${app}.ready`, values: { container: 'app' } });
  });

  it.each([
    [{ exec: { command: ['cat', '/ok'] } }, 'command "cat /ok"'],
    [{ grpc: { port: 9 } }, 'gRPC on port 9'],
    [{ httpGet: { path: '/ready', port: 'web' } }, 'HTTP GET /ready on port web'],
  ])('describes the probe %j', (readinessProbe, text) => {
    const containerStatuses = [statusOf('app', runningState(), { ready: false })];
    const [cause] = causesOf({ containers: [{ name: 'app', readinessProbe }] }, { containerStatuses });
    expect(cause?.values['probe']).toBe(`${text}, every 10 s, failing after 3`);
  });

  it('names the first incomplete init container, which blocks all others', () => {
    const spec = { initContainers: [{ name: 'one' }, sidecar('two'), { name: 'three' }] };
    const containerStatuses = [statusOf('app', waitingState('PodInitializing'))];
    const inits = (...initContainerStatuses: PodStatus['initContainerStatuses'] & object) =>
      causesOf(spec, { phase: 'Pending', containerStatuses, initContainerStatuses });
    const [one, two] = [statusOf('one', terminatedState(), { ready: true }), statusOf('two', runningState())];
    expect(inits(statusOf('one', runningState(), { ready: false }))).toEqual([
      {
        code: 'InitContainerIncomplete',
        path: 'pod.status.initContainerStatuses[0].state',
        values: { container: 'one', state: 'running' },
      },
    ]);
    expect(inits(one, statusOf('two', runningState(), { started: false }))[0]).toMatchObject({
      code: 'ContainerNotStarted',
      path: 'pod.status.initContainerStatuses[1].started',
    });
    expect(inits(one, two)).toEqual([
      {
        code: 'InitContainerIncomplete',
        path: 'pod.spec.initContainers[2]',
        values: { container: 'three', state: 'no status yet' },
      },
    ]);
  });

  it('includes sidecars from 1.28 on', () => {
    const spec = { initContainers: [sidecar('proxy')] };
    const status = {
      containerStatuses: [statusOf('app', runningState())],
      initContainerStatuses: [statusOf('proxy', terminatedState(1))],
    };
    expect(causesOf(spec, status)[0]).toMatchObject({
      code: 'ContainerEnded',
      path: 'pod.status.initContainerStatuses[0].state.terminated',
    });
    expect(causesOf(spec, status, '1.27')[0]?.code).toBe('ReadyConditionOverridden');
  });

  it('names the failing readiness gates once the containers are ready', () => {
    const readinessGates = ['a', 'b', 'c'].map((conditionType) => ({ conditionType }));
    const conditions = [
      { type: 'Ready', status: 'False' },
      { type: 'a', status: 'True' },
      { type: 'c', status: 'False', reason: 'Unhealthy', message: 'target 3' },
    ];
    expect(causesOf({ readinessGates }, { containerStatuses: [statusOf('app', runningState())], conditions })).toEqual([
      { code: 'ReadinessGateMissing', path: 'pod.spec.readinessGates[1]', values: { gate: '"b"' } },
      {
        code: 'ReadinessGateNotTrue',
        path: 'pod.spec.readinessGates[2]',
        values: { gate: '"c"', status: '"False"', details: ' (Unhealthy, target 3)' },
      },
    ]);
  });

  it('reports a pod that has ended, and a pod that another client marked as not ready', () => {
    const containerStatuses = [statusOf('app', runningState())];
    expect(causesOf({}, { phase: 'Failed', containerStatuses })).toEqual([
      { code: 'PodEndedNotReady', path: 'pod.status.phase', values: { phase: 'Failed' } },
    ]);
    const conditions = [{ type: 'Ready', status: 'Unknown' }];
    expect(causesOf({}, { containerStatuses, conditions })).toEqual([
      { code: 'ReadyConditionOverridden', path: 'pod.status.conditions[Ready]', values: { status: 'Unknown' } },
    ]);
    expect(causesOf({}, { containerStatuses, conditions: [] })).toEqual([]);
  });
});
