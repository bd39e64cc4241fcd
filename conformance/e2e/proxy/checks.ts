/** The result of one check: passed if found equals expected. */
export interface Check {
  readonly what: string;
  readonly found: string;
  readonly expected: string;
}

/** The counts, and the failed checks, one line each. */
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

/** Formats a set as text, sorted. */
export function formatSet(members: ReadonlySet<string>): string {
  return [...members].sort().join(', ') || 'nobody';
}
