import { briefly, type CelBounds, type CelProgram } from '@kube-endpoints/cel';
import { compilationProblem } from './compilation.ts';
import type { Environment } from './environment.ts';
import { missingIn } from './problems.ts';
import { wrongIn } from './wrong.ts';

/** An expression that can be evaluated, what is wrong with it, or what it needs that this server has not. */
export type ReadExpression =
  | { readonly program: CelProgram; readonly problem?: undefined; readonly missing?: undefined }
  | { readonly problem: string; readonly program?: undefined; readonly missing?: undefined }
  | { readonly missing: string; readonly program?: undefined; readonly problem?: undefined };

/** Reads an expression. Its type is not looked at. */
export function readExpression(source: string, environment: Environment, bounds: CelBounds): ReadExpression {
  try {
    const program = bounds.read(source, environment);
    const wrong = wrongIn(program.ast, source, environment);
    return wrong === undefined ? { program } : { problem: `compilation failed: ${wrong}` };
  } catch (error) {
    const missing = missingIn(source);
    if (missing !== undefined) return { missing };
    return { problem: `compilation failed: ${compilationProblem(error, source, environment) ?? briefly(error)}` };
  }
}

/** Whether the value of a program can be of a type: of some that is known when it is evaluated only. */
export const mayBe = ({ type }: CelProgram, wanted: 'bool' | 'string'): boolean =>
  type === wanted || type === 'dyn' || type === `dyn<${wanted}>`;
