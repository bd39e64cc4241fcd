import { type ConformanceCheck, createConformanceCheck } from '../conform.ts';
import { createRandom } from '../random.ts';
import { buildWorkloads } from './build.ts';
import type { WorkloadAnswer, WorkloadCase } from './case.ts';
import { firstDifference } from './compare.ts';
import { replayWorkloads } from './replay.ts';
import type { WorkloadSuite } from './suites.ts';

/** The release whose controllers the simulator has. */
export const workloadReleases: readonly string[] = ['1.36.3'];

/** Compares a controller of the simulator with that of kube-controller-manager for histories of clusters. */
export const createWorkloadCheck = ({ name, create, generate }: WorkloadSuite): ConformanceCheck =>
  createConformanceCheck<WorkloadCase, WorkloadAnswer>({
    build: buildWorkloads,
    mode: name,
    generate: function* (seed, count, from) {
      for (let i = from; i < from + count; i++) yield generate(createRandom(seed, i), `${name}-${seed}-${i}`);
    },
    replay: (_release, testCase) => replayWorkloads(create, testCase),
    firstDifference,
    excerpt: ({ objects, gracefulPods, steps }, { step }) => ({ objects, gracefulPods, steps: steps.slice(0, (step ?? 0) + 1) }),
    countsOf: ({ steps }) => ({
      steps: steps.length,
      writes: steps.reduce((sum, { writes }) => sum + writes.length, 0),
      events: steps.reduce((sum, { events }) => sum + events.length, 0),
    }),
    summary: (release, cases, { steps, writes, events }) =>
      `${release} ${name}: ${cases} cases, ${steps} steps with ${writes} writes and ${events} Events compared`,
  });
