import {
  checkRestartBackOff,
  computePodActions,
  createPodWorker,
  createRestartBackOff,
  hashContainer,
  type KubeletPod,
  killPod,
  type RuntimeStatus,
  type StopBehaviour,
} from '@kube-endpoints/simulator/internal';
import { describe, expect, it } from 'vitest';

const web = { name: 'web', image: 'web:1' };
const proxy = { name: 'proxy', image: 'proxy:1', restartPolicy: 'Always' };
const podWith = (spec: KubeletPod['spec']): KubeletPod => ({
  metadata: { name: 'p', namespace: 'shop', uid: 'u1' },
  spec: { terminationGracePeriodSeconds: 30, ...spec },
});
const running = (...containers: { readonly name: string; readonly image: string }[]): RuntimeStatus => ({
  sandboxes: [{ id: 's0', attempt: 0, ready: true, ip: '10.0.0.1' }],
  containers: containers.map((container) => ({
    id: `containerd://${container.name}`,
    name: container.name,
    state: 'running',
    hash: hashContainer(container),
  })),
});

describe('killPod', () => {
  const kill = (pod: KubeletPod, status: RuntimeStatus, behaviour: StopBehaviour = {}) =>
    killPod(status, { pod, at: 0, behaviourOf: () => behaviour }).containers;

  it('subtracts a preStop sleep from the grace period', () => {
    const pod = podWith({ containers: [{ ...web, lifecycle: { preStop: { sleep: { seconds: 5 } } } }] });
    expect(kill(pod, running(web))).toMatchObject([{ stop: { at: 5000, gracePeriod: 25 }, endedAt: 30_000 }]);
  });

  it('gives a container 2 seconds after a preStop hook that uses up the grace period', () => {
    const pod = podWith({ containers: [{ ...web, lifecycle: { preStop: { exec: { command: ['/drain'] } } } }] });
    expect(kill(pod, running(web), { hook: 60_000, exitsAfter: 500 })).toMatchObject([
      { stop: { at: 30_000, gracePeriod: 2 }, endedAt: 30_500 },
    ]);
  });

  it('stops a sidecar when the regular containers have ended', () => {
    const pod = podWith({ containers: [web], initContainers: [proxy] });
    expect(kill(pod, running(web, proxy), { exitsAfter: 3400 })).toMatchObject([
      { name: 'web', stop: { at: 0, gracePeriod: 30 } },
      { name: 'proxy', stop: { at: 3400, gracePeriod: 27 }, endedAt: 6800 },
    ]);
  });
});

describe('computePodActions', () => {
  it('kills a running container whose image changes, and starts it again, whatever the restart policy', () => {
    const pod = podWith({ containers: [{ ...web, image: 'web:2' }], restartPolicy: 'Never' });
    expect(computePodActions({ pod, status: running(web) })).toMatchObject({
      killPod: false,
      containersToKill: [{ id: 'containerd://web', message: 'Container web definition changed, will be restarted' }],
      containersToStart: [0],
    });
  });

  it('keeps a container whose environment changes', () => {
    const changed = { ...web, env: [{ name: 'A', value: '1' }] };
    expect(computePodActions({ pod: podWith({ containers: [changed] }), status: running(web) })).toMatchObject({
      containersToKill: [],
      containersToStart: [],
    });
  });
});

describe('createPodWorker', () => {
  it('cancels the sync of a pod that is deleted, and terminates it with the grace period of the deletion', () => {
    const pod = podWith({ containers: [web] });
    const deleted = { ...pod, metadata: { ...pod.metadata, deletionTimestamp: '2030-01-01T00:00:00Z', deletionGracePeriodSeconds: 7 } };
    const worker = createPodWorker({ now: () => 0 });
    expect(worker.update({ type: 'create', pod })).toMatchObject({ work: { do: 'sync' } });
    expect(worker.update({ type: 'update', pod: deleted })).toStrictEqual({ cancel: true });
    expect(worker.finish({ result: 'cancelled' })).toMatchObject({ work: { do: 'terminating', gracePeriod: 7 } });
    expect(worker.finish({ result: 'done' })).toMatchObject({ work: { do: 'terminated' } });
    expect(worker.finish({ result: 'done' })).toStrictEqual({});
  });

  it('never extends a grace period', () => {
    const pod = podWith({ containers: [web] });
    const worker = createPodWorker({ now: () => 0 });
    worker.update({ type: 'kill', pod, kill: { evict: true, gracePeriodSeconds: 5 } });
    expect(worker.update({ type: 'kill', pod, kill: { gracePeriodSeconds: 60 } })).toStrictEqual({ cancel: false });
    expect(worker.state.gracePeriod).toBe(5);
  });
});

describe('checkRestartBackOff', () => {
  it('doubles the delay of a container that fails at once, from 10 seconds to 5 minutes', () => {
    let now = 0;
    const pod = podWith({ containers: [web] });
    const backOff = createRestartBackOff({ now: () => now });
    const delays = Array.from({ length: 8 }, () => {
      const finishedAt = new Date(now).toISOString();
      const status: RuntimeStatus = { sandboxes: [], containers: [{ id: 'c', name: 'web', state: 'exited', hash: 0, finishedAt }] };
      const from = now;
      now = checkRestartBackOff(pod, web, status, backOff)?.until ?? now;
      if (now > from) checkRestartBackOff(pod, web, status, backOff);
      return (now - from) / 1000;
    });
    expect(delays).toStrictEqual([0, 10, 20, 40, 80, 160, 300, 300]);
  });
});
