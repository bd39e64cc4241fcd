import type { KubeletContainer, LifecycleHandler, StopBehaviour } from '@kube-endpoints/simulator/internal';
import type { Random } from '../random.ts';
import type { KillCase } from './case.ts';
import { makeKubeletPod, makeRuntime } from './generate-pod.ts';

/** Creates a pod whose containers have preStop hooks, most of which run, and how they stop. */
export function makeKillCase(random: Random): Omit<KillCase, 'id'> {
  const plain = makeKubeletPod(random);
  const withHook = (container: KubeletContainer): KubeletContainer => ({
    ...container,
    ...random.maybe(0.4, () => ({ lifecycle: { preStop: makeHook(random, container) } })),
  });
  const pod = {
    ...plain,
    metadata: { ...plain.metadata, ...random.maybe(0.4, () => ({ deletionGracePeriodSeconds: random.pick(gracePeriods) })) },
    spec: {
      ...plain.spec,
      containers: (plain.spec?.containers ?? []).map(withHook),
      initContainers: (plain.spec?.initContainers ?? []).map(withHook),
      ...random.maybe(0.9, () => ({ terminationGracePeriodSeconds: random.pick(gracePeriods) })),
    },
  };
  const made = makeRuntime(random, pod);
  const containers = made.containers.map((each) =>
    random.chance(0.7) && each.id.endsWith('-0') ? { ...each, state: 'running' as const } : each,
  );
  const running = containers.filter(({ state }) => state === 'running');
  const unknown = random.maybe(0.02, () => ({ id: 'containerd://gone-0', name: 'gone', state: 'running' as const, hash: 1 }));
  const killed = running.length > 0 ? random.maybe(0.35, () => random.pick(running)) : undefined;
  const reason = random.pick(['LivenessProbe', 'StartupProbe', 'Unknown', 'FailedPostStartHook'] as const);
  return {
    pod,
    runtime: { ...made, containers: unknown ? [...containers, unknown] : containers },
    ...random.maybe(0.3, () => ({ override: random.pick(gracePeriods) })),
    ...(killed && { container: { id: killed.id, name: killed.name, message: random.pick(['', `${killed.id} failed`]), reason } }),
    behaviours: Object.fromEntries(running.map(({ id }) => [id.replace('containerd://', ''), makeBehaviour(random)])),
  };
}

const gracePeriods = [0, 1, 2, 3, 5, 10, 30, 30, 60];
const durations = [0, 1, 500, 999, 1000, 1500, 2500, 5000, 7300, 10_000, 30_000, 45_100, 90_000];

const makeHook = (random: Random, { name }: KubeletContainer): LifecycleHandler =>
  random.pick<LifecycleHandler>([
    { exec: { command: ['/drain'] } },
    { exec: {} },
    { sleep: { seconds: random.pick([0, 1, 5, 30, 60]) } },
    { httpGet: { port: 80, path: '/drain', ...{ host: `${name}-0` } } },
    {},
  ]);

const makeBehaviour = (random: Random): StopBehaviour => ({
  ...random.maybe(0.8, () => ({ hook: random.pick(durations) })),
  ...random.maybe(0.2, () => ({ hookFails: true })),
  ...random.maybe(0.8, () => ({ exitsAfter: random.pick(durations) })),
  ...random.maybe(0.05, () => ({ stopFails: true })),
});
