/**
 * Records cases and the kubelet's answers for the tests of the simulator. Run: node -C kube-endpoints-source conformance/oracle/kubelet/record.ts
 */
import { writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { runCases } from '../runner.ts';
import { buildKubeletOracle, kubeletReleases } from './build.ts';
import { type KubeletAnswer, kubeletModes } from './case.ts';
import { generateKubelet } from './generate.ts';

const casesPerMode = 60;
const file = new URL('../../../packages/simulator/test/kubelet/recorded.jsonl.gz', import.meta.url);

const binary = await buildKubeletOracle(kubeletReleases[0] as string);
const lines: string[] = [];
for (const mode of kubeletModes) {
  const cases = [...generateKubelet(mode, 36, casesPerMode)];
  const answers = await runCases<KubeletAnswer>(binary, mode, cases);
  for (const [i, testCase] of cases.entries()) {
    const { id: _id, ...answer } = answers[i] as KubeletAnswer;
    lines.push(JSON.stringify({ mode, testCase, answer }));
  }
}
await writeFile(file, gzipSync(`${lines.join('\n')}\n`, { level: 9 }));
