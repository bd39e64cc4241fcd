import { runCases } from './runner.ts';

/**
 * Compares the library with the Kubernetes code of a release for random cases, prints the results, and returns the numbers of cases and
 * mismatches.
 */
export type ConformanceCheck = (
  release: string,
  seed: number,
  count: number,
  print: (line: string) => void,
) => Promise<readonly [number, number]>;

/** A program around the Kubernetes code of a release that answers each case deterministically and independently of the others. */
export interface Oracle<Case extends { readonly id: string }, Answer extends { readonly id: string }> {
  /** Builds the program for a release and returns its path. */
  readonly build: (release: string) => Promise<string>;
  /** The argument of the program. */
  readonly mode: string;
  /** Generates `count` cases of a seed, starting with number `from`. */
  readonly generate: (seed: number, count: number, from: number) => Iterable<Case>;
  /** The library's answer; the original's answer supplies the state outside of the library. */
  readonly replay: (release: string, testCase: Case, theirs: Answer) => Answer;
  readonly firstDifference: (theirs: Answer, ours: Answer) => Difference | undefined;
  /** The part of the case that is relevant to a difference. */
  readonly excerpt: (testCase: Case, difference: Difference) => unknown;
  /** Counts of one answer, by name; `summary` receives their sums over all cases. */
  readonly countsOf: (theirs: Answer) => Readonly<Record<string, number>>;
  /** Formats the sums. */
  readonly summary: (release: string, caseCount: number, counts: Readonly<Record<string, number>>) => string;
}

export interface Difference {
  /** The location in the answer. */
  readonly path: string;
  /** The number of the step, if the case has steps. */
  readonly step?: number;
  readonly theirs: unknown;
  readonly ours: unknown;
}

const chunkSize = 250;
const maxShownMismatches = 3;

export const createConformanceCheck =
  <Case extends { readonly id: string }, Answer extends { readonly id: string }>(original: Oracle<Case, Answer>): ConformanceCheck =>
  async (release, seed, count, print) => {
    const counts: Record<string, number> = {};
    let caseCount = 0;
    let mismatches = 0;
    try {
      for await (const [testCase, theirs] of generateAnsweredCases(original, release, seed, count)) {
        caseCount++;
        for (const [name, n] of Object.entries(original.countsOf(theirs))) counts[name] = (counts[name] ?? 0) + n;
        const difference = findDifference(original, release, testCase, theirs);
        if (difference && mismatches++ < maxShownMismatches)
          print(formatMismatch(testCase.id, original.excerpt(testCase, difference), difference));
      }
    } catch (error) {
      // A failure of the original counts as a mismatch of every case.
      print(`  ${error instanceof Error ? error.message : String(error)}`);
      return [count, count];
    }
    print(`${original.summary(release, caseCount, counts)}, ${mismatches} mismatches`);
    return [caseCount, mismatches];
  };

/** Yields cases with the original's answers; runs the original once per chunk of cases. */
async function* generateAnsweredCases<Case extends { readonly id: string }, Answer extends { readonly id: string }>(
  { build, mode, generate }: Oracle<Case, Answer>,
  release: string,
  seed: number,
  count: number,
): AsyncGenerator<readonly [Case, Answer]> {
  const binary = await build(release);
  for (let from = 0; from < count; from += chunkSize) {
    const cases = [...generate(seed, Math.min(chunkSize, count - from), from)];
    const results = await runCases<Answer>(binary, mode, cases);
    for (const [i, testCase] of cases.entries()) yield [testCase, results[i] as Answer];
  }
}

function findDifference<Case extends { readonly id: string }, Answer extends { readonly id: string }>(
  { replay, firstDifference }: Oracle<Case, Answer>,
  release: string,
  testCase: Case,
  theirs: Answer,
): Difference | undefined {
  try {
    return firstDifference(theirs, replay(release, testCase, theirs));
  } catch (error) {
    return { path: 'the case', theirs: 'an answer', ours: error instanceof Error ? error.stack : error };
  }
}

const formatMismatch = (id: string, excerpt: unknown, { path, theirs, ours }: Difference): string =>
  `  ${id}, ${path}: ${JSON.stringify(excerpt)}\n    expected ${JSON.stringify(theirs)}\n    actual   ${JSON.stringify(ours)}`;
