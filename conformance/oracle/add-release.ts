/**
 * Shows the cases in which two releases differ, and so the rules that changed.
 * Run: npm run oracle -- RELEASE [OTHER_RELEASE] [--seed 2025] [--count 2000]; the other release defaults to the newest known one before it
 */
import { parseArgs } from 'node:util';
import type { Stage } from 'kube-endpoints/internal';
import { type GateName, gates } from 'kube-endpoints/versions';
import { buildEndpointsOracle, goVersion, knownReleases, minorOf } from './build.ts';
import type { Result } from './case.ts';
import { findDifferenceKinds } from './difference.ts';
import { generateCases } from './generate.ts';
import { runOracle } from './runner.ts';

const chunkSize = 500;
const maxShownExamples = 3;

interface Group {
  readonly stages: readonly Stage[];
  readonly ids: string[];
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seed: { type: 'string', default: '2025' }, count: { type: 'string', default: '2000' } },
  });
  const [release, other = release && newestBefore(release), ...more] = positionals;
  if (!release || !other || more.length > 0) throw new RangeError('name one release, such as 1.38.0, or two releases to compare');
  const [seed, count] = [Number(values.seed), Number(values.count)];
  if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(count) || count < 1) throw new RangeError('--seed and --count must be integers');
  if (goVersion() === undefined) throw new Error('Go is required to build the original controllers, and is not installed');
  const oracles = [];
  for (const each of [other, release]) {
    print(`building the oracle of ${each}`);
    oracles.push(await buildEndpointsOracle(each));
    print(`  ${oracles.at(-1)}`);
  }
  const [before = '', after = ''] = oracles;
  const groups = await compare(before, after, seed, count);
  report(other, release, groups, count);
  return 0;
}

function newestBefore(release: string): string | undefined {
  const olderReleases = knownReleases.filter((each) => createSortKey(each) < createSortKey(release));
  return olderReleases.sort((a, b) => createSortKey(a) - createSortKey(b)).at(-1);
}

const createSortKey = (release: string): number => minorOf(release) * 1000 + Number(release.split('.')[2]);

async function compare(before: string, after: string, seed: number, count: number): Promise<Map<string, Group>> {
  const groups = new Map<string, Group>();
  for (let from = 0; from < count; from += chunkSize) {
    const cases = generateCases(seed, Math.min(chunkSize, count - from), from);
    const oldResults = await runOracle(before, cases);
    const newResults = await runOracle(after, cases);
    for (const [i, { id }] of cases.entries()) {
      for (const { name, stages } of findDifferenceKinds(oldResults[i] as Result, newResults[i] as Result)) {
        const group = groups.get(name) ?? { stages, ids: [] };
        group.ids.push(id);
        groups.set(name, group);
      }
    }
  }
  return groups;
}

function report(before: string, after: string, groups: ReadonlyMap<string, Group>, count: number): void {
  const changedCount = new Set([...groups.values()].flatMap(({ ids }) => ids)).size;
  print(`${changedCount} of ${count} cases changed from ${before} to ${after}`);
  for (const [name, { stages, ids }] of [...groups].sort(([, a], [, b]) => b.ids.length - a.ids.length)) {
    print(`  ${name}: ${ids.length} cases, such as ${ids.slice(0, maxShownExamples).join(', ')}`);
    for (const stage of stages) print(`    stage ${stage}; its gates: ${gatesOf(stage).join(', ')}`);
  }
  print(changedCount === 0 ? nextStepsIfEqual(after) : nextStepsIfChanged(after));
}

const gatesOf = (stage: Stage): string[] => (Object.keys(gates) as GateName[]).filter((name) => gates[name].stage === stage);

const nextStepsIfEqual = (release: string): string => `
Next, if ${release} is new:
  1. add it to knownReleases in conformance/oracle/build.ts and raise lastMinor in src/versions/releases.ts if its minor is above it
  2. npm run conformance -- ${release}
  3. generate docs/versions.md again and say in CHANGELOG.md that ${release} is covered`;

const nextStepsIfChanged = (release: string): string => `
Next, if the library does not implement a change yet:
  1. see a case, 2025-14-steps for instance: node conformance/oracle/generate.ts 2025 1 14 | TZ=UTC ORACLE run, with either oracle
  2. add a row to src/versions/gates.ts: stage, since, the upstream change's number, a summary; read the gate in that stage's file
  3. add ${release} to knownReleases in conformance/oracle/build.ts and raise lastMinor in src/versions/releases.ts if its minor is above it
  4. add a fixture that proves the row; conformance/oracle/gates.test.ts requires a generated case that the gate changes
  5. npm run conformance -- ${release}, until nothing differs
  6. generate docs/versions.md again, describe the rule in the stage's page of docs/semantics, and enter it in CHANGELOG.md`;

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`oracle: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
