/**
 * Records answers of the oracle for the simulator's tests. Run: node -C kube-endpoints-source conformance/oracle/scheduler/record.ts
 * Needs Go.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createRandom } from '../random.ts';
import { runCases } from '../runner.ts';
import { buildScheduler } from './build.ts';
import type { SchedulerAnswer } from './case.ts';
import { schedulerReleases } from './conform.ts';
import { generateScheduler } from './generate.ts';

const seed = 36;
const count = 150;

const cases = Array.from({ length: count }, (_, i) => generateScheduler(createRandom(seed, i), `scheduler-${i}`));
const answers = await runCases<SchedulerAnswer>(await buildScheduler(schedulerReleases[0] as string), 'run', cases);
const lines = cases.map((testCase, i) => JSON.stringify({ testCase, answer: answers[i] }));
const path = join(import.meta.dirname, '../../../packages/simulator/test/scheduler/recorded.jsonl.gz');
writeFileSync(path, gzipSync(`${lines.join('\n')}\n`, { level: 9 }));
