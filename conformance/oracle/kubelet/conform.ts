import type { ConformanceCheck } from '../conform.ts';
import { runCases } from '../runner.ts';
import { buildKubeletOracle } from './build.ts';
import { type KubeletAnswer, type KubeletMode, kubeletModes } from './case.ts';
import { isSameAnswer } from './compare.ts';
import { generateKubelet } from './generate.ts';
import { replayKubelet } from './replay.ts';

const chunkSize = 500;
const maxShownMismatches = 3;

/** Compares the simulator's kubelet with a release's by mode, prints the results, and returns the numbers of cases and mismatches. */
export const conformKubelet: ConformanceCheck = async (release, seed, count, print) => {
  const binary = await buildKubeletOracle(release);
  let failed = 0;
  for (const mode of kubeletModes) {
    const mismatches = await conformMode(mode, binary, seed, count, print);
    print(`${release} kubelet, ${mode}: ${count} cases, ${mismatches} mismatches`);
    failed += mismatches;
  }
  return [kubeletModes.length * count, failed];
};

/** Compares one mode, prints the first mismatches, and returns their number. */
async function conformMode(mode: KubeletMode, binary: string, seed: number, count: number, print: (line: string) => void): Promise<number> {
  let mismatches = 0;
  for (let from = 0; from < count; from += chunkSize) {
    const cases = [...generateKubelet(mode, seed, Math.min(chunkSize, count - from), from)];
    const answers = await runCases<KubeletAnswer>(binary, mode, cases);
    for (const [i, testCase] of cases.entries()) {
      const { id: _id, ...expected } = answers[i] as KubeletAnswer;
      const actual: unknown = JSON.parse(JSON.stringify(replayKubelet(mode, testCase)));
      if (isSameAnswer(mode, expected, actual)) continue;
      const [expectedText, actualText] = [JSON.stringify(expected), JSON.stringify(actual)];
      if (mismatches++ < maxShownMismatches)
        print(`  ${JSON.stringify(testCase)}\n    expected ${expectedText}\n    actual   ${actualText}`);
    }
  }
  return mismatches;
}
