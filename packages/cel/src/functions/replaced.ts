import type { CelFunction } from '../library.ts';

/**
 * Has another function called for one of the library that is not as the original: functions of one signature cannot be there twice, but
 * a macro comes before all functions with a receiver, and may stand for a call of another name.
 * @param count how many arguments it has; where there are none it cannot be a macro
 */
export function replaced(name: string, count: number): CelFunction {
  const args = Array.from({ length: count }, () => 'ast').join(', ');
  return {
    signature: `A.${name}(${args}): dyn`,
    run: ({ ast, receiver, args: given }: MacroCall) => ({ callAst: renamed(ast, [ownName(name), receiver, given]) }),
  };
}

/** Functions without a receiver, and with one argument, that all have names of their own: see own-calls.ts. */
export const replacedCalls: ReadonlySet<string> = new Set(['int', 'uint', 'double', 'bool', 'string', 'timestamp', 'duration']);

/** The signature of another overload of one of them, where it is one. */
export const ownSignature = (signature: string): string =>
  signature.replace(/^\w+(?=\([^,)]+\):)/, (name) => (replacedCalls.has(name) ? ownName(name) : name));

/** The name that a function has in place of one of the library. */
export const ownName = (name: string): string => `__${name}`;

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

const renamed = (ast: CallNode, args: readonly unknown[]): unknown =>
  ast.clone({ name: ast.op, check: ast.meta.check, evaluate: ast.meta.evaluate }, args);
