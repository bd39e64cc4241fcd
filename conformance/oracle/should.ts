import { shouldPodBeInEndpoints } from 'kube-endpoints';
import { buildEndpointsOracle } from './build.ts';
import { runCases } from './runner.ts';
import { shouldCases } from './should-cases.ts';

/** Returns the answers of a release's own function to `shouldCases`. */
export const askRelease = async (release: string): Promise<boolean[]> =>
  (await runCases<{ readonly id: string; readonly included: boolean }>(await buildEndpointsOracle(release), 'should', shouldCases())).map(
    ({ included }) => included,
  );

/** Compares shouldPodBeInEndpoints with a release's own function for every combination, prints the result, and returns the mismatches. */
export async function compareShould(release: string, print: (line: string) => void): Promise<number> {
  const expected = await askRelease(release);
  const mismatches = shouldCases().filter(
    ({ pod, includeTerminating }, i) => shouldPodBeInEndpoints(pod, { version: release, includeTerminating }) !== expected[i],
  );
  print(`${release}: ${expected.length} combinations of shouldPodBeInEndpoints, ${mismatches.length} mismatches`);
  for (const { pod, includeTerminating } of mismatches.slice(0, 5)) print(`  ${JSON.stringify({ pod, includeTerminating })}`);
  return mismatches.length;
}
