/** The result of one check. */
export interface Check {
  readonly what: string;
  readonly passed: boolean;
  readonly is: unknown;
  readonly should: unknown;
}

export interface Checks {
  readonly all: readonly Check[];
  /** Checks that two values are equal as JSON. */
  same(what: string, is: unknown, should: unknown): void;
}

export function createChecks(): Checks {
  const all: Check[] = [];
  return {
    all,
    same(what, is, should) {
      all.push({ what, passed: JSON.stringify(is) === JSON.stringify(should), is, should });
    },
  };
}
