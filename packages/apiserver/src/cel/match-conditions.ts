import { type CelProgram, createCelValues, summarizeError, weighValue } from '@kube-endpoints/cel/internal';
import { type CelHost, createCelHost, type Environment } from './environment.ts';
import { evaluationProblem } from './problems.ts';
import { mayBe, type ReadExpression, readExpression } from './read.ts';

/** The variables of a match condition. */
interface ConditionSubject {
  readonly object: unknown;
  readonly oldObject: unknown;
  /** The request of an AdmissionReview. */
  readonly request: Readonly<Record<string, unknown>>;
}

/** Match conditions of webhooks; compiled expressions are cached. */
export interface MatchConditions {
  /** Compiles an expression. */
  read(expression: string): ReadExpression;
  /**
   * Returns a function that evaluates conditions for a subject. It throws an Error in upstream's words if a condition does not compile or
   * its evaluation fails.
   */
  createEvaluator(subject: ConditionSubject): (expression: string) => boolean;
}

/**
 * Mirrors the compiler and evaluator of match conditions (apiserver/pkg/admission/plugin/cel, 1.36), except for `authorizer`, which this
 * server does not have.
 */
export function createMatchConditions(): MatchConditions {
  const known = new Map<string, ReadExpression>();
  let host: { readonly cel: CelHost; readonly environment: Environment } | undefined;
  const read = (expression: string): ReadExpression => {
    const found = known.get(expression);
    if (found) return found;
    host ??= createHost();
    const made = readCondition(expression, host.environment, host.cel);
    if (known.size >= most) known.clear();
    known.set(expression, made);
    return made;
  };
  return {
    read,
    createEvaluator(subject) {
      const variables = variablesOf(subject);
      return (expression) => {
        const { program, problem, missing } = read(expression);
        if (program) return evaluate(program, expression, variables);
        throw failure(expression, problem ?? `this server has no ${missing}`);
      };
    },
  };
}

/** Maximum number of cached expressions. */
const most = 1000;

function createHost() {
  const cel = createCelHost();
  const environment = cel.environment.clone();
  for (const name of ['object', 'oldObject']) environment.registerVariable(name, 'dyn');
  environment.registerVariable('request', { schema: requestSchema } as never);
  return { cel, environment };
}

const kind = { group: 'string', version: 'string', kind: 'string' };
const resource = { group: 'string', version: 'string', resource: 'string' };

/** Mirrors BuildRequestType (apiserver/pkg/cel/mutation and admission/plugin/cel, 1.36). */
const requestSchema = {
  uid: 'string',
  kind,
  resource,
  subResource: 'string',
  requestKind: kind,
  requestResource: resource,
  requestSubResource: 'string',
  name: 'string',
  namespace: 'string',
  operation: 'string',
  userInfo: { username: 'string', uid: 'string', groups: 'list<string>', extra: 'map<string, list<string>>' },
  dryRun: 'bool',
  options: 'dyn',
};

function readCondition(expression: string, environment: Environment, { bounds }: CelHost): ReadExpression {
  const found = readExpression(expression, environment, bounds);
  if (!found.program || mayBe(found.program, 'bool')) return found;
  return { problem: `must evaluate to bool but got ${found.program.type}` };
}

/** Cost limit of one condition for one request. */
const perCondition = 1_000_000;

type Variables = Readonly<Record<string, unknown>>;

function variablesOf({ object, oldObject, request }: ConditionSubject): Variables {
  const { convert } = createCelValues();
  return { object: convert(object), oldObject: convert(oldObject), request: convert(request) };
}

function evaluate(program: CelProgram, expression: string, variables: Variables): boolean {
  const meter = { left: perCondition };
  try {
    return program.evaluate(variables, { meter, weigh: weighValue, exhausted }) === true;
  } catch (error) {
    throw failure(expression, evaluationProblem(error) ?? summarizeError(error));
  }
}

const exhausted = 'operation cancelled: actual cost limit exceeded';

const failure = (expression: string, why: string): Error => new Error(`expression '${expression}' resulted in error: ${why}`);
