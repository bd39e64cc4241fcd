import { briefly, type CelMeter, type CelProgram, type CelValues, childrenOf, createBounds } from '@kube-endpoints/cel/internal';
import { type ASTNode, Environment } from '@marcbachmann/cel-js';

/** What an expression is evaluated over, and how much work it may still be. */
export interface CelRun {
  /** Converted values by the names of variables. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly values: CelValues;
  /** Shared by all expressions that are evaluated about one request. */
  readonly meter: CelMeter;
}

export interface CelExpression {
  readonly source: string;
  readonly reads: Reads;
  /** Whether it holds, or why that cannot be told. Never throws. */
  evaluate(run: CelRun): boolean | { readonly failure: string };
}

/** Reads expressions. Text tells why one is none. */
export interface CelReader {
  read(source: string, scope: 'object' | 'address'): CelExpression | string;
}

/** So much work is done for one request, in steps of less than a microsecond. */
export const maxCelSteps: number = 200_000;

export function createCelReader(): CelReader {
  const bounds = createBounds();
  const environments = new Map<string, Environment>();
  const environmentFor = (scope: 'object' | 'address'): Environment => {
    const known = environments.get(scope) ?? bounds.extend(createEnvironment(scope));
    environments.set(scope, known);
    return known;
  };
  return {
    read(source, scope) {
      try {
        const program = bounds.read(source, environmentFor(scope));
        if (program.type !== 'bool' && program.type !== 'dyn') return `it gives ${program.type}, not bool`;
        return { source, reads: readsOf(program.ast), evaluate: (run) => evaluate(program, run) };
      } catch (error) {
        return briefly(error);
      }
    },
  };
}

function evaluate(program: CelProgram, { variables, values, meter }: CelRun): boolean | { readonly failure: string } {
  try {
    const value = program.evaluate(variables, { meter, weigh: (each) => values.weigh(each), exhausted });
    return typeof value === 'boolean' ? value : { failure: 'it gave no bool' };
  } catch (error) {
    return { failure: briefly(error) };
  }
}

const exhausted = `it is more work than ${maxCelSteps} steps for one object`;

/** An object of the API can hold anything, so that most is known when it is evaluated only. */
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

/** What an expression reads of its variables: by their names, the ways into them, two fields deep; "" where one is read as a whole. */
export type Reads = ReadonlyMap<string, ReadonlySet<string>>;

export function readsOf(ast: ASTNode): Reads {
  const reads = new Map<string, Set<string>>();
  const visit = (node: ASTNode): void => {
    const way = wayOf(node);
    if (!way) {
      childrenOf(node).forEach(visit);
      return;
    }
    const known = reads.get(way.name) ?? new Set<string>();
    reads.set(way.name, known.add(way.fields.slice(0, 2).join('.')));
  };
  visit(ast);
  return reads;
}

/** `a.b.c` is a way; everything else, such as `a["b"]`, is made of ways. */
function wayOf(node: ASTNode): { readonly name: string; readonly fields: readonly string[] } | undefined {
  if (node.op === 'id') return { name: node.args, fields: [] };
  if (node.op !== '.') return undefined;
  const [object, field] = node.args;
  const way = wayOf(object);
  return way && { name: way.name, fields: [...way.fields, field] };
}

/** The fields of a variable that are read; undefined where it is read as a whole. */
export function fieldsRead(reads: Reads, name: string): ReadonlySet<string> | undefined {
  const ways = [...(reads.get(name) ?? [])];
  return ways.includes('') ? undefined : new Set(ways.map((way) => way.split('.')[0] as string));
}

/** Whether what rules change is read of the object: anything but what it is, and who. */
export const readsContent = (reads: Reads): boolean => [...(reads.get('object') ?? [])].some((way) => !lasting.has(way));

const lasting: ReadonlySet<string> = new Set([
  'apiVersion',
  'kind',
  'addressType',
  ...['name', 'generateName', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp', 'ownerReferences'].map(
    (field) => `metadata.${field}`,
  ),
]);
