import type { CelProgram } from '@kube-endpoints/cel/internal';
import { type CompiledExpression, compileExpression, mayHaveType } from './compile.ts';
import { type CelHost, createCelHost, type Environment } from './environment.ts';
import { loadCelLibrary } from './library.ts';
import { describeEvaluationError } from './problems.ts';

/** The variables of a match condition. */
interface ConditionSubject {
  readonly object: unknown;
  readonly oldObject: unknown;
  /** The request of an AdmissionReview. */
  readonly request: Readonly<Record<string, unknown>>;
}

/** Compiles and evaluates the match conditions of webhooks. Caches compiled expressions. */
export interface MatchConditions {
  compile(expression: string): CompiledExpression;
  /**
   * Returns a function that evaluates conditions for a subject. The function throws an Error in upstream's words if a condition does not compile or
   * its evaluation fails.
   */
  createEvaluator(subject: ConditionSubject): (expression: string) => boolean;
}

/**
 * Mirrors the compiler and evaluator of match conditions (apiserver/pkg/admission/plugin/cel, 1.36), except for `authorizer`, which this
 * server does not have.
 */
export function createMatchConditions(): MatchConditions {
  const cache = new Map<string, CompiledExpression>();
  let host: { readonly cel: CelHost; readonly environment: Environment } | undefined;
  const compile = (expression: string): CompiledExpression => {
    const cachedExpression = cache.get(expression);
    if (cachedExpression) return cachedExpression;
    host ??= createConditionHost();
    const compiledExpression = compileCondition(expression, host.environment, host.cel);
    if (cache.size >= maxCachedExpressions) cache.clear();
    cache.set(expression, compiledExpression);
    return compiledExpression;
  };
  return {
    compile,
    createEvaluator(subject) {
      const variables = convertVariables(subject);
      return (expression) => {
        const { program, problem, unsupportedFeature } = compile(expression);
        if (program) return evaluate(program, expression, variables);
        throw createEvaluationError(expression, problem ?? `this server has no ${unsupportedFeature}`);
      };
    },
  };
}

const maxCachedExpressions = 1000;

function createConditionHost() {
  const cel = createCelHost();
  const environment = cel.environment.clone();
  for (const name of ['object', 'oldObject']) environment.registerVariable(name, 'dyn');
  environment.registerVariable('request', { schema: requestSchema } as never);
  return { cel, environment };
}

const kindSchema = { group: 'string', version: 'string', kind: 'string' };
const resourceSchema = { group: 'string', version: 'string', resource: 'string' };

/** Mirrors BuildRequestType (apiserver/pkg/cel/mutation and admission/plugin/cel, 1.36). */
const requestSchema = {
  uid: 'string',
  kind: kindSchema,
  resource: resourceSchema,
  subResource: 'string',
  requestKind: kindSchema,
  requestResource: resourceSchema,
  requestSubResource: 'string',
  name: 'string',
  namespace: 'string',
  operation: 'string',
  userInfo: { username: 'string', uid: 'string', groups: 'list<string>', extra: 'map<string, list<string>>' },
  dryRun: 'bool',
  options: 'dyn',
};

function compileCondition(expression: string, environment: Environment, { compiler }: CelHost): CompiledExpression {
  const compiledExpression = compileExpression(expression, environment, compiler);
  if (!compiledExpression.program || mayHaveType(compiledExpression.program, 'bool')) return compiledExpression;
  return { problem: `must evaluate to bool but got ${compiledExpression.program.type}` };
}

/** Cost limit of one condition for one request. */
const maxConditionCost = 1_000_000;

type Variables = Readonly<Record<string, unknown>>;

function convertVariables({ object, oldObject, request }: ConditionSubject): Variables {
  const { convert } = loadCelLibrary().createCelValues();
  return { object: convert(object), oldObject: convert(oldObject), request: convert(request) };
}

function evaluate(program: CelProgram, expression: string, variables: Variables): boolean {
  const meter = { remaining: maxConditionCost };
  try {
    return (
      program.evaluate(variables, { meter, costOf: loadCelLibrary().comparisonCostOf, exhaustedMessage: costExceededMessage }) === true
    );
  } catch (error) {
    throw createEvaluationError(expression, describeEvaluationError(error) ?? loadCelLibrary().summarizeError(error));
  }
}

const costExceededMessage = 'operation cancelled: actual cost limit exceeded';

const createEvaluationError = (expression: string, reason: string): Error =>
  new Error(`expression '${expression}' resulted in error: ${reason}`);
