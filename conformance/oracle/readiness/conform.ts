import { minorOf } from '../build.ts';
import type { ConformanceCheck } from '../conform.ts';
import { runCases } from '../runner.ts';
import { buildReadinessOracle } from './build.ts';
import { type ReadinessAnswer, type ReadinessMode, readinessModes } from './case.ts';
import { isSameAnswer, toComparable } from './compare.ts';
import { generateReadiness } from './generate.ts';
import { replayReadiness } from './replay.ts';
import { firstMinorWithoutGenerate } from './wire-old.ts';

/** The default releases: the oldest one, a recent one, and some in between. */
export const readinessReleases: readonly string[] = ['1.9.11', '1.12.4', '1.16.15', '1.17.4', '1.28.0', '1.36.3'];

/** The default releases for the phase, which requires building the whole kubelet. */
const phaseReleases: readonly string[] = ['1.36.3'];

const chunkSize = 500;
const maxShownMismatches = 3;

interface ReadinessCounts {
  compared: number;
  /** Cases that the release does not support. */
  skipped: number;
  mismatches: number;
}

/** Compares readiness with a release's kubelet by mode, prints the results, and returns the numbers of cases and mismatches. */
export const conformReadiness: ConformanceCheck = async (release, seed, count, print) => {
  let [cases, failed] = [0, 0];
  for (const mode of readinessModes) {
    const isGenerated = minorOf(release) < firstMinorWithoutGenerate;
    if ((mode === 'phase' && !isGenerated && !phaseReleases.includes(release)) || (mode === 'generate' && !isGenerated)) continue;
    const { compared, skipped, mismatches } = await conformMode(mode, release, seed, count, print).catch((error: unknown) => {
      print(`  ${error instanceof Error ? error.message : String(error)}`);
      return { compared: count, skipped: 0, mismatches: count };
    });
    print(`${release} readiness, ${mode}: ${compared} cases, ${skipped > 0 ? `${skipped} skipped, ` : ''}${mismatches} mismatches`);
    cases += compared;
    failed += mismatches;
  }
  return [cases, failed];
};

/** Compares one mode, and prints the first mismatches. */
async function conformMode(
  mode: ReadinessMode,
  release: string,
  seed: number,
  count: number,
  print: (line: string) => void,
): Promise<ReadinessCounts> {
  const needsKubelet = mode === 'phase' && minorOf(release) >= firstMinorWithoutGenerate;
  const binary = await buildReadinessOracle(needsKubelet ? 'phase' : 'status', release);
  const counts: ReadinessCounts = { compared: 0, skipped: 0, mismatches: 0 };
  for (let from = 0; from < count; from += chunkSize) {
    const cases = [...generateReadiness(mode, seed, Math.min(chunkSize, count - from), from)].flatMap((testCase) => {
      const ours = replayReadiness(mode, release, testCase);
      return ours === undefined ? [] : [{ testCase, ours }];
    });
    counts.skipped += Math.min(chunkSize, count - from) - cases.length;
    const results = await runCases<ReadinessAnswer>(
      binary,
      mode,
      cases.map(({ testCase }) => testCase),
    );
    for (const [i, { testCase, ours }] of cases.entries()) {
      const theirs = results[i] as ReadinessAnswer;
      counts.compared++;
      if (isSameAnswer(mode, minorOf(release), theirs, ours)) continue;
      if (counts.mismatches++ < maxShownMismatches) print(formatMismatch(mode, release, testCase, theirs, ours));
    }
  }
  return counts;
}

function formatMismatch(mode: ReadinessMode, release: string, testCase: unknown, theirs: unknown, ours: unknown): string {
  const text = (answer: unknown): string => JSON.stringify(toComparable(mode, minorOf(release), answer));
  return `  ${JSON.stringify(testCase)}\n    expected ${text({ ...(theirs as object), id: '' })}\n    actual   ${text(ours)}`;
}
