import { describe, expect, it } from 'vitest';
import {
  applyProbes,
  computeConditions,
  createProbe,
  explainReadiness,
  generateStatus,
  mergeStatus,
  recordStatus,
} from '../../src/readiness/index.ts';
import type { PodCondition } from '../../src/types/index.ts';
import { makePod, runningState, statusOf } from './pods.ts';

const now = '2026-01-01T00:00:10Z';
const observed = { containerStatuses: [statusOf('app', runningState())] };
const other = { type: 'example.com/other', status: 'True' };

/** The results in the last release with the old behavior, and in the first one with the new behavior. */
const compareReleases = <T>(before: string, since: string, compute: (version: string) => T): [T, T] => [compute(before), compute(since)];

describe('conditions before 1.12', () => {
  it('has no ContainersReady before 1.11', () => {
    expect(
      compareReleases('1.10.13', '1.11.0', (version) =>
        computeConditions(makePod(), { version, observed: { ...observed, phase: 'Running' } }).map(({ type }) => type),
      ),
    ).toStrictEqual([
      ['Initialized', 'Ready'],
      ['Initialized', 'Ready', 'ContainersReady'],
    ]);
  });

  it('ignores readiness gates before 1.11', () => {
    const pod = makePod({ readinessGates: [{ conditionType: 'example.com/gate' }] }, observed);
    expect(compareReleases('1.10.13', '1.11.0', (version) => computeConditions(pod, { version })[1]?.status)).toStrictEqual([
      'True',
      'False',
    ]);
  });

  it('explains a pod that is not ready without ContainersReady', () => {
    const readyFalse = { type: 'Ready', status: 'False' };
    const containerStatuses = [statusOf('app', runningState(), { ready: false })];
    const pod = makePod({ containers: [{ name: 'app', readinessProbe: {} }] }, { containerStatuses, conditions: [readyFalse] });
    expect(explainReadiness(pod, { version: '1.9' }).causes.map(({ code }) => code)).toStrictEqual(['ReadinessProbeFails']);
  });

  it('sets no transition time of PodScheduled before 1.10, and of ContainersReady before 1.12', () => {
    const conditions: PodCondition[] = [
      { type: 'PodScheduled', status: 'True' },
      { type: 'ContainersReady', status: 'True' },
    ];
    const timedTypes = (version: string) =>
      recordStatus({ pod: makePod(), status: { conditions }, now }, { version })
        .status?.conditions?.filter(({ lastTransitionTime }) => lastTransitionTime === now)
        .map(({ type }) => type);
    expect(['1.9.11', '1.10.0', '1.11.10', '1.12.0'].map(timedTypes)).toStrictEqual([
      [],
      ['PodScheduled'],
      ['PodScheduled'],
      ['PodScheduled', 'ContainersReady'],
    ]);
  });
});

describe('status before 1.16', () => {
  it('removes conditions of other owners before 1.11', () => {
    const input = { pod: makePod({}, { conditions: [other] }), observed, status: { conditions: [{ type: 'Ready', status: 'True' }] }, now };
    const hasOther = (conditions: readonly PodCondition[]) => conditions.some(({ type }) => type === other.type);
    expect(
      compareReleases('1.10.13', '1.11.0', (version) => [
        hasOther(generateStatus(input, { version }).conditions),
        hasOther(mergeStatus(input, { version }).conditions),
      ]),
    ).toStrictEqual([
      [false, false],
      [true, true],
    ]);
  });

  it('lets a pod leave a terminal phase before 1.10', () => {
    const pod = makePod({}, { phase: 'Failed' });
    expect(compareReleases('1.9.11', '1.10.0', (version) => generateStatus({ pod, observed }, { version }).phase)).toStrictEqual([
      'Running',
      'Failed',
    ]);
  });

  it('copies PodScheduled before 1.10, with its time', () => {
    const scheduled = { type: 'PodScheduled', status: 'False', lastTransitionTime: '2026-01-01T00:00:00Z' };
    const findScheduled = (version: string, conditions = [scheduled]) =>
      generateStatus({ pod: makePod({}, { conditions }), observed }, { version }).conditions.filter(({ type }) => type === 'PodScheduled');
    expect(compareReleases('1.9.11', '1.10.0', findScheduled)).toStrictEqual([[scheduled], [{ type: 'PodScheduled', status: 'True' }]]);
    expect(findScheduled('1.9.11', [])).toStrictEqual([]);
  });

  it('has only phase, reason and message for an evicted pod before 1.13', () => {
    const eviction = { reason: 'Evicted', message: 'low on memory' };
    const input = { pod: makePod({}, { conditions: [other] }), observed, eviction, podIPs: ['10.0.0.1'], hostIPs: ['192.0.2.1'] };
    const evicted = { phase: 'Failed', ...eviction };
    expect(compareReleases('1.12.10', '1.13.0', (version) => generateStatus(input, { version }))).toStrictEqual([
      { ...evicted, conditions: [] },
      { ...evicted, podIP: '10.0.0.1', ...observed, conditions: [other] },
    ]);
  });

  it('has no podIPs before 1.16', () => {
    const input = { pod: makePod(), observed, podIPs: ['10.0.0.1'] };
    expect(compareReleases('1.15.12', '1.16.0', (version) => generateStatus(input, { version }).podIPs)).toStrictEqual([
      undefined,
      [{ ip: '10.0.0.1' }],
    ]);
  });
});

describe('probes before 1.17', () => {
  const probe = { failureThreshold: 1 };
  const pod = makePod({ containers: [{ name: 'app', readinessProbe: probe, livenessProbe: probe, startupProbe: probe }] });
  const unstarted = [{ name: 'app', containerID: 'docker://app', state: runningState(), ready: false }];

  it('does not report or await started before 1.16', () => {
    const compute = (version: string) => {
      const machine = createProbe({ kind: 'readiness', pod, container: 'app', version });
      const { probes } = machine.tick(machine.start, { now, status: { containerStatuses: unstarted } });
      return [probes, applyProbes(pod, { containerStatuses: unstarted }, { result: () => 'success' }, { version }).containerStatuses?.[0]];
    };
    expect(compareReleases('1.15.12', '1.16.0', compute)).toStrictEqual([
      [true, { ...unstarted[0], ready: true }],
      [false, { ...unstarted[0], ready: true, started: true }],
    ]);
  });

  it('counts one failure for the next container after a failed liveness probe before 1.11', () => {
    const runAfterFailure = (version: string) => {
      const machine = createProbe({ kind: 'liveness', pod, container: 'app', version });
      return machine.answer(machine.tick(machine.start, { now, status: { containerStatuses: unstarted } }).state, 'failure').run;
    };
    expect(compareReleases('1.10.13', '1.11.0', runAfterFailure)).toStrictEqual([1, 0]);
  });

  it('starts with a failed startup probe in 1.16, if the kubelet runs startup probes', () => {
    const firstResult = (version: string) => {
      const machine = createProbe({ kind: 'startup', pod, container: 'app', version, featureGates: { StartupProbe: true } });
      return machine.tick(machine.start, { now, status: { containerStatuses: unstarted } }).state.result;
    };
    expect(compareReleases('1.16.15', '1.17.0', firstResult)).toStrictEqual(['failure', 'unknown']);
  });
});
