/**
 * Records answers of the oracle as golden files of the simulator's tests. Run: node -C kube-endpoints-source conformance/oracle/workloads/record.ts
 * [SUITE]. SUITE is a row of suites.ts; by default all. Needs Go.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createRandom } from '../random.ts';
import { runCases } from '../runner.ts';
import { buildWorkloads } from './build.ts';
import type { WorkloadAnswer } from './case.ts';
import { workloadReleases } from './conform.ts';
import { workloadSuites } from './suites.ts';

const release = workloadReleases[0] as string;
const seed = 36;
const count = 70;
const folder = join(import.meta.dirname, '../../../packages/simulator/test/workloads/golden');

const binary = await buildWorkloads(release);
for (const { name, generate } of workloadSuites) {
  if (process.argv[2] !== undefined && process.argv[2] !== name) continue;
  const cases = Array.from({ length: count }, (_, i) => generate(createRandom(seed, i), `${name}-${i}`));
  const answers = await runCases<WorkloadAnswer>(binary, name, cases);
  const lines = cases.map((testCase, i) => JSON.stringify({ testCase, answer: answers[i] }));
  writeFileSync(join(folder, `${name}.jsonl.gz`), gzipSync(`${lines.join('\n')}\n`, { level: 9 }));
}
