import type { KubeletContainer, KubeletPod, Resources, RuntimeContainer, StoredProbeResult } from '@kube-endpoints/simulator/internal';
import { createRandom, type Random } from '../random.ts';
import {
  type ActionsCase,
  type KubeletCase,
  type KubeletCases,
  type KubeletMode,
  kubeletModes,
  type SyncCase,
  type TerminationCase,
} from './case.ts';
import { makePullCase, makeRestartCase } from './generate-back-off.ts';
import { makeKillCase } from './generate-kill.ts';
import { makeKubeletPod, makeResources, makeRuntime } from './generate-pod.ts';
import { makeShutdownCase } from './generate-shutdown.ts';
import { makeStatusCase } from './generate-status.ts';
import { makeWorkerCase } from './generate-worker.ts';

/** Generates random cases of a mode, deterministic for a seed. */
export function* generateKubelet(mode: KubeletMode, seed: number, count: number, from = 0): Generator<KubeletCase> {
  for (let number = from; number < from + count; number++)
    yield { id: `${seed}-${mode}-${number}`, ...makers[mode](createRandom(seed, number, kubeletModes.indexOf(mode))) } as KubeletCase;
}

const makers: { readonly [Mode in KubeletMode]: (random: Random) => Omit<KubeletCases[Mode], 'id'> } = {
  actions: makeActionsCase,
  sync: makeSyncCase,
  restart: makeRestartCase,
  pull: makePullCase,
  kill: makeKillCase,
  worker: makeWorkerCase,
  status: makeStatusCase,
  shutdown: makeShutdownCase,
  termination: makeTerminationCase,
};

function makeActionsCase(random: Random): Omit<ActionsCase, 'id'> {
  const pod = makeKubeletPod(random);
  const runtime = makeRuntime(random, pod);
  const containers = [...(pod.spec?.initContainers ?? []), ...(pod.spec?.containers ?? [])];
  const isActuated = random.chance(0.85);
  const actuate = (resources: Resources | null | undefined): Resources => (random.chance(0.85) ? (resources ?? {}) : makeResources(random));
  return {
    pod,
    runtime,
    liveness: makeResults(random, runtime.containers),
    startup: makeResults(random, runtime.containers),
    ...(isActuated && {
      actuated: {
        ...random.maybe(0.9, () => ({ pod: actuate(pod.spec?.resources) })),
        containers: Object.fromEntries(containers.map(({ name, resources }) => [name, actuate(resources)])),
      },
    }),
    ...random.maybe(0.06, () => ({ restartAllContainers: true })),
  };
}

/** Creates a case of one sync, in which images are valid and resources do not change. */
function makeSyncCase(random: Random): Omit<SyncCase, 'id'> {
  const made = makeKubeletPod(random);
  const simplify = (container: KubeletContainer): KubeletContainer => ({ ...container, image: 'web:1' });
  const { containers, initContainers, ephemeralContainers, ...spec } = made.spec ?? {};
  const pod: KubeletPod = {
    ...made,
    spec: {
      ...spec,
      ...sharedUsers,
      containers: (containers?.length ? containers : [{ name: 'c0' }]).map(simplify),
      initContainers: (initContainers ?? []).map(simplify),
      ephemeralContainers: (ephemeralContainers ?? []).map(simplify),
    },
  };
  const runtime = makeRuntime(random, pod);
  const all = [...(pod.spec?.initContainers ?? []), ...(pod.spec?.containers ?? [])];
  const names = [...all, ...(pod.spec?.ephemeralContainers ?? []), { name: 'sandbox' }].map(({ name }) => name ?? '');
  return {
    pod,
    runtime,
    liveness: makeResults(random, runtime.containers),
    startup: makeResults(random, runtime.containers),
    actuated: { pod: pod.spec?.resources ?? {}, containers: Object.fromEntries(all.map(({ name, resources }) => [name, resources ?? {}])) },
    ...random.maybe(0.1, () => ({ restartAllContainers: true })),
    failing: names.filter(() => random.chance(0.15)),
    crashing: names.filter(() => random.chance(0.2)),
  };
}

/** The program cannot create user namespaces. */
const sharedUsers = { hostUsers: true };

/** Draws at most 20 results: the kubelet's result managers block when their channel is full. */
const makeResults = (random: Random, containers: readonly RuntimeContainer[]): Record<string, StoredProbeResult> =>
  Object.fromEntries(
    containers
      .filter(({ state }) => state === 'running' && random.chance(0.6))
      .map(({ id }): [string, StoredProbeResult] => [id, random.pick(['success', 'success', 'success', 'failure', 'unknown'])])
      .slice(0, 20),
  );

/** Creates a case in which some steps fail, and others take time. */
function makeTerminationCase(random: Random): Omit<TerminationCase, 'id'> {
  return {
    ...random.maybe(0.7, () => ({ gracePeriod: random.pick([1, 5, 30]) })),
    failing: fallibleSteps.filter(() => random.chance(0.08)),
    removed: random.chance(0.3),
    killLasts: random.pick([0, 1500, 30_000]),
    volumesExist: random.pick([0, 0, 50, 100, 2350]),
  };
}

const fallibleSteps = ['killPod', 'readRuntimeStatus', 'end', 'releaseResources', 'unmountVolumes', 'removeCgroups'];
