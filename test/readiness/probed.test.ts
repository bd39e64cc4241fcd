import { describe, expect, it } from 'vitest';
import { applyProbes, type ProbeResults } from '../../src/readiness/index.ts';
import type { Container, ContainerStatus } from '../../src/types/index.ts';
import { makePod, runningState, sidecar, statusOf, terminatedState } from './pods.ts';

const unprobedStatus = (more: Partial<ContainerStatus> = {}): ContainerStatus =>
  statusOf('app', runningState(), { ready: false, started: false, ...more });

/** The status of a running container after the stored probe results are applied. */
const applyResults = (
  container: Omit<Container, 'name'>,
  results: Partial<Record<string, string>> = {},
  version = '1.37',
  more: Partial<ProbeResults> = {},
) => {
  const probes = { result: (kind: string) => results[kind], ...more } as ProbeResults;
  const pod = makePod({ containers: [{ name: 'app', ...container }] });
  return applyProbes(pod, { containerStatuses: [unprobedStatus()] }, probes, { version }).containerStatuses?.[0];
};

describe('applyProbes', () => {
  it('marks a container without probes as started and ready', () => {
    for (const version of ['1.17', '1.28', '1.37']) expect(applyResults({}, {}, version)).toMatchObject({ started: true, ready: true });
  });

  it('requires the startup probe, and then the readiness probe', () => {
    const bothProbes = { startupProbe: {}, readinessProbe: {} };
    expect(applyResults(bothProbes)).toMatchObject({ started: false, ready: false });
    expect(applyResults(bothProbes, { startup: 'unknown' })).toMatchObject({ started: false, ready: false });
    expect(applyResults(bothProbes, { startup: 'success' })).toMatchObject({ started: true, ready: false });
    expect(applyResults(bothProbes, { startup: 'success', readiness: 'success' })).toMatchObject({ started: true, ready: true });
    expect(applyResults(bothProbes, { readiness: 'success' }, '1.17')).toMatchObject({ started: true, ready: true });
  });

  it('requests an immediate probe if none has succeeded, from 1.21 on', () => {
    const probedAtOnce = (version: string, result?: string) => {
      const names: string[] = [];
      applyResults({ readinessProbe: {} }, { readiness: result }, version, { runAtOnce: (name) => names.push(name) });
      return names;
    };
    expect([
      probedAtOnce('1.20'),
      probedAtOnce('1.21'),
      probedAtOnce('1.21', 'failure'),
      probedAtOnce('1.22', 'failure'),
      probedAtOnce('1.37', 'success'),
    ]).toEqual([[], ['app'], [], ['app'], []]);
  });

  it('ignores a stored result without a probe worker', () => {
    const noWorker = { isWorkedOn: () => false };
    expect(applyResults({ readinessProbe: {} }, { readiness: 'failure' }, '1.37', noWorker)).toMatchObject({ ready: true });
    expect(applyResults({ readinessProbe: {} }, { readiness: 'failure' }, '1.21', noWorker)).toMatchObject({ ready: false });
  });

  it('keeps a container that ran before the kubelet ready, from 1.35 on', () => {
    const kubeletStart = '2026-01-01T01:00:00Z';
    const containers = [{ name: 'app', readinessProbe: {}, startupProbe: {} }];
    const statusFor = (status: string, version: string, result?: 'failure') => {
      const pod = makePod({ containers }, { conditions: [{ type: 'Ready', status }] });
      const probes: ProbeResults = { result: (kind) => (kind === 'readiness' ? result : undefined), kubeletStart };
      return applyProbes(pod, { containerStatuses: [unprobedStatus({ started: true })] }, probes, { version }).containerStatuses?.[0];
    };
    expect(statusFor('True', '1.37')).toMatchObject({ started: true, ready: true });
    expect(statusFor('True', '1.34')).toMatchObject({ started: false });
    expect(statusFor('False', '1.37')).toMatchObject({ started: true, ready: false });
    expect(statusFor('True', '1.37', 'failure')).toMatchObject({ ready: false });
  });

  it('marks completed init containers as ready, and treats sidecars like containers from 1.28 on', () => {
    const pod = makePod({ initContainers: [{ name: 'init' }, sidecar('proxy'), { name: 'bad' }] });
    const observed = {
      initContainerStatuses: [
        statusOf('init', terminatedState(), { ready: false }),
        statusOf('proxy', runningState(), { ready: false, started: false }),
        statusOf('other', runningState(), { ready: false }),
      ],
    };
    const ready = (version: string) =>
      applyProbes(pod, observed, { result: () => undefined }, { version }).initContainerStatuses?.map(({ ready, started }) => [
        ready,
        started,
      ]);
    expect(ready('1.37')).toEqual([
      [true, false],
      [true, true],
      [false, true],
    ]);
    expect(ready('1.27')).toEqual([
      [true, false],
      [false, false],
      [false, true],
    ]);
  });

  it('marks a terminated container as not started', () => {
    const status = statusOf('app', terminatedState(), { ready: true });
    const probedStatus = (version: string) =>
      applyProbes(makePod(), { containerStatuses: [status] }, { result: () => 'success' }, { version }).containerStatuses?.[0];
    expect(probedStatus('1.18.5')).toMatchObject({ started: false, ready: false });
    expect(probedStatus('1.37')).toMatchObject({ started: false, ready: true });
  });
});
