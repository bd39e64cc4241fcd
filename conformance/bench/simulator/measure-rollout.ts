import { checkRollout } from '@kube-endpoints/simulator';
import { createRollout, type Size } from './objects.ts';

/** The result of one check. */
export interface Measurement {
  readonly verdict: string;
  readonly runs: number;
  /** The number of pods of the cluster that ran. */
  readonly simulatedPods: number;
  /** What prevents it, for example "a preStop sleep of 3 s in Deployment default/web-0". */
  readonly fix: string | undefined;
  readonly seconds: number;
  /** The largest resident set of the process. */
  readonly bytes: number;
}

const size = JSON.parse(process.argv[2] ?? '{}') as Size;
const rollout = createRollout(size);
const start = performance.now();
const { verdict, runs, reduced, fix } = checkRollout(rollout);
process.send?.({
  verdict,
  runs: runs.length,
  simulatedPods: reduced?.pods ?? size.pods,
  fix: fix?.parts.map(({ summary }) => summary.replace(/ in Deployment .*/, '')).join(', and '),
  seconds: (performance.now() - start) / 1000,
  bytes: process.resourceUsage().maxRSS * 1024,
} satisfies Measurement);
