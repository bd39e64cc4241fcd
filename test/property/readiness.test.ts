import { describe, expect, it } from 'vitest';
import {
  computeConditions,
  createProbe,
  explainReadiness,
  generateStatus,
  mergeStatus,
  podPhase,
  recordStatus,
} from '../../src/readiness/index.ts';
import type { Pod, PodCondition, PodStatus } from '../../src/types/index.ts';
import { fc } from '../support/property.ts';
import { freezeDeeply } from './check.ts';
import { type Observation, observations, podHistories, releases } from './readiness-arbitraries.ts';

const checkInEveryRelease = <T>(arbitrary: fc.Arbitrary<T>, check: (value: T, version: string) => void, numRuns = 60): void =>
  fc.assert(
    fc.property(arbitrary, (value) => {
      for (const version of releases) check(freezeDeeply(value), version);
    }),
    { numRuns },
  );

const statusIn = (conditions: readonly PodCondition[] | null | undefined, type: string) =>
  conditions?.find((condition) => condition.type === type)?.status;

const kubeletConditions = ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'];
const timeAt = (second: number): string => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString().replace('.000Z', 'Z');
const terminalPhases = ['Succeeded', 'Failed'];

/** Yields the stored status after each observation: as the kubelet, generates a status, records it and writes it. */
function* replay(
  { pod, observations: sequence }: { readonly pod: Pod; readonly observations: readonly Observation[] },
  version: string,
): Generator<PodStatus> {
  let stored: PodStatus = {};
  let previousStatus: PodStatus | undefined;
  for (const [second, { gate, running, containerStatuses, initContainerStatuses, ...observation }] of sequence.entries()) {
    const others = (stored.conditions ?? []).filter(({ type }) => type !== gate.type);
    stored = { ...stored, conditions: [...others, gate] };
    const now = timeAt(second);
    const storedPod = { ...pod, status: stored };
    const status = generateStatus(
      { pod: storedPod, previousStatus, observed: { containerStatuses, initContainerStatuses }, ...observation },
      { version },
    );
    previousStatus = recordStatus({ pod: storedPod, previousStatus, status, now }, { version }).status ?? previousStatus;
    if (previousStatus) stored = mergeStatus({ pod: storedPod, status: previousStatus, running, now }, { version });
    yield freezeDeeply(stored);
  }
}

describe('computed pod conditions', () => {
  const observedPods = podHistories.chain(({ pod }) => fc.record({ pod: fc.constant(pod), observation: observations(pod) }));

  it('are Ready only with ContainersReady, and ContainersReady only if all containers are ready', () => {
    checkInEveryRelease(observedPods, ({ pod, observation: { gate, ...observed } }, version) => {
      const phase = podPhase(pod, { version, observed });
      const conditions = computeConditions(pod, { version, observed: { ...observed, phase }, conditions: [gate] });
      if (statusIn(conditions, 'Ready') === 'True') expect(statusIn(conditions, 'ContainersReady')).toBe('True');
      const areReady = observed.containerStatuses.every(({ ready }) => ready);
      if (statusIn(conditions, 'ContainersReady') === 'True') expect(areReady).toBe(true);
      for (const { status, reason, message } of conditions) if (message) expect([status, typeof reason]).toEqual(['False', 'string']);
    });
  });

  it('have a cause if and only if Ready is False', () => {
    checkInEveryRelease(observedPods, ({ pod, observation: { containerStatuses, initContainerStatuses, gate } }, version) => {
      const status = { phase: podPhase(pod, { version, observed: { containerStatuses, initContainerStatuses } }), conditions: [gate] };
      const storedPod = { ...pod, status: { ...status, containerStatuses, initContainerStatuses } };
      const { conditions, causes } = explainReadiness(storedPod, { version });
      expect(causes.length > 0).toBe(statusIn(conditions, 'Ready') === 'False');
    });
  });
});

