import type { Probe } from 'kube-endpoints/internal';
import type { Container, ContainerStatus, Pod, PodStatus } from 'kube-endpoints/types';
import type { Random } from '../random.ts';
import type { ReadinessCase, ReadinessTick } from './case.ts';
import { makePod, makeStatuses } from './generate.ts';

const kinds = ['startup', 'readiness', 'liveness'] as const;

/** Ages that clearly place the start of a container more or less than ten seconds before the kubelet's. */
const kubeletAges = [0, 100];
const containerAges = [5, 50, 105, 200];

/** The period is long, so that the oracle's workers do not probe by themselves. */
const makeProbe = (random: Random): Probe => ({
  exec: { command: ['true'] },
  periodSeconds: 3600,
  initialDelaySeconds: random.pick([0, 0, 0, 10, 60]),
  successThreshold: random.pick([1, 1, 1, 2, 3]),
  failureThreshold: random.pick([1, 1, 2, 3]),
});

function withProbes(random: Random, container: Container): Container {
  const probes = kinds.filter(() => random.chance(0.5)).map((kind) => [`${kind}Probe`, makeProbe(random)]);
  return { ...container, ...Object.fromEntries(probes) };
}

function makeProbedPod(random: Random): Pod {
  const { spec, ...pod } = makePod(random, false);
  const addProbes = (containers: readonly Container[]): Container[] => containers.map((each) => withProbes(random, each));
  return {
    ...pod,
    spec: {
      ...spec,
      containers: addProbes(spec?.containers ?? []),
      ...(spec?.initContainers && { initContainers: addProbes(spec.initContainers) }),
    },
  };
}

/** Creates a case with stored results of containers that may run; the restart count encodes their age. */
export function makeProbedCase(random: Random): Omit<ReadinessCase, 'id'> {
  const pod = makeProbedPod(random);
  const results: Record<string, Record<string, string>> = { startup: {}, readiness: {}, liveness: {} };
  const prepare = (containers: readonly Container[], { areInit }: { readonly areInit: boolean }): ContainerStatus[] =>
    makeStatuses(random, containers, areInit, random.chance(0.5)).map((status) => {
      for (const kind of kinds) {
        if (random.chance(0.5)) (results[kind] ?? {})[status.containerID ?? ''] = random.pick(['success', 'failure', 'unknown']);
      }
      return { ...status, restartCount: random.pick(containerAges) };
    });
  return {
    pod,
    former: {},
    containerStatuses: prepare(pod.spec?.containers ?? [], { areInit: false }),
    initContainerStatuses: prepare(pod.spec?.initContainers ?? [], { areInit: true }),
    results,
    kubeletAge: random.pick(kubeletAges),
  };
}

/** Creates a case with probes of one container over time: the container starts, succeeds and fails, ends, and is replaced. */
export function makeWorkerCase(random: Random): Omit<ReadinessCase, 'id'> {
  const { spec, ...rest } = makePod(random, false);
  const kind = random.pick(kinds);
  const isInit = random.chance(0.3);
  const own: Container = {
    ...random.pick([...(spec?.containers ?? []), {}]),
    name: 'own',
    ...(isInit && { restartPolicy: 'Always' }),
    [`${kind}Probe`]: makeProbe(random),
  };
  const list = isInit ? 'initContainers' : 'containers';
  const pod: Pod = { ...rest, spec: { ...spec, [list]: [...(spec?.[list] ?? []), own] } };
  return { pod, former: {}, kind, container: 'own', kubeletAge: random.pick(kubeletAges), ticks: makeTicks(random, pod, kind, isInit) };
}

function makeTicks(random: Random, pod: Pod, kind: (typeof kinds)[number], isInit: boolean): ReadinessTick[] {
  const current = { number: 0, state: 'running', started: kind !== 'startup', outcome: 'success' as ReadinessTick['outcome'] };
  const others = makeStatuses(random, pod.spec?.containers ?? [], false, true).filter(({ name }) => name !== 'own');
  const terminated = { exitCode: random.pick([0, 1, 42]) };
  return Array.from({ length: 3 + random.int(14) }, () => {
    if (random.chance(0.08)) current.state = random.pick(['running', 'running', 'terminated', 'waiting', 'none']);
    if (random.chance(0.12)) current.number++;
    if (random.chance(0.15)) current.started = !current.started;
    if (random.chance(0.4)) current.outcome = random.pick(['success', 'failure', 'failure', 'error']);
    const states = { running: { running: {} }, terminated: { terminated }, waiting: { waiting: {} }, none: {} };
    const status: ContainerStatus = {
      name: 'own',
      ready: false,
      started: current.started,
      state: states[current.state as keyof typeof states],
      ...random.maybe(0.95, () => ({ containerID: `containerd://own-${current.number}` })),
    };
    const statuses = random.chance(0.97) ? [status] : [];
    const podStatus: PodStatus = {
      phase: random.chance(0.01) ? random.pick(['Failed', 'Succeeded']) : 'Running',
      ...(random.chance(0.05) && { conditions: [{ type: 'AllContainersRestarting', status: 'True' }] }),
      containerStatuses: isInit ? others : [...others, ...statuses],
      ...(isInit && { initContainerStatuses: statuses }),
    };
    return {
      ...random.maybe(0.97, () => ({ status: podStatus })),
      ...(random.chance(0.02) && { deleted: true }),
      age: random.pick([5, 50, 105, 200]),
      outcome: current.outcome,
    };
  });
}
