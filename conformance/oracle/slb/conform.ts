import { type ConformanceCheck, createConformanceCheck } from '../conform.ts';
import { buildSlb } from './build.ts';
import type { SlbAnswer, SlbCase } from './case.ts';
import { firstDifference } from './compare.ts';
import { generateSlb } from './generate.ts';
import { replaySlb } from './replay.ts';

/** The default releases: one of each era of the service controller. */
export const slbReleases: readonly string[] = ['1.9.11', '1.12.4', '1.17.4', '1.25.4', '1.36.3'];

/** Compares load-balancer rules with a release's service controller for histories of Services. */
export const conformSlb: ConformanceCheck = createConformanceCheck<SlbCase, SlbAnswer>({
  build: buildSlb,
  mode: 'slb',
  generate: generateSlb,
  replay: replaySlb,
  firstDifference,
  excerpt: ({ steps }, { step }) => steps.slice(0, step === undefined ? undefined : step + 1),
  countsOf: ({ steps }) => ({
    steps: steps.length,
    syncs: steps.reduce((sum, { syncs, nodeSync }) => sum + syncs.length + (nodeSync?.calls.length ? 1 : 0), 0),
  }),
  summary: (release, cases, { steps, syncs }) => `${release} load balancers: ${cases} cases, ${steps} steps with ${syncs} syncs compared`,
});