describe('the stored status of a pod over time', () => {
  it('never moves lastTransitionTime backwards, and advances it if the status of a condition changes', () => {
    checkInEveryRelease(podHistories, (history, version) => {
      let previousStatus: PodStatus = {};
      for (const status of replay(history, version)) {
        for (const type of kubeletConditions) {
          const [previous, current] = [previousStatus, status].map(({ conditions }) =>
            conditions?.find((condition) => condition.type === type),
          );
          if (!previous || !current) continue;
          const [previousTime, currentTime] = [String(previous.lastTransitionTime), String(current.lastTransitionTime)];
          expect(currentTime >= previousTime).toBe(true);
          if (previous.status !== current.status) expect(currentTime > previousTime).toBe(true);
        }
        previousStatus = status;
      }
    });
  });

  it('never leaves a terminal phase', () => {
    checkInEveryRelease(podHistories, (history, version) => {
      let terminalPhase: string | undefined;
      for (const { phase } of replay(history, version)) {
        // Up to 1.21, evicting a pod that has succeeded changes its phase to Failed.
        if (terminalPhase) expect(Number(version.split('.')[1]) < 22 ? terminalPhases : [terminalPhase]).toContain(phase);
        else if (phase && terminalPhases.includes(phase)) terminalPhase = phase;
      }
    });
  });

  it('has no ready conditions in a terminal phase, from 1.25 on', () => {
    checkInEveryRelease(podHistories, (history, version) => {
      if (Number(version.split('.')[1]) < 25) return;
      for (const { phase, conditions } of replay(history, version))
        if (phase && terminalPhases.includes(phase))
          for (const type of ['Ready', 'ContainersReady']) expect(statusIn(conditions, type)).not.toBe('True');
    });
  });

  it('keeps conditions of other writers', () => {
    checkInEveryRelease(podHistories, (history, version) => {
      const statuses = new Map<string, string>();
      for (const [step, { conditions }] of [...replay(history, version)].entries()) {
        const { gate } = history.observations[step] as Observation;
        statuses.set(gate.type, gate.status);
        for (const [type, status] of statuses) expect(statusIn(conditions, type)).toBe(status);
      }
    });
  });

  it('does not change if a second write contains the same status', () => {
    checkInEveryRelease(podHistories, (history, version) => {
      for (const status of replay(history, version)) {
        const { pod } = history;
        const recorded = recordStatus({ pod, previousStatus: status, status, now: timeAt(99) }, { version }).status;
        if (recorded)
          expect(mergeStatus({ pod, stored: status, status: recorded, now: timeAt(99) }, { version }).conditions).toEqual(
            status.conditions,
          );
      }
    });
  });
});

describe('a readiness probe', () => {
  const outcomes = fc.array(fc.constantFrom('success', 'failure', 'error', 'restart'), { maxLength: 30 });
  const thresholds = fc.record({ successThreshold: fc.integer({ min: 1, max: 3 }), failureThreshold: fc.integer({ min: 1, max: 3 }) });

  /** The stored result of a readiness probe, computed from all its outcomes. */
  function expectedResults(
    outcomes: readonly string[],
    { successThreshold, failureThreshold }: { successThreshold: number; failureThreshold: number },
  ) {
    let stored = 'failure';
    return outcomes.map((outcome, step) => {
      const results = outcomes.slice(0, step + 1).filter((each) => each === 'success' || each === 'failure');
      const hasReached = (result: string, count: number) =>
        results.length >= count && results.slice(-count).every((each) => each === result);
      if (outcome === 'restart') stored = 'failure';
      else if (outcome === 'success' && hasReached('success', successThreshold)) stored = 'success';
      else if (outcome === 'failure' && hasReached('failure', failureThreshold)) stored = 'failure';
      return stored;
    });
  }

  it('stores the result that its last outcomes determine', () => {
    checkInEveryRelease(fc.tuple(outcomes, thresholds), ([probeOutcomes, readinessProbe], version) => {
      const pod = { spec: { containers: [{ name: 'app', readinessProbe }] } };
      const probe = createProbe({ kind: 'readiness', pod, container: 'app', version });
      let restartCount = 0;
      const tick = (state: typeof probe.start) =>
        probe.tick(state, {
          now: timeAt(9),
          status: {
            containerStatuses: [
              { name: 'app', containerID: `c://${restartCount}`, started: true, state: { running: { startedAt: timeAt(0) } } },
            ],
          },
        });
      let { state } = tick(probe.start);
      const results = probeOutcomes.map((outcome) => {
        if (outcome === 'restart') restartCount++;
        const ticked = tick(state);
        expect(ticked.probes).toBe(true);
        state = outcome === 'restart' ? ticked.state : probe.answer(ticked.state, outcome as 'success');
        return state.result;
      });
      expect(results).toEqual(expectedResults(probeOutcomes, readinessProbe));
    });
  });
});

describe('malformed pods', () => {
  const keys = [
    'metadata',
    'spec',
    'status',
    'containers',
    'initContainers',
    'containerStatuses',
    'initContainerStatuses',
    'state',
    'name',
  ];
  const otherKeys = [
    'running',
    'terminated',
    'waiting',
    'lastState',
    'conditions',
    'type',
    'readinessGates',
    'conditionType',
    'phase',
    'ready',
  ];
  const anyObject = fc.object({ key: fc.constantFrom(...keys, ...otherKeys), maxDepth: 6, withNullPrototype: true });

  it('cause no error other than TypeError', () => {
    fc.assert(
      fc.property(anyObject, (value) => {
        for (const compute of [computeConditions, podPhase, explainReadiness]) {
          try {
            compute(value as Pod);
          } catch (error) {
            expect(error).toBeInstanceOf(TypeError);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
