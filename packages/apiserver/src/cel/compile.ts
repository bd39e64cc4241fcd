import type { CelCompiler, CelProgram } from '@kube-endpoints/cel/internal';
import type { Environment } from './environment.ts';
import { loadCelLibrary } from './library.ts';
import {
  type CelGoError,
  describeCompilationError,
  describeEvaluationError,
  type FormatProblem,
  findUnsupportedFeature,
  formatProblem,
  typeOf,
} from './problems.ts';

/** A compiled expression, the problem that prevents compilation, or the feature of Kubernetes that this server lacks. */
export type CompiledExpression =
  | { readonly program: CelProgram; readonly problem?: undefined; readonly unsupportedFeature?: undefined }
  | { readonly problem: string; readonly program?: undefined; readonly unsupportedFeature?: undefined }
  | { readonly unsupportedFeature: string; readonly program?: undefined; readonly problem?: undefined };

/**
 * Compiles an expression without checking its result type.
 * @param format formats a message for a position in the source
 */
export function compileExpression(
  source: string,
  environment: Environment,
  compiler: CelCompiler,
  format: FormatProblem = (start, message) => formatProblem(source, start, message),
): CompiledExpression {
  try {
    const program = compiler.compile(source, environment);
    const problem = findUnreportedProblem(program.ast, source, environment, format);
    return problem === undefined ? { program } : { problem: `compilation failed: ${problem}` };
  } catch (error) {
    const unsupportedFeature = findUnsupportedFeature(source);
    if (unsupportedFeature !== undefined) return { unsupportedFeature };
    return {
      problem: `compilation failed: ${describeCompilationError(error, source, environment, format) ?? loadCelLibrary().summarizeError(error)}`,
    };
  }
}

/** Whether a program's value may have the expected type; true if the type is known only at evaluation. */
export const mayHaveType = ({ type }: CelProgram, expected: 'bool' | 'string'): boolean =>
  type === expected || type === 'dyn' || type === `dyn<${expected}>`;

/**
 * Refuses an expression that converts a literal to a type to which it cannot be converted, such as `int('a')`. Call it after the result type
 * was checked. Mirrors the optimizations of a program (interpreter/decorators.go of cel-go 0.26).
 */
export function checkConversions(
  compiled: CompiledExpression,
  source: string,
  environment: Environment,
  compiler: CelCompiler,
): CompiledExpression {
  if (!compiled.program) return compiled;
  for (const node of loadCelLibrary().nodesIn(compiled.program.ast)) {
    if (node.op !== 'call' || !conversions.has(node.args[0]) || node.args[1].length !== 1 || !isLiteral(node.args[1][0])) continue;
    try {
      const program = compiler.compile(source.slice(node.range.start, node.range.end), environment);
      program.evaluate({}, { meter: { remaining: maxConversionCost }, costOf: () => 1, exhaustedMessage: 'the literal is too long' });
    } catch (error) {
      return { problem: `program instantiation failed: ${describeEvaluationError(error) ?? loadCelLibrary().summarizeError(error)}` };
    }
  }
  return compiled;
}

const isLiteral = (node: Node | undefined): boolean => node?.op === 'value' || (node?.op === '-_' && node.args.op === 'value');

const conversions: ReadonlySet<string> = new Set(['bool', 'bytes', 'double', 'duration', 'dyn', 'int', 'string', 'timestamp', 'uint']);
const maxConversionCost = 1_000_000;

type Node = CelProgram['ast'];

/**
 * Finds errors that cel-go reports at compilation, but that the library reports only at evaluation or never: undeclared fields within
 * has(), index access to fields of an object, and `cel.bind`, which Kubernetes does not have.
 */
function findUnreportedProblem(ast: Node, source: string, environment: Environment, format: FormatProblem): string | undefined {
  for (const node of loadCelLibrary().nodesIn(ast)) {
    for (const findProblem of problemFinders) {
      const problem = findProblem(node, source, environment);
      if (problem) return format(problem.start, problem.message);
    }
  }
  return undefined;
}

const problemFinders: readonly ((node: Node, source: string, environment: Environment) => CelGoError | undefined)[] = [
  function findUndefinedField(node, source, environment) {
    const argument = firstArgumentOf(node, 'has');
    if (!argument) return undefined;
    const { start, end } = argument.range;
    const result = environment.check(source.slice(start, end));
    // Other errors are ignored because the library does not know the variables of enclosing macros here.
    if (result.error?.code !== 'no_such_key') return undefined;
    const field = result.error.summary.replace(/^No such key: /, '');
    return { start: node.range.start + 'has'.length, message: `undefined field '${field}'` };
  },
  function findBindMacro(node) {
    const isBinding = node.op === 'rcall' && node.args[0] === 'bind' && node.args[1].op === 'id' && node.args[1].args === 'cel';
    return isBinding ? { start: node.args[1].range.start, message: "undeclared reference to 'cel' (in container '')" } : undefined;
  },
  function findObjectIndex(node, source) {
    if (node.op !== '[]' || kindOf(node.args[0]) !== 'message') return undefined;
    const start = source.indexOf('[', node.args[0].range.end);
    const types = `${typeOf(node.args[0])}, ${typeOf(node.args[1])}`;
    return { start, message: `found no matching overload for '_[_]' applied to '(${types})'` };
  },
];

const kindOf = (node: Node): unknown => (node as { readonly checkedType?: { readonly kind?: unknown } }).checkedType?.kind;

const firstArgumentOf = (node: Node, name: string): Node | undefined =>
  node.op === 'call' && node.args[0] === name ? node.args[1][0] : undefined;
