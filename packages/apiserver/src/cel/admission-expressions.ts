import type { CelProgram } from '@kube-endpoints/cel/internal';
import { type AdmissionHost, createAdmissionHost, missingNamespace, type OptionalVariables } from './admission-environment.ts';
import { AuthorizerValue, type CelAuthorizer, type CelUser } from './authorizer.ts';
import { type CompiledExpression, checkConversions, compileExpression } from './compile.ts';
import type { Environment } from './environment.ts';
import { loadCelLibrary, loadPatternLibrary } from './library.ts';
import { compilePatchExpression } from './patch-types.ts';
import { describeEvaluationError, toCelGoTypeName } from './problems.ts';

/** The values of the variables in admission, as JSON. Absent ones are null. */
export interface AdmissionSubject {
  readonly object: unknown;
  readonly oldObject: unknown;
  /** The request of an AdmissionReview, without its objects. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly namespaceObject?: object | undefined;
  readonly params?: object | undefined;
}

/** The authorizer, and the user whose requests it decides. */
export interface SubjectAuthorizer {
  readonly authorizer: CelAuthorizer;
  readonly user: CelUser;
}

export type ExpressionType = 'bool' | 'string' | 'null' | 'any' | 'Object' | 'list<JSONPatch>';

/** An expression of admission: a match condition, a validation, a variable and so on. */
export interface AdmissionExpression {
  readonly source: string;
  readonly compiled: CompiledExpression;
}

export interface CompileOptions {
  /** Whether the expression can use `authorizer`. Default: true. */
  readonly hasAuthorizer?: boolean;
  /** Whether the expression can create objects and JSON patches. Default: false. */
  readonly hasPatchTypes?: boolean;
}

/** Compiles the expressions of one policy or webhook, which may share variables. */
export interface AdmissionCompiler {
  compile(source: string, types: readonly ExpressionType[], options?: CompileOptions): AdmissionExpression;
  /** Compiles an expression, and declares its value as a field of `variables` for all expressions that are compiled later. */
  declareVariable(name: string, source: string): AdmissionExpression;
  readonly variables: ReadonlyMap<string, AdmissionExpression>;
}

/** Creates compilers that share one library of functions. */
export function createAdmissionCompilers(): (options: {
  readonly hasParams: boolean;
  readonly hasVariables: boolean;
}) => AdmissionCompiler {
  let host: AdmissionHost | undefined;
  return (options) => {
    host ??= createAdmissionHost();
    return createCompiler(host, options);
  };
}

/** Mirrors CompositedCompiler (apiserver/pkg/admission/plugin/cel/composition.go, 1.36). */
function createCompiler(
  host: AdmissionHost,
  { hasParams, hasVariables }: { readonly hasParams: boolean; readonly hasVariables: boolean },
): AdmissionCompiler {
  const variables = new Map<string, AdmissionExpression>();
  let environments = new Map<boolean, Environment>();
  const getEnvironment = (hasAuthorizer: boolean): Environment => {
    const cached = environments.get(hasAuthorizer);
    if (cached) return cached;
    const environment = createEnvironment(host, { hasParams, hasAuthorizer }, hasVariables ? variables : undefined);
    environments.set(hasAuthorizer, environment);
    return environment;
  };
  const compile: AdmissionCompiler['compile'] = (source, types, { hasAuthorizer = true, hasPatchTypes = false } = {}) => {
    const environment = getEnvironment(hasAuthorizer);
    if (hasPatchTypes) return { source, compiled: requireType(compilePatchExpression(source, environment, host.cel), types) };
    const compiled = requireType(compileExpression(source, environment, host.cel.compiler), types);
    return { source, compiled: checkConversions(compiled, source, environment, host.cel.compiler) };
  };
  return {
    compile,
    variables,
    declareVariable(name, source) {
      const expression = compile(source, ['any']);
      variables.set(name, expression);
      environments = new Map();
      return expression;
    },
  };
}

const variablesType = 'kubernetes.variables';

/** The value of `variables`: evaluates each variable when it is first read. */
class Variables extends Map<string, unknown> {
  readonly #evaluate: (name: string) => unknown;
  constructor(evaluate: (name: string) => unknown) {
    super();
    this.#evaluate = evaluate;
  }
  override get(name: string): unknown {
    if (!this.has(name)) this.set(name, this.#evaluate(name));
    return super.get(name);
  }
}

function createEnvironment(
  host: AdmissionHost,
  options: OptionalVariables,
  variables: ReadonlyMap<string, AdmissionExpression> | undefined,
): Environment {
  const environment = host.createEnvironment(options);
  if (!variables) return environment;
  const fields = Object.fromEntries([...variables].map(([name, { compiled }]) => [name, toFieldType(compiled.program?.type ?? 'dyn')]));
  return environment.registerType(variablesType, { ctor: Variables, fields }).registerVariable('variables', variablesType);
}

/** Mirrors convertCelTypeToDeclType: only types of plain values are kept. */
const toFieldType = (type: string): string => (isPlainType(type) ? type : 'dyn');
const isPlainType = (type: string): boolean =>
  /^(list|map|((list<|map<|, |bool|bytes|double|dyn|int|string|uint|null|google\.protobuf\.(Duration|Timestamp))>*)+)$/.test(type);

function requireType(compiled: CompiledExpression, types: readonly ExpressionType[]): CompiledExpression {
  const type = compiled.program?.type;
  if (type === undefined || types.some((each) => each === 'any' || each === type)) return compiled;
  const names = types.map(toTypeName);
  const expectation = names.length === 1 ? names[0] : `one of [${names.join(' ')}]`;
  return { problem: `must evaluate to ${expectation} but got ${toTypeName(type)}` };
}

/** The name of a type in cel-go's messages about results. The library abbreviates the types of lists and maps of anything. */
const toTypeName = (type: string): string => typeNames[type] ?? toCelGoTypeName(type);

const typeNames: Readonly<Record<string, string>> = {
  null: 'null_type',
  list: 'list(dyn)',
  'list<T>': 'list(dyn)',
  map: 'map(dyn, dyn)',
  'map<K, V>': 'map(dyn, dyn)',
};

/** The cost limit of one expression. */
const maxExpressionCost = 1_000_000;

/** An expression that has no value. The message is upstream's. */
export class EvaluationFailure extends Error {}

/** The expressions exceed their common cost limit, so no further ones are evaluated. */
export class BudgetExceeded extends Error {
  constructor() {
    super('validation failed due to running out of cost budget, no further validation rules will be run');
  }
}

/** The value of an expression, or upstream's message if it has no value. */
export type EvaluationResult = { readonly value: unknown; readonly problem?: undefined } | { readonly problem: string };

/** Evaluates the expressions of one compiler. */
export interface Evaluator {
  /** @throws BudgetExceeded */
  evaluate(expression: AdmissionExpression): EvaluationResult;
  remainingCost(): number;
}

/** The values of a subject, in the form that expressions use. */
export type SubjectValues = Readonly<Record<string, unknown>>;

/** Converts a subject once for all its evaluations. */
export function convertSubject({ object, oldObject, request, namespaceObject, params }: AdmissionSubject): SubjectValues {
  const { convert } = loadCelLibrary().createCelValues();
  return {
    object: convert(object),
    oldObject: convert(oldObject),
    request: convert(request),
    namespaceObject: namespaceObject ? convert(namespaceObject) : missingNamespace,
    params: convert(params ?? null),
  };
}

/** Creates the value of `authorizer` for the request of a subject. */
export function createAuthorizerValue({ authorizer, user }: SubjectAuthorizer, request: AdmissionSubject['request']): AuthorizerValue {
  const { group, resource } = request['requestResource'] as { readonly group: string; readonly resource: string };
  const textOf = (name: string): string => (request[name] ?? '') as string;
  const access = { group, resource, subresource: textOf('requestSubResource'), namespace: textOf('namespace'), name: textOf('name') };
  return new AuthorizerValue(authorizer, user, access);
}

/**
 * Creates an evaluator that evaluates each variable at most once.
 *
 * Mirrors evaluationActivation.Evaluate (apiserver/pkg/admission/plugin/cel/activation.go, 1.36).
 * @param budget the common cost limit of all expressions
 */
export function createEvaluator(
  { variables }: Pick<AdmissionCompiler, 'variables'>,
  values: SubjectValues,
  authorizer: AuthorizerValue | undefined,
  budget: number,
): Evaluator {
  let remaining = budget;
  const run = (program: CelProgram): unknown => {
    const meter = { remaining: maxExpressionCost };
    const work = { meter, costOf: loadCelLibrary().comparisonCostOf, exhaustedMessage: 'operation cancelled: actual cost limit exceeded' };
    try {
      return program.evaluate(allValues, work);
    } catch (error) {
      throw new EvaluationFailure(describeEvaluationError(error) ?? loadCelLibrary().summarizeError(error));
    } finally {
      remaining -= maxExpressionCost - Math.max(meter.remaining, 0);
    }
  };
  const variableValues = new Variables((name) => evaluateVariable(name, variables.get(name)?.compiled, run));
  const allValues = { ...values, ...(authorizer && { authorizer }), variables: variableValues };
  return {
    remainingCost: () => remaining,
    evaluate({ source, compiled }) {
      if (!compiled.program) return { problem: `compilation error: ${describeProblem(compiled)}` };
      const result = attempt(compiled.program, run);
      if (remaining < 0) throw new BudgetExceeded();
      return result.problem === undefined ? result : { problem: `expression '${source}' resulted in error: ${result.problem}` };
    },
  };
}

function attempt(program: CelProgram, run: (program: CelProgram) => unknown): EvaluationResult {
  try {
    return { value: run(program) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

function evaluateVariable(name: string, compiled: CompiledExpression | undefined, run: (program: CelProgram) => unknown): unknown {
  if (!compiled) return undefined;
  const { CelFailure } = loadPatternLibrary();
  if (!compiled.program) throw new CelFailure(`composited variable ${JSON.stringify(name)} fails to compile: ${describeProblem(compiled)}`);
  const result = attempt(compiled.program, run);
  if (result.problem === undefined) return result.value;
  throw new CelFailure(`composited variable ${JSON.stringify(name)} fails to evaluate: ${result.problem}`);
}

const describeProblem = ({ problem, unsupportedFeature }: CompiledExpression): string =>
  problem ?? `this server has no ${unsupportedFeature}`;
