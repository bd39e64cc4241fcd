/** One thing that was looked at: it passed where what was found is what was expected. */
export interface Check {
  readonly what: string;
  readonly found: string;
  readonly expected: string;
}

/** The counts of some checks, and those that failed, a line each. */
export interface Outcome {
  readonly passed: number;
  readonly failures: readonly string[];
}

export function outcomeOf(checks: readonly Check[]): Outcome {
  const failed = checks.filter(({ found, expected }) => found !== expected);
  return {
    passed: checks.length - failed.length,
    failures: failed.map(
      ({ what, found, expected }) => `FAILED ${what}\n  is     ${found.slice(0, 3000)}\n  should ${expected.slice(0, 3000)}`,
    ),
  };
}

/** A set as text in which the order of its members does not show. */
export function show(members: ReadonlySet<string>): string {
  return [...members].sort().join(', ') || 'nobody';
}
