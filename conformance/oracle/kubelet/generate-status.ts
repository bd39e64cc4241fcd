import type { KubeletPod } from '@kube-endpoints/simulator/internal';
import type { PodStatus } from 'kube-endpoints/types';
import type { Random } from '../random.ts';
import { makePod, makeStatus } from '../readiness/generate.ts';
import type { StatusCase, StatusEvent } from './case.ts';

/** Creates what happens to the status of a pod that is not static. Events happen some milliseconds after a full second: never at a periodic sync. */
export function makeStatusCase(random: Random): Omit<StatusCase, 'id'> {
  const { spec, metadata } = makePod(random, false);
  const { annotations: _source, ...identity } = metadata ?? {};
  const unknown: KubeletPod = { metadata: identity, ...(spec && { spec }) };
  const pod: KubeletPod = { ...unknown, status: makeTidyStatus(random, unknown) };
  const statuses = [makeTidyStatus(random, pod), makeTidyStatus(random, pod), pod.status ?? {}];
  let seconds = 0;
  let running = true;
  const events = Array.from({ length: 3 + random.int(10) }, (_, i): StatusEvent => {
    seconds += random.pick([0, 0, 1, 3, 12]);
    if (random.chance(0.15)) running = false;
    return { at: seconds * 1000 + i + 1, running, ...makeEvent(random, pod, statuses) };
  });
  return { pod, events };
}

/** Creates a status without repeated types of conditions, which the API server refuses. */
function makeTidyStatus(random: Random, pod: KubeletPod): PodStatus {
  const { conditions, ...status } = makeStatus(random, pod);
  return { ...status, conditions: [...new Map((conditions ?? []).map((condition) => [condition.type, condition])).values()] };
}

function makeEvent(random: Random, pod: KubeletPod, statuses: readonly PodStatus[]): Omit<StatusEvent, 'at' | 'running'> {
  const name = random.pick([...(pod.spec?.initContainers ?? []), ...(pod.spec?.containers ?? [])])?.name ?? 'c0';
  const makers: Readonly<Record<StatusEvent['do'], () => Omit<StatusEvent, 'at' | 'running' | 'do'>>> = {
    set: () => ({ status: random.chance(0.6) ? random.pick(statuses) : makeTidyStatus(random, pod) }),
    ready: () => ({ container: name, value: random.chance(0.5) }),
    started: () => ({ container: name, value: random.chance(0.5) }),
    terminate: () => ({}),
    change: () => random.maybe(0.9, () => ({ pod: changePod(random, pod) })) ?? {},
    delete: () => ({}),
    watch: () => ({}),
    fail: () => ({ calls: 1 + random.int(3) }),
  };
  const kind = random.pick(eventKinds);
  return { do: kind, ...makers[kind]() };
}

const eventKinds = [
  'set',
  'set',
  'set',
  'ready',
  'started',
  'terminate',
  'terminate',
  'change',
  'delete',
  'watch',
  'watch',
  'fail',
] as const;

const changePod = (random: Random, pod: KubeletPod): KubeletPod => ({
  ...pod,
  metadata: {
    ...pod.metadata,
    ...random.maybe(0.1, () => ({ uid: 'u2' })),
    ...random.maybe(0.3, () => ({ generation: 10 })),
    ...random.maybe(0.3, () => ({ deletionTimestamp: '2000-01-01T00:00:00Z' })),
  },
  status: random.chance(0.7) ? (pod.status ?? {}) : makeTidyStatus(random, pod),
});
