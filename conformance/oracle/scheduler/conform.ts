import { type ConformanceCheck, createConformanceCheck } from '../conform.ts';
import { createRandom } from '../random.ts';
import { buildScheduler } from './build.ts';
import type { SchedulerAnswer, SchedulerCase } from './case.ts';
import { firstDifference } from './compare.ts';
import { generateScheduler } from './generate.ts';
import { replayScheduler } from './replay.ts';

/** The release whose scheduler the simulator has. */
export const schedulerReleases: readonly string[] = ['1.36.3'];

/** Compares the filters and scores of the simulator with those of kube-scheduler. */
export const conformScheduler: ConformanceCheck = createConformanceCheck<SchedulerCase, SchedulerAnswer>({
  build: buildScheduler,
  mode: 'run',
  generate: function* (seed, count, from) {
    for (let i = from; i < from + count; i++) yield generateScheduler(createRandom(seed, i), `scheduler-${seed}-${i}`);
  },
  replay: (_release, testCase) => replayScheduler(testCase),
  firstDifference,
  excerpt: ({ incoming, ...rest }, { step }) => ({ ...rest, incoming: incoming.slice(0, (step ?? 0) + 1) }),
  countsOf: ({ pods }) => ({
    pods: pods.length,
    placed: pods.filter(({ host }) => host !== undefined).length,
    verdicts: pods.reduce((sum, { rejected }) => sum + Object.keys(rejected).length, 0),
    scores: pods.reduce((sum, { scores }) => sum + Object.values(scores ?? {}).flatMap(Object.keys).length, 0),
  }),
  summary: (release, cases, { pods, placed, verdicts, scores }) =>
    `${release} scheduler: ${cases} cases, ${pods} pods (${placed} placed), ${verdicts} reasons and ${scores} scores compared`,
});
