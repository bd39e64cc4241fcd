import type { Random } from '../random.ts';
import { makePod, makeStatus } from '../readiness/generate.ts';
import type { ShutdownCase } from './case.ts';

/** Creates a node with pods of several priorities. */
export function makeShutdownCase(random: Random): Omit<ShutdownCase, 'id'> {
  const priorities = random.shuffle([0, 1000, -10, 100_000, 2_000_000_000, 2_000_001_000]).slice(0, random.int(5));
  const pods = Array.from({ length: random.int(8) }, (_, i) => {
    const { metadata, spec } = makePod(random, false);
    const pod = {
      metadata: { ...metadata, name: `p${i}` },
      spec: {
        ...spec,
        ...random.maybe(0.8, () => ({ priority: random.pick([0, 0, 5, -100, 1000, 99_999, 100_000, 2_000_000_000, 2_000_001_000]) })),
        ...random.maybe(0.8, () => ({ terminationGracePeriodSeconds: random.pick([0, 1, 10, 30, 600]) })),
      },
    };
    return { pod: { ...pod, status: makeStatus(random, pod) }, endsAfter: random.pick([0, 500, 3000, 20_100, 200_000]) };
  });
  return {
    gracePeriod: random.pick([0, 20_500, 30_000, 60_000]),
    criticalPods: random.pick([0, 10_000, 10_700, 30_000, 40_000]),
    unmountDelay: random.pick([0, 0, 1100, 50_000]),
    byPodPriority: random.chance(0.5) ? [] : priorities.map((priority) => ({ priority, seconds: random.pick([0, 5, 10, 60]) })),
    pods,
  };
}
