export interface Check {
  readonly what: string;
  readonly passed: boolean;
  readonly actual: unknown;
  readonly expected: unknown;
}

export interface Checks {
  readonly all: readonly Check[];
  /** Checks that two values are equal as JSON. */
  checkEqual(what: string, actual: unknown, expected: unknown): void;
}

export function createChecks(): Checks {
  const all: Check[] = [];
  return {
    all,
    checkEqual(what, actual, expected) {
      all.push({ what, passed: JSON.stringify(actual) === JSON.stringify(expected), actual, expected });
    },
  };
}
