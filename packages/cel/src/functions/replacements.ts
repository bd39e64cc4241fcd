import type { CelFunction } from '../library.ts';

/**
 * Creates a macro that turns calls of a library function into calls of its replacement. It is a macro, because the library accepts each
 * signature only once, but prefers a macro to a function with a receiver.
 * @param name a function with a receiver
 * @param argCount the number of arguments, at least 1
 */
export function createReplacementMacro(name: string, argCount: number): CelFunction {
  const args = Array.from({ length: argCount }, () => 'ast').join(', ');
  return {
    signature: `A.${name}(${args}): dyn`,
    run: ({ ast, receiver, args: callArgs }: MacroCall) => ({ callAst: cloneCall(ast, [replacementName(name), receiver, callArgs]) }),
  };
}

/** Functions without a receiver and with one argument. Their calls are renamed in the source: see replacement-functions.ts. */
export const replacedFunctionNames: ReadonlySet<string> = new Set(['int', 'uint', 'double', 'bool', 'string', 'timestamp', 'duration']);

/** Returns the signature with the replacement's name if the function is in `replacedFunctionNames`; otherwise the signature itself. */
export const replacementSignature = (signature: string): string =>
  signature.replace(/^\w+(?=\([^,)]+\):)/, (name) => (replacedFunctionNames.has(name) ? replacementName(name) : name));

/** Returns the name of the replacement for a library function. */
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

const cloneCall = (ast: CallNode, args: readonly unknown[]): unknown =>
  ast.clone({ name: ast.op, check: ast.meta.check, evaluate: ast.meta.evaluate }, args);
