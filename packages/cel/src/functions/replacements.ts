import type { CelFunction } from '../library.ts';

/**
 * Replaces a library function that differs from cel-go. A signature cannot be registered twice, but a macro takes precedence over
 * functions with a receiver and can rename the call.
 * @param count the number of arguments, at least 1
 */
export function replaceMacro(name: string, count: number): CelFunction {
  const args = Array.from({ length: count }, () => 'ast').join(', ');
  return {
    signature: `A.${name}(${args}): dyn`,
    run: ({ ast, receiver, args: callArgs }: MacroCall) => ({ callAst: renameCall(ast, [replacementName(name), receiver, callArgs]) }),
  };
}

/** Functions without a receiver and with one argument that are replaced by source renaming: see replacement-functions.ts. */
export const replacedCalls: ReadonlySet<string> = new Set(['int', 'uint', 'double', 'bool', 'string', 'timestamp', 'duration']);

/** The signature with the replacement's name if the function is in `replacedCalls`; otherwise the signature itself. */
export const replacementSignature = (signature: string): string =>
  signature.replace(/^\w+(?=\([^,)]+\):)/, (name) => (replacedCalls.has(name) ? replacementName(name) : name));

/** The name of a function that replaces one of the library. */
export const replacementName = (name: string): string => `__${name}`;

interface MacroCall {
  readonly ast: CallNode;
  readonly receiver: unknown;
  readonly args: readonly unknown[];
}

interface CallNode {
  readonly op: string;
  readonly meta: { readonly check: unknown; readonly evaluate: unknown };
  clone(operator: { readonly name: string; readonly check: unknown; readonly evaluate: unknown }, args: unknown): unknown;
}

const renameCall = (ast: CallNode, args: readonly unknown[]): unknown =>
  ast.clone({ name: ast.op, check: ast.meta.check, evaluate: ast.meta.evaluate }, args);
