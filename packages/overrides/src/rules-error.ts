/** One thing that is wrong with rules. */
export interface RulesProblem {
  /** Where: "rules[2].match.percentage"; empty for the document as a whole. */
  readonly path: string;
  /** From 1, where the rules were read from text. */
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  /** What to do about it. */
  readonly fix: string;
}

/** Rules that are not taken, for all the reasons there are. */
export class RulesError extends Error {
  override readonly name: string = 'RulesError';
  readonly problems: readonly RulesProblem[];
  /** What the rules were read from, as the caller named it. */
  readonly source: string | undefined;

  constructor(problems: readonly RulesProblem[], source?: string) {
    super(problems.map((problem) => describeProblem(problem, source)).join('\n'));
    this.problems = problems;
    this.source = source;
  }
}

/** One line: "rules.yaml:7:15: rules[2].match.percentage: 120 is no share; give 0 to 100". */
export function describeProblem({ path, line, column, message, fix }: RulesProblem, source?: string): string {
  const place = [source, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(':');
  return [place, path, `${message}; ${fix}`].filter((part) => part !== '').join(': ');
}
