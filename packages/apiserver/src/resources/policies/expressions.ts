import {
  type AdmissionCompiler,
  type CompileOptions,
  createAdmissionCompilers,
  type ExpressionType,
} from '../../cel/admission-expressions.ts';
import { reservedWords } from '../../cel/reserved-words.ts';
import type { Causes } from '../field/causes.ts';
import { type Fields, has, list, text } from '../field/read.ts';
import { validateMatchConditions } from '../webhooks/validate.ts';

/** Compiles the expressions of one policy. */
export interface PolicyExpressions {
  /** Compiles an expression and reports its problem. */
  validate(expression: string, types: readonly ExpressionType[], field: string, options?: ExpressionOptions): void;
}

interface ExpressionOptions extends CompileOptions {
  /** The expression in messages, if it differs. */
  readonly value?: string;
}

/**
 * Validates the match conditions and variables of a policy. Mirrors validateMatchConditions and validateVariable (pkg/apis/admissionregistration/validation, 1.36).
 * @param hasVariables whether expressions can use `variables`
 */
export function validateSharedExpressions(spec: Fields, hasVariables: boolean, causes: Causes): PolicyExpressions {
  const createCompiler = createAdmissionCompilers();
  const hasParams = has(spec, 'paramKind');
  const conditionCompiler = createCompiler({ hasParams, hasVariables: false });
  validateMatchConditions(list(spec, 'matchConditions'), 'spec.matchConditions', causes, (expression) => {
    return conditionCompiler.compile(expression, ['bool']).compiled;
  });
  const compiler = createCompiler({ hasParams, hasVariables });
  for (const [i, variable] of list(spec, 'variables').entries()) validateVariable(compiler, variable, `spec.variables[${i}]`, causes);
  return {
    validate(expression, types, field, { value = expression, ...options } = {}) {
      const { problem } = compiler.compile(expression, types, options).compiled;
      if (problem !== undefined) causes.invalid(field, value, problem);
    },
  };
}

function validateVariable(compiler: AdmissionCompiler, variable: Fields, field: string, causes: Causes): void {
  const name = text(variable, 'name');
  const expression = text(variable, 'expression');
  if (name.trim() === '') causes.required(`${field}.name`, 'name is not specified');
  else if (!isIdentifier(name)) causes.invalid(`${field}.name`, name, 'must be a valid CEL identifier');
  if (expression.trim() === '') causes.required(`${field}.expression`, 'expression is not specified');
  else {
    const { problem } = compiler.declareVariable(name, expression).compiled;
    if (problem !== undefined) causes.invalid(`${field}.expression`, expression, problem);
  }
}

const isIdentifier = (name: string): boolean => /^[_a-zA-Z]\w*$/.test(name) && !reservedWords.has(name);
