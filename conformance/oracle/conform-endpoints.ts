import { isDeepStrictEqual } from 'node:util';
import { createReconciler } from 'kube-endpoints';
import { profileFor } from 'kube-endpoints/versions';
import { buildEndpointsOracle } from './build.ts';
import { type Case, outcomesOf, type Result } from './case.ts';
import { isEquivalent, isSame, isSameExceptOrder } from './compare.ts';
import type { ConformanceCheck } from './conform.ts';
import { optionsFor } from './feature-gates.ts';
import { generateCases } from './generate.ts';
import { replayWith, replayWithPodFeed, type StepResult } from './replay.ts';
import { runOracle, timeZone } from './runner.ts';
import { compareShould } from './should.ts';
import { shouldCases } from './should-cases.ts';

/** If a release panics, the library answers like this one. */
const fixedRelease = '1.36.3';

const chunkSize = 500;
const maxShownMismatches = 5;

/** Up to this number, mismatches are compared with further runs of the oracle, one process each. */
const maxInvestigatedMismatches = 50;

interface Counts {
  cases: number;
  writes: number;
  /** Cases in which the release panics. */
  panics: number;
  /** Cases with several answers by the release, including ours. */
  varied: number;
  mismatches: number;
  /** The first mismatches. */
  examples: Mismatch[];
}

interface Mismatch {
  readonly id: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/**
 * Compares Endpoints with a release's controller for random cases, and shouldPodBeInEndpoints for every combination. Prints the results, and
 * returns the numbers of cases and mismatches.
 */
export const conformEndpoints: ConformanceCheck = async (release, seed, count, print) => {
  const counts = await conform(release, seed, count).catch((error: unknown) => createFailedCounts(error, count));
  report(release, counts, print);
  const { length: combinations } = shouldCases();
  const different = await compareShould(release, print).catch(() => combinations);
  return [counts.cases + combinations, counts.mismatches + different];
};

async function conform(release: string, seed: number, count: number): Promise<Counts> {
  const counts: Counts = { cases: 0, writes: 0, panics: 0, varied: 0, mismatches: 0, examples: [] };
  const binary = await buildEndpointsOracle(release);
  for (let from = 0; from < count; from += chunkSize) {
    const cases = generateCases(seed, Math.min(chunkSize, count - from), from);
    await compareChunk(release, binary, cases, counts);
  }
  return counts;
}

/** If the oracle of a release does not build or fails, all its cases fail, and other releases still run. */
function createFailedCounts(error: unknown, count: number): Counts {
  const example = { id: 'all cases', expected: error instanceof Error ? error.message : String(error), actual: null };
  return { cases: count, writes: 0, panics: 0, varied: 0, mismatches: count, examples: [example] };
}

async function compareChunk(release: string, binary: string, cases: readonly Case[], counts: Counts): Promise<void> {
  const results = await runOracle(binary, cases);
  const panickingCases: Case[] = [];
  const { headlessPortOmitted, portlessSubsetsKept } = profileFor(release);
  const hasRandomOrder = headlessPortOmitted && !portlessSubsetsKept;
  for (const [i, testCase] of cases.entries()) {
    const result = results[i] as Result;
    counts.cases += 1;
    if (outcomesOf(result).some(({ panic }) => panic)) {
      panickingCases.push(testCase);
      continue;
    }
    const ours = replayCase(testCase, release);
    counts.writes += outcomesOf(result).reduce((sum, { endpoints }) => sum + endpoints.length, 0);
    if (Array.isArray(ours) && isSame(result, ours)) continue;
    if (Array.isArray(ours) && hasRandomOrder && isSameExceptOrder(testCase, result, ours)) {
      counts.varied += 1;
      continue;
    }
    const isInvestigated = Array.isArray(ours) && counts.mismatches < maxInvestigatedMismatches;
    if (isInvestigated && (await isAmongAnswers(binary, testCase, ours))) counts.varied += 1;
    else addMismatch(counts, createMismatch(result, ours));
  }
  await comparePanicking(release, panickingCases, counts);
}

async function comparePanicking(release: string, cases: readonly Case[], counts: Counts): Promise<void> {
  if (cases.length === 0) return;
  counts.panics += cases.length;
  const results = await runOracle(await buildEndpointsOracle(fixedRelease), cases);
  for (const [i, testCase] of cases.entries()) {
    const result = results[i] as Result;
    const ours = replayCase(testCase, release);
    const isSameContent = Array.isArray(ours) && release !== fixedRelease && isEquivalent(testCase, result, ours);
    if (!isSameContent) addMismatch(counts, createMismatch(result, ours, { showsAllSyncs: true }));
  }
}

function addMismatch(counts: Counts, mismatch: Mismatch): void {
  counts.mismatches += 1;
  if (counts.examples.length < maxShownMismatches) counts.examples.push(mismatch);
}

/** Replays a case with a list of pods and with a pod feed. Returns our result, or the error that was thrown. */
function replayCase(testCase: Case, release: string): StepResult[] | { readonly thrown: string } {
  try {
    const options = { ...optionsFor(release), timeZone };
    const ours = replayWith(createReconciler(options), testCase);
    const withPodFeed = replayWithPodFeed(testCase, options);
    return isDeepStrictEqual(withPodFeed, ours) ? ours : { thrown: `different with a pod feed: ${JSON.stringify(withPodFeed)}` };
  } catch (error) {
    return { thrown: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** The informer cache lists pods in random order, so a release may answer differently when run again. */
async function isAmongAnswers(binary: string, testCase: Case, ours: readonly StepResult[]): Promise<boolean> {
  const reruns = await runOracle(
    binary,
    Array.from({ length: 16 }, () => testCase),
  );
  return reruns.some((result) => isSame(result, ours));
}

/** Describes the first sync that differs; all syncs if the library threw or only the content was compared. */
function createMismatch(result: Result, ours: ReturnType<typeof replayCase>, { showsAllSyncs = false } = {}): Mismatch {
  const theirs = outcomesOf(result).map(({ endpoints, error }) => ({ endpoints, ...(error !== undefined && { error }) }));
  if (!Array.isArray(ours) || showsAllSyncs) return { id: result.id, expected: theirs, actual: ours };
  const index = theirs.findIndex((outcome, i) => !isSame({ id: result.id, ...outcome }, ours.slice(i, i + 1)));
  return { id: result.id, expected: { sync: index, ...theirs[index] }, actual: { sync: index, ...ours[index] } };
}

function report(release: string, { cases, writes, panics, varied, mismatches, examples }: Counts, print: (line: string) => void): void {
  const notes = [
    `${cases} cases`,
    `${writes} writes compared`,
    ...(panics > 0 ? [`${panics} panics, compared with ${fixedRelease}`] : []),
    ...(varied > 0 ? [`${varied} for which the release gives several answers`] : []),
    `${mismatches} mismatches`,
  ];
  print(`${release}: ${notes.join(', ')}`);
  for (const { id, expected, actual } of examples) {
    print(`  ${id} in ${release}\n    expected ${JSON.stringify(expected)}\n    actual   ${JSON.stringify(actual)}`);
  }
}
