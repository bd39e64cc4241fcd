import { describeProblem, type Overrides, RulesError } from '../overrides.ts';
import { readRules } from '../read-rules.ts';

/** A file of rules and its text. */
export interface RuleFile {
  readonly name: string;
  readonly text: string;
}

/** Invalid rules. Each problem is a line: "rules.yaml:7:15: rules[2].match.percentage: …". */
export class RuleFilesError extends Error {
  override readonly name: string = 'RuleFilesError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(problems.join('\n'), options);
    this.problems = problems;
  }
}

/**
 * Reads the rules of several files, concatenated like the documents of one file.
 * @throws RuleFilesError with all problems, if the rules are invalid
 */
export function readRuleFiles(files: readonly RuleFile[]): Overrides {
  const texts = files.map(({ text }) => (text.endsWith('\n') ? text : `${text}\n`));
  try {
    return readRules(texts.join(separator), files[0]?.name);
  } catch (error) {
    if (!(error instanceof RulesError)) throw error;
    const lengths = texts.map((text) => text.split('\n').length);
    const problems = error.problems.map((problem) => {
      if (problem.line === undefined) return describeProblem(problem, files.length === 1 ? files[0]?.name : undefined);
      const { name, line } = originOf(problem.line, files, lengths);
      // The document index counts over all files, so it does not help the user.
      const path = files.length === 1 ? problem.path : problem.path.replace(/^documents\[\d+\]\.?/, '');
      return describeProblem({ ...problem, path, line }, name);
    });
    throw new RuleFilesError(problems, { cause: error });
  }
}

/** Separates documents; one line. */
const separator = '---\n';

/** Maps a line of the concatenated text to its file. */
function originOf(line: number, files: readonly RuleFile[], lengths: readonly number[]): { readonly name: string; readonly line: number } {
  let linesBefore = 0;
  for (const [i, { name }] of files.entries()) {
    // Splitting yields an empty last line; the separator occupies it.
    const lineCount = lengths[i] as number;
    if (line <= linesBefore + lineCount || i === files.length - 1) return { name, line: line - linesBefore };
    linesBefore += lineCount;
  }
  return { name: '', line };
}
