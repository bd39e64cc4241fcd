/** What does not fit the type: `typed.ValidationError`. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

/** Thrown by the walks over typed values, worded like `typed.ValidationErrors`. */
export class TypeProblems extends Error {
  constructor(problems: readonly Problem[]) {
    const texts = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
    super(texts.length === 1 ? texts[0] : ['errors:', ...texts.map((text) => `  ${text}`)].join('\n'));
    this.name = 'TypeProblems';
  }
}

export const problem = (message: string): Problem[] => [{ path: '', message }];

export const prefixed = (problems: readonly Problem[], prefix: string): Problem[] =>
  problems.map(({ path, message }) => ({ path: prefix + path, message }));

export function assertNone(problems: readonly Problem[]): void {
  if (problems.length > 0) {
    throw new TypeProblems(problems);
  }
}
