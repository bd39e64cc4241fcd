import type { CelProgram } from '@kube-endpoints/cel/internal';
import { estimateCost } from '../../../cel/cost/estimate.ts';
import { maxUint64 } from '../../../cel/cost/range.ts';
import type { Causes } from '../../../resources/field/causes.ts';
import type { CompiledRule, RuleNode } from '../../rules/index.ts';
import { createSize, maxRequestBytes, sizeAtPath } from '../../rules/sizes.ts';
import type { Schema } from '../../schema/schema.ts';

const maxExpressionCost = 10_000_000n;
const maxSchemaCost = 100_000_000n;

/** Sums the estimated costs of the rules of a schema. */
export interface CostBudget {
  /** Whether the cost of a single expression is not limited, because the schema is unchanged. */
  readonly isUnchanged: boolean;
  total: bigint;
  /** The paths and costs of the most expensive expressions. */
  mostExpensive: readonly { readonly path: string; readonly cost: bigint }[];
}

export const createCostBudget = (isUnchanged: boolean): CostBudget => ({ isUnchanged, total: 0n, mostExpensive: [] });

/** How often values of a schema can occur in an object; undefined if there is no limit. */
export type Cardinality = bigint | undefined;

/** Mirrors childContext (apiextensions-apiserver/pkg/apis/apiextensions/validation/cel_validation.go, 1.36). */
export function cardinalityOfChildren(
  cardinality: Cardinality,
  { type, additionalProperties, maxProperties, maxItems }: Schema,
): Cardinality {
  const isCollection = type === 'array' || (type === 'object' && additionalProperties !== undefined);
  if (cardinality === undefined || !isCollection) return cardinality;
  const limit = type === 'array' ? maxItems : maxProperties;
  return limit === undefined ? undefined : times(cardinality, BigInt(Math.max(limit, 0)));
}

const times = (a: bigint, b: bigint): bigint => (a * b > maxUint64 ? maxUint64 : a * b);

/** Estimates the expressions of a rule. A part without an estimate costs nothing. */
export function createRuleCosts({ schema }: Pick<RuleNode, 'schema'>, isRoot: boolean, cardinality: Cardinality): RuleCosts {
  const size = createSize(schema, isRoot);
  const maxCardinality = BigInt(Math.floor(maxRequestBytes / ((size?.minBytes ?? 0) + 1)));
  const estimate = (program: CelProgram | undefined): bigint =>
    (program && size && estimateCost(program.ast, (path) => sizeAtPath(size, path))?.max) ?? 0n;
  return {
    ofRule: ({ program }) => times(estimate(program), cardinality ?? maxCardinality),
    ofMessage: ({ messageProgram }) => estimate(messageProgram),
  };
}

export interface RuleCosts {
  /** The cost of all evaluations for an object. */
  ofRule(rule: CompiledRule): bigint;
  /** The cost of one evaluation of the message expression. */
  ofMessage(rule: CompiledRule): bigint;
}

/** Refuses an expression that is too expensive, and adds its cost to the budget. */
export function spendCost(
  budget: CostBudget,
  cost: bigint,
  { path, name }: { readonly path: string; readonly name: string },
  causes: Causes,
): void {
  if (!budget.isUnchanged && cost > maxExpressionCost)
    causes.forbidden(path, formatExcess(`estimated ${name} cost`, cost, maxExpressionCost));
  budget.total = budget.total + cost > maxUint64 ? maxUint64 : budget.total + cost;
  if (cost < maxSchemaCost / 100n) return;
  const sorted = [...budget.mostExpensive, { path, cost }].sort((a, b) => (a.cost === b.cost ? 0 : a.cost > b.cost ? -1 : 1));
  budget.mostExpensive = sorted.slice(0, 4);
}

/** Refuses a schema whose rules are too expensive together. @param path field path of the schema */
export function checkTotalCost({ total, mostExpensive }: CostBudget, path: string, causes: Causes): void {
  if (total <= maxSchemaCost) return;
  for (const each of mostExpensive)
    causes.forbidden(each.path, 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema');
  causes.forbidden(
    path,
    formatExcess('x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema', total, maxSchemaCost),
  );
}

/** Mirrors getCostErrorMessage. */
function formatExcess(name: string, cost: bigint, limit: bigint): string {
  const excess = Number(cost) / Number(limit);
  const factor = excess > 100 ? 'more than 100' : excess.toFixed(excess < 1.5 ? 6 : 1);
  const advice = 'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return `${name} exceeds budget by factor of ${factor}x (${advice})`;
}
