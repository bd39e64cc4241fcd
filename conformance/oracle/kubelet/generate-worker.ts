import type { KubeletPod } from '@kube-endpoints/simulator/internal';
import type { Random } from '../random.ts';
import type { WorkerCase } from './case.ts';

/**
 * Creates the updates of one pod, and the results of its syncs. Update i is i milliseconds after a full second, and syncs last full seconds, so
 * that no sync ends at the time of a later update.
 */
export function makeWorkerCase(random: Random): Omit<WorkerCase, 'id'> {
  const spec = { terminationGracePeriodSeconds: random.pick([0, 1, 10, 30]) };
  let pod: KubeletPod = { metadata: { name: 'p', namespace: 'shop', uid: 'u1' }, ...random.maybe(0.9, () => ({ spec })) };
  let seconds = 0;
  const updates = Array.from({ length: 2 + random.int(10) }, (_, i): WorkerCase['updates'][number] => {
    seconds += random.pick([0, 1, 2, 5, 20, 60]);
    const at = seconds * 1000 + i;
    if (i > 0 && random.chance(0.15)) return { at, type: random.pick(['known', 'forget']) };
    if (random.chance(0.2)) pod = deletePod(random, pod);
    if (random.chance(0.08)) pod = { ...pod, status: { phase: random.pick(['Failed', 'Succeeded']) } };
    const type = i === 0 && random.chance(0.9) ? 'create' : random.pick(['update', 'update', 'sync', 'sync', 'kill', 'create'] as const);
    return { at, type, pod, ...random.maybe(type === 'kill' ? 0.8 : 0.05, () => ({ kill: makeKill(random) })) };
  });
  const syncs = Array.from({ length: random.int(8) }, () => ({
    duration: random.pick([0, 0, 1, 3, 10, 40]) * 1000,
    result: random.pick(['ok', 'ok', 'ok', 'terminal', 'error', 'network', 'backOff'] as const),
    backOff: random.pick([-1, 0, 5, 59, 61, 300]) * 1000,
    stubborn: random.chance(0.2),
  }));
  return { updates, syncs, running: random.chance(0.5) };
}

const deletePod = (random: Random, pod: KubeletPod): KubeletPod => ({
  ...pod,
  metadata: {
    ...pod.metadata,
    deletionTimestamp: '2001-01-01T00:00:00Z',
    ...random.maybe(0.9, () => ({ deletionGracePeriodSeconds: random.pick([0, 1, 5, 30, 60]) })),
  },
});

const makeKill = (random: Random): NonNullable<WorkerCase['updates'][number]['kill']> => ({
  evict: random.chance(0.5),
  ...random.maybe(0.7, () => ({ gracePeriodSeconds: random.pick([0, 1, 3, 20, 90]) })),
});
