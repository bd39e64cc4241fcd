import { createCelCompiler, createCelValues, summarizeError } from './bounded.ts';
import { CelFailure, createValueMaker } from './library.ts';
import { createKubernetesParts, registerParts } from './parts.ts';

/** A compiled expression, which can be evaluated any number of times. */
export interface CelExpression {
  /** The type of the expression's value, such as "bool"; "dyn" if the type depends on the variables. */
  readonly type: string;
  /**
   * Evaluates the expression over JSON values. In the result, integers are bigints, lists are arrays and objects are Maps.
   * @throws CelFailure if evaluation fails, or takes more steps than allowed
   */
  evaluate(variables?: Readonly<Record<string, unknown>>, options?: EvaluateOptions): unknown;
}

export interface EvaluateOptions {
  /** The maximum number of steps, each less than a microsecond; default: one million. */
  readonly maxSteps?: number;
}

/**
 * Compiles an expression with the functions of Kubernetes 1.36, except named formats. The first call loads the CEL library.
 * @param variables the variables that the expression may use
 * @throws CelFailure if the source is not a valid expression over these variables
 */
export async function compileExpression(source: string, variables: readonly string[] = []): Promise<CelExpression> {
  const library = await import('@marcbachmann/cel-js');
  const compiler = createCelCompiler();
  const baseEnvironment = compiler.extend(
    new library.Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: true, limits }),
  );
  const environment = registerParts(baseEnvironment, createKubernetesParts(createValueMaker(library)));
  const program = convertErrors(() => {
    for (const name of variables) environment.registerVariable(name, 'dyn');
    return compiler.compile(source, environment);
  });
  return {
    type: program.type,
    evaluate(values = {}, { maxSteps = 1_000_000 } = {}) {
      const { convert, costOf } = createCelValues();
      const converted = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, convert(value)]));
      const work = { meter: { remaining: maxSteps }, costOf, exhaustedMessage: `the expression takes more than ${maxSteps} steps` };
      return convertErrors(() => program.evaluate(converted, work));
    },
  };
}

const limits = { maxAstNodes: 10_000, maxDepth: 100, maxListElements: 1000, maxMapEntries: 1000, maxCallArguments: 32 };

/** Converts errors of the library to CelFailure, without the excerpt of the expression that the library appends. */
function convertErrors<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof CelFailure ? error : new CelFailure(summarizeError(error));
  }
}
