import { describe, expect, it } from 'vitest';
import { type GenerateInput, generateStatus } from '../../src/readiness/index.ts';
import { makePod, runningState, statusOf, terminatedState } from './pods.ts';

const appRunning: GenerateInput['observed'] = { containerStatuses: [statusOf('app', runningState())] };
const appEnded = (code: number): GenerateInput['observed'] => ({ containerStatuses: [statusOf('app', terminatedState(code))] });
const typesOf = (input: GenerateInput, version?: string) => generateStatus(input, { version }).conditions.map(({ type }) => type);

describe('generateStatus', () => {
  it('computes phase, addresses and conditions from the observed state', () => {
    const pod = makePod({}, {}, { generation: 3 });
    const [podIPs, hostIPs] = [['10.0.0.1'], ['192.0.2.1']];
    expect(generateStatus({ pod, observed: appRunning, podIPs, hostIPs })).toEqual({
      observedGeneration: 3,
      phase: 'Running',
      hostIP: '192.0.2.1',
      hostIPs: [{ ip: '192.0.2.1' }],
      podIP: '10.0.0.1',
      podIPs: [{ ip: '10.0.0.1' }],
      ...appRunning,
      conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
        type,
        status: 'True',
        observedGeneration: 3,
      })),
    });
  });

  it('never leaves a terminal phase', () => {
    const pod = makePod({}, { phase: 'Succeeded' });
    expect(generateStatus({ pod, observed: appRunning }).phase).toBe('Succeeded');
    expect(generateStatus({ pod, observed: appRunning }, { version: '1.17' }).phase).toBe('Succeeded');
    const previousStatus = { phase: 'Failed', reason: 'Evicted', message: 'low on memory' };
    expect(generateStatus({ pod: makePod(), previousStatus, observed: appRunning })).toMatchObject(previousStatus);
    expect(generateStatus({ pod: makePod(), previousStatus, observed: appRunning }, { version: '1.21' }).phase).toBe('Running');
    expect(generateStatus({ pod, previousStatus, observed: appRunning }).phase).toBe('Succeeded');
  });

  it('keeps reason and message while the phase stays the same', () => {
    const previousStatus = { phase: 'Running', reason: 'Why' };
    const pod = makePod({ restartPolicy: 'Never' }, { phase: 'Running', message: 'because' });
    expect(generateStatus({ pod, previousStatus, observed: appRunning })).toMatchObject({ reason: 'Why', message: 'because' });
    expect(generateStatus({ pod, previousStatus, observed: appEnded(1) })).not.toHaveProperty('reason');
  });

  it('sets phase, reason and message of an evicted pod', () => {
    const conditions = [{ type: 'example.com/other', status: 'True' }];
    const pod = makePod({}, { phase: 'Running', reason: 'Why', conditions });
    const eviction = { reason: 'Evicted', message: 'low on memory' };
    const evictedStatus = generateStatus({ pod, observed: appRunning, eviction, hostIPs: ['192.0.2.1'] });
    expect(evictedStatus).toMatchObject({ phase: 'Failed', ...eviction, hostIP: '192.0.2.1' });
    expect(evictedStatus.conditions.find(({ type }) => type === 'Ready')?.reason).toBe('PodFailed');
    expect(generateStatus({ pod, observed: appRunning, eviction, hostIPs: ['192.0.2.1'] }, { version: '1.21' })).toEqual({
      phase: 'Failed',
      ...eviction,
      ...appRunning,
      conditions,
    });
    const finished = makePod({}, { phase: 'Succeeded' });
    expect(generateStatus({ pod: finished, observed: appRunning, eviction })).toMatchObject({ phase: 'Succeeded', ...eviction });
  });

  it('puts conditions of other writers first and its own in a fixed order', () => {
    const conditions = ['Ready', 'example.com/other', 'PodReadyToStartContainers', 'DisruptionTarget'].map((type) => ({
      type,
      status: 'True',
    }));
    const input = {
      pod: makePod({}, { conditions }),
      observed: appRunning,
      sandbox: { ready: true },
      resize: [{ type: 'PodResizePending', status: 'True' }],
    };
    const ownTypes = ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'];
    expect(typesOf(input)).toEqual(['example.com/other', 'DisruptionTarget', 'PodResizePending', 'PodReadyToStartContainers', ...ownTypes]);
    expect(typesOf(input, '1.28')).toEqual(['example.com/other', 'PodReadyToStartContainers', 'DisruptionTarget', ...ownTypes]);
  });

  it('keeps DisruptionTarget from its own earlier status', () => {
    const previousStatus = { conditions: [{ type: 'DisruptionTarget', status: 'True' }] };
    expect(typesOf({ pod: makePod(), previousStatus, observed: appRunning })).toContain('DisruptionTarget');
    expect(typesOf({ pod: makePod(), previousStatus, observed: appRunning }, '1.25')).not.toContain('DisruptionTarget');
  });

  it('sets PodReadyToStartContainers from the sandbox, or keeps the previous condition', () => {
    const type = 'PodReadyToStartContainers';
    const findCondition = (sandbox: GenerateInput['sandbox'], version?: string, previousStatus = {}) =>
      generateStatus({ pod: makePod(), previousStatus, observed: appRunning, sandbox }, { version }).conditions.find(
        (condition) => condition.type === type,
      );
    expect(findCondition({ ready: true })).toEqual({ type, status: 'True' });
    const message = 'no sandbox';
    expect(findCondition({ ready: false, message })).toEqual({ type, status: 'False', reason: 'PodSandboxNotReady', message });
    expect(findCondition({ ready: false, message }, '1.36')).toEqual({ type, status: 'False' });
    expect(findCondition({ ready: true }, '1.28')).toBeUndefined();
    expect(findCondition(undefined)).toBeUndefined();
    expect(findCondition(undefined, '1.37', { conditions: [{ type, status: 'False' }] })).toEqual({ type, status: 'False' });
  });

  it('finds the condition of a readiness gate only among those computed before Ready', () => {
    const readinessGates = [{ conditionType: 'Initialized' }, { conditionType: 'PodScheduled' }];
    const { conditions } = generateStatus({ pod: makePod({ readinessGates }), observed: appRunning });
    expect(conditions.find(({ type }) => type === 'Ready')?.message).toBe(
      'corresponding condition of pod readiness gate "PodScheduled" does not exist.',
    );
  });

  it('reports AllContainersRestarting until the containers are gone', () => {
    const restartPolicyRules = [{ action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [42] } }];
    const pod = makePod({ containers: [{ name: 'app', restartPolicy: 'Never', restartPolicyRules }] });
    const findRestartCondition = (observed: GenerateInput['observed'], previousStatus = {}, version?: string) =>
      generateStatus({ pod, previousStatus, observed }, { version }).conditions.find(({ type }) => type === 'AllContainersRestarting');
    expect(findRestartCondition(appEnded(42))).toMatchObject({ status: 'True', reason: 'RestartAllContainersStarted' });
    expect(findRestartCondition(appRunning)).toEqual({ type: 'AllContainersRestarting', status: 'False' });
    const previousStatus = { conditions: [{ type: 'AllContainersRestarting', status: 'True' }] };
    expect(findRestartCondition(appRunning, previousStatus)?.status).toBe('True');
    expect(findRestartCondition({ containerStatuses: [] }, previousStatus)?.status).toBe('False');
    expect(findRestartCondition(appEnded(0))).toMatchObject({ status: 'False' });
    expect(findRestartCondition(appRunning, { phase: 'Failed' })).toMatchObject({ status: 'False', reason: 'PodFailed' });
    expect(findRestartCondition(appEnded(42), {}, '1.35')).toBeUndefined();
  });

  it('applies probe results', () => {
    const pod = makePod({ containers: [{ name: 'app', readinessProbe: {} }] });
    const unprobed = { containerStatuses: [statusOf('app', runningState(), { ready: false, started: false })] };
    const status = (result?: 'success') => generateStatus({ pod, observed: unprobed, probes: { result: () => result } });
    expect(status().conditions[1]).toMatchObject({ type: 'Ready', status: 'False' });
    expect(status('success').conditions[1]).toMatchObject({ type: 'Ready', status: 'True' });
    expect(status('success').containerStatuses?.[0]).toMatchObject({ started: true, ready: true });
  });
});
