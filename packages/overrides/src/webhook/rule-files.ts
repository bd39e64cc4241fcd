import { describeProblem, type Overrides, RulesError } from '../overrides.ts';
import { readRules } from '../read-rules.ts';

/** A file of rules, as it was read. */
export interface RuleFile {
  readonly name: string;
  readonly text: string;
}

/** Rules that are not taken. Each problem is a line: "rules.yaml:7:15: rules[2].match.percentage: …". */
export class RuleFilesError extends Error {
  override readonly name: string = 'RuleFilesError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(problems.join('\n'), options);
    this.problems = problems;
  }
}

/**
 * The rules of some files, which follow each other as the documents of one file do.
 * @throws RuleFilesError with all that is wrong, where anything is
 */
export function readRuleFiles(files: readonly RuleFile[]): Overrides {
  const texts = files.map(({ text }) => (text.endsWith('\n') ? text : `${text}\n`));
  try {
    return readRules(texts.join(boundary), files[0]?.name);
  } catch (error) {
    if (!(error instanceof RulesError)) throw error;
    const lengths = texts.map((text) => text.split('\n').length);
    const problems = error.problems.map((problem) => {
      if (problem.line === undefined) return describeProblem(problem, files.length === 1 ? files[0]?.name : undefined);
      const { name, line } = placeOf(problem.line, files, lengths);
      // Counted over all files, a document's number is of no help.
      const path = files.length === 1 ? problem.path : problem.path.replace(/^documents\[\d+\]\.?/, '');
      return describeProblem({ ...problem, path, line }, name);
    });
    throw new RuleFilesError(problems, { cause: error });
  }
}

/** A line of its own. */
const boundary = '---\n';

/** Whose line it is of all the files' one after the other. */
function placeOf(line: number, files: readonly RuleFile[], lengths: readonly number[]): { readonly name: string; readonly line: number } {
  let before = 0;
  for (const [at, { name }] of files.entries()) {
    // The last of the lines that splitting gives is empty: the boundary takes its place.
    const own = lengths[at] as number;
    if (line <= before + own || at === files.length - 1) return { name, line: line - before };
    before += own;
  }
  return { name: '', line };
}
