/** What the library's errors tell, and ours. */
export interface Told {
  readonly code?: unknown;
  readonly summary?: unknown;
  readonly range?: { readonly start?: number };
  readonly node?: unknown;
  readonly at?: number;
}

export const told = (error: unknown): Told => (typeof error === 'object' && error !== null ? error : {});

/** What Kubernetes has (apiserver/pkg/cel/environment/base.go, 1.36), and this server has not; told of an expression that cannot be read. */
export const missingIn = (source: string): string | undefined => missing.find(({ pattern }) => pattern.test(source))?.name;

const missing: readonly { readonly name: string; readonly pattern: RegExp }[] = [
  { name: 'authorizer', pattern: /\bauthorizer\b/ },
  { name: 'sortBy', pattern: /\.\s*sortBy\s*\(/ },
  { name: 'jsonpatch', pattern: /\bjsonpatch\s*\./ },
  { name: 'optional elements of lists', pattern: /[[,]\s*\?(?!\.)/ },
  { name: 'optional entries of maps', pattern: /[{,]\s*\?(?!\.)/ },
];

/** An error of an expression that was evaluated, in cel-go's words where it has the same error. */
export function evaluationProblem(error: unknown): string | undefined {
  const { code, summary } = told(error);
  if (code === 'no_such_overload' || code === 'no_matching_overload') return 'no such overload';
  return typeof summary === 'string' ? reworded(String(code), summary) : undefined;
}

/** In cel-go's words, where it has the same error. */
export function reworded(code: string, summary: string): string {
  const found = wordings[code];
  return found ? summary.replace(found.pattern, found.words) : summary;
}

const wordings: Readonly<Record<string, { readonly pattern: RegExp; readonly words: string }>> = {
  no_such_key: { pattern: /^No such key: (.*)$/, words: 'no such key: $1' },
  unknown_variable: { pattern: /^Unknown variable: (.*)$/, words: "undeclared reference to '$1' (in container '')" },
  index_out_of_bounds: { pattern: /^.*index (-?\d+) .*$/, words: 'index out of bounds: $1' },
  modulo_by_zero: { pattern: /^.*$/, words: 'modulus by zero' },
  numeric_overflow: { pattern: /^.*$/, words: 'integer overflow' },
};
