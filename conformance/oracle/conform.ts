import { runCases } from './runner.ts';

/** Compares with the original of a release for random cases, prints the results, and returns the numbers of cases and mismatches. */
export type Conform = (release: string, seed: number, count: number, print: (line: string) => void) => Promise<readonly [number, number]>;

/** A deterministic original that answers each case independently. */
export interface Original<Case extends { readonly id: string }, Answer extends { readonly id: string }> {
  /** Builds the program for a release and returns its path. */
  readonly build: (release: string) => Promise<string>;
  /** The argument of the program. */
  readonly mode: string;
  /** Generates cases of a seed, from a number on. */
  readonly generate: (seed: number, count: number, from: number) => Iterable<Case>;
  /** The library's answer; the original's answer supplies the state outside of the library. */
  readonly replay: (release: string, testCase: Case, theirs: Answer) => Answer;
  readonly firstDifference: (theirs: Answer, ours: Answer) => Difference | undefined;
  /** The part of the case that is relevant to a difference. */
  readonly excerpt: (testCase: Case, difference: Difference) => unknown;
  /** Numbers in an answer, which are summed up. */
  readonly countsOf: (theirs: Answer) => Readonly<Record<string, number>>;
  /** Formats the sums. */
  readonly summary: (release: string, cases: number, counts: Readonly<Record<string, number>>) => string;
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

export const conformWith =
  <Case extends { readonly id: string }, Answer extends { readonly id: string }>(original: Original<Case, Answer>): Conform =>
  async (release, seed, count, print) => {
    const counts: Record<string, number> = {};
    let cases = 0;
    let mismatches = 0;
    try {
      for await (const [testCase, theirs] of answeredCases(original, release, seed, count)) {
        cases++;
        for (const [name, n] of Object.entries(original.countsOf(theirs))) counts[name] = (counts[name] ?? 0) + n;
        const difference = differenceIn(original, release, testCase, theirs);
        if (difference && mismatches++ < maxShownMismatches)
          print(mismatchText(testCase.id, original.excerpt(testCase, difference), difference));
      }
    } catch (error) {
      // A failure of the original counts as a mismatch of every case.
      print(`  ${error instanceof Error ? error.message : String(error)}`);
      return [count, count];
    }
    print(`${original.summary(release, cases, counts)}, ${mismatches} mismatches`);
    return [cases, mismatches];
  };

/** Cases with the original's answers, in chunks. */
async function* answeredCases<Case extends { readonly id: string }, Answer extends { readonly id: string }>(
  { build, mode, generate }: Original<Case, Answer>,
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

function differenceIn<Case extends { readonly id: string }, Answer extends { readonly id: string }>(
  { replay, firstDifference }: Original<Case, Answer>,
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

const mismatchText = (id: string, excerpt: unknown, { path, theirs, ours }: Difference): string =>
  `  ${id}, ${path}: ${JSON.stringify(excerpt)}\n    expected ${JSON.stringify(theirs)}\n    actual   ${JSON.stringify(ours)}`;
