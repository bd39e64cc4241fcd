import {
  type CelMeter,
  type CelProgram,
  type CelValues,
  childrenOf,
  createCelCompiler,
  summarizeError,
} from '@kube-endpoints/cel/internal';
import { type ASTNode, Environment } from '@marcbachmann/cel-js';

/** The variables of an evaluation, and its remaining work. */
export interface CelRun {
  /** Converted values, by variable name. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly values: CelValues;
  /** Shared by all expressions of one request. */
  readonly meter: CelMeter;
}

export interface CelExpression {
  readonly source: string;
  readonly reads: FieldReads;
  /** Returns whether the expression is true, or the reason that the evaluation failed. Never throws. */
  evaluate(run: CelRun): boolean | { readonly failure: string };
}

/** Parses expressions. Returns an error message if the text is not a valid expression. */
export interface CelParser {
  parse(source: string, scope: 'object' | 'address'): CelExpression | string;
}

/** The maximum work for one request, in steps; a step takes less than a microsecond. */
export const maxCelSteps: number = 200_000;

export function createCelParser(): CelParser {
  const compiler = createCelCompiler();
  const environments = new Map<string, Environment>();
  const getEnvironment = (scope: 'object' | 'address'): Environment => {
    const environment = environments.get(scope) ?? compiler.extend(createEnvironment(scope));
    environments.set(scope, environment);
    return environment;
  };
  return {
    parse(source, scope) {
      try {
        const program = compiler.compile(source, getEnvironment(scope));
        if (program.type !== 'bool' && program.type !== 'dyn') return `it gives ${program.type}, not bool`;
        return { source, reads: findReads(program.ast), evaluate: (run) => evaluate(program, run) };
      } catch (error) {
        return summarizeError(error);
      }
    },
  };
}

function evaluate(program: CelProgram, { variables, values, meter }: CelRun): boolean | { readonly failure: string } {
  try {
    const value = program.evaluate(variables, { meter, costOf: (each) => values.costOf(each), exhaustedMessage: stepLimitMessage });
    return typeof value === 'boolean' ? value : { failure: 'it gave no bool' };
  } catch (error) {
    return { failure: summarizeError(error) };
  }
}

const stepLimitMessage = `it needs more than ${maxCelSteps} steps for one request`;

/** API objects have no static types here, so most types are checked during evaluation. */
function createEnvironment(scope: 'object' | 'address'): Environment {
  const environment = new Environment({
    enableOptionalTypes: true,
    homogeneousAggregateLiterals: false,
    limits: { maxAstNodes: 2000, maxDepth: 50, maxListElements: 500, maxMapEntries: 100, maxCallArguments: 8 },
  });
  for (const name of ['object', 'oldObject', 'service', 'pods']) environment.registerVariable(name, 'dyn');
  environment.registerVariable('operation', 'string').registerVariable('now', 'google.protobuf.Timestamp');
  if (scope === 'address') for (const name of ['address', 'pod']) environment.registerVariable(name, 'dyn');
  return environment;
}

/** The field paths that an expression reads, by variable, at most two fields deep; "" if the variable is read as a whole. */
export type FieldReads = ReadonlyMap<string, ReadonlySet<string>>;

export function findReads(ast: ASTNode): FieldReads {
  const reads = new Map<string, Set<string>>();
  const visit = (node: ASTNode): void => {
    const path = pathOf(node);
    if (!path) {
      childrenOf(node).forEach(visit);
      return;
    }
    const fieldPaths = reads.get(path.name) ?? new Set<string>();
    reads.set(path.name, fieldPaths.add(path.fields.slice(0, 2).join('.')));
  };
  visit(ast);
  return reads;
}

/**
 * Returns the path of an expression such as `a.b.c`. Undefined for any other expression, such as `a["b"]`; `findReads` then visits its
 * children.
 */
function pathOf(node: ASTNode): { readonly name: string; readonly fields: readonly string[] } | undefined {
  if (node.op === 'id') return { name: node.args, fields: [] };
  if (node.op !== '.') return undefined;
  const [object, field] = node.args;
  const path = pathOf(object);
  return path && { name: path.name, fields: [...path.fields, field] };
}

/** Returns the top-level fields of a variable that are read; undefined if the variable is read as a whole. */
export function topLevelFieldsRead(reads: FieldReads, name: string): ReadonlySet<string> | undefined {
  const paths = [...(reads.get(name) ?? [])];
  return paths.includes('') ? undefined : new Set(paths.map((path) => path.split('.')[0] as string));
}

/** True if the expression reads any part of the object except the fields that no rule changes. */
export const readsContent = (reads: FieldReads): boolean =>
  [...(reads.get('object') ?? [])].some((path) => !fieldsUnchangedByRules.has(path));

const fieldsUnchangedByRules: ReadonlySet<string> = new Set([
  'apiVersion',
  'kind',
  'addressType',
  ...['name', 'generateName', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp', 'ownerReferences'].map(
    (field) => `metadata.${field}`,
  ),
]);
