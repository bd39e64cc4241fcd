import { type CelBounds, type CelProgram, type CelValueMaker, nodesIn } from '@kube-endpoints/cel/internal';
import { createCelHost, type Environment } from '../../cel/environment.ts';
import { mayBe, type ReadExpression, readExpression } from '../../cel/read.ts';
import { additionalOf, itemsOf, propertiesOf, type Schema, type ValidationRule } from '../schema/schema.ts';
import { type Declared, type Declaring, declare } from './declare.ts';

/** The rules of a schema and of those subschemas that have rules. */
export interface RuleNode {
  readonly schema: Schema;
  readonly declared: Declared;
  readonly rules: readonly CompiledRule[];
  readonly properties: ReadonlyMap<string, RuleNode>;
  readonly additional?: RuleNode;
  readonly items?: RuleNode;
}

/** Compiled rules, and the factory of their CEL values. */
export interface Rules {
  readonly root: RuleNode | undefined;
  readonly values: CelValueMaker;
}

/**
 * Compiles the rules of a schema; undefined if it has none.
 *
 * Mirrors NewValidator (apiextensions-apiserver/pkg/apiserver/schema/cel/validation.go, 1.36).
 */
export function compileRules(schema: Schema): Rules | undefined {
  if (!hasRules(schema)) return undefined;
  const { environment: base, bounds, values } = createCelHost();
  const declaring: Declaring = { environment: base, values, types: 0 };
  const declared = declare(declaring, schema, true);
  return { root: nodeOf({ base, bounds }, schema, declared), values };
}

interface Building {
  readonly base: Environment;
  readonly bounds: CelBounds;
}

function nodeOf(building: Building, schema: Schema, declared: Declared | undefined): RuleNode | undefined {
  if (!declared) return undefined;
  const ofItems = itemsOf(schema);
  const ofAdditional = additionalOf(schema);
  const items = ofItems && nodeOf(building, ofItems, declared.elements);
  const additional = ofAdditional && nodeOf(building, ofAdditional, declared.elements);
  const properties = propertyNodes(building, schema, declared);
  const rules = rulesOf(building, schema, declared);
  if (rules.length + properties.size === 0 && !items && !additional) return undefined;
  return { schema, declared, rules, properties, ...(items && { items }), ...(additional && { additional }) };
}

/** Whether there are rules in places that structural schemas allow. */
export function hasRules(schema: Schema): boolean {
  const children = [itemsOf(schema), additionalOf(schema), ...propertiesOf(schema).map(([, each]) => each)];
  return (schema['x-kubernetes-validations'] ?? []).length > 0 || children.some((each) => each !== undefined && hasRules(each));
}

function propertyNodes(building: Building, schema: Schema, declared: Declared): ReadonlyMap<string, RuleNode> {
  const nodes = new Map<string, RuleNode>();
  for (const [name, property] of propertiesOf(schema)) {
    const node = nodeOf(building, property, declared.properties?.get(name));
    if (node) nodes.set(name, node);
  }
  return nodes;
}

/** All rules, including those of subschemas. */
export function rulesIn({ rules, properties, additional, items }: RuleNode): readonly CompiledRule[] {
  const children = [...properties.values(), ...(additional ? [additional] : []), ...(items ? [items] : [])];
  return [...rules, ...children.flatMap(rulesIn)];
}

function rulesOf({ base, bounds }: Building, schema: Schema, { type }: Declared): readonly CompiledRule[] {
  const rules = schema['x-kubernetes-validations'] ?? [];
  if (rules.length === 0) return [];
  const environments: RuleEnvironments = {
    plain: base.clone().registerVariable('self', type).registerVariable('oldSelf', type),
    optional: base.clone().registerVariable('self', type).registerVariable('oldSelf', `optional<${type}>`),
  };
  return rules.map((rule) => compileRule(rule, environments, bounds));
}

/** A compiled rule, or why it cannot be compiled. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  readonly program?: CelProgram;
  readonly message?: CelProgram;
  readonly usesOld: boolean;
  /** Why the rule does not compile, in upstream's words if they are known. */
  readonly problem?: string;
  readonly messageProblem?: string;
  /** A CEL feature that the rule needs and this server lacks; the rule is then not evaluated. */
  readonly missing?: string;
}

/** The environments of a rule: `optional` is for optionalOldSelf, where oldSelf is an optional value. */
interface RuleEnvironments {
  readonly plain: Environment;
  readonly optional: Environment;
}

/** Mirrors compileRule (apiextensions-apiserver/pkg/apiserver/schema/cel/compilation.go, 1.36), without cost estimates. */
function compileRule(rule: ValidationRule, environments: RuleEnvironments, bounds: CelBounds): CompiledRule {
  const source = rule.rule ?? '';
  if (source.trim() === '') return { rule, usesOld: false };
  const environment = rule.optionalOldSelf ? environments.optional : environments.plain;
  const compiled = read(source, 'bool', environment, bounds);
  if (compiled.missing !== undefined) return { rule, usesOld: false, missing: compiled.missing };
  if (compiled.problem !== undefined) return { rule, usesOld: false, problem: compiled.problem };
  const found = { rule, program: compiled.program, usesOld: reads(compiled.program.ast, 'oldSelf') };
  if (!rule.messageExpression) return found;
  const message = read(rule.messageExpression, 'string', environment, bounds);
  if (message.missing !== undefined) return { ...found, missing: message.missing };
  return message.problem !== undefined
    ? { ...found, messageProblem: `messageExpression ${message.problem}` }
    : { ...found, message: message.program };
}

/** Compiles an expression whose result must have a type. */
function read(source: string, type: 'bool' | 'string', environment: Environment, bounds: CelBounds): ReadExpression {
  const found = readExpression(source, environment, bounds);
  if (!found.program || mayBe(found.program, type)) return found;
  return { problem: type === 'bool' ? 'cel expression must evaluate to a bool' : 'must evaluate to a string' };
}

const reads = (ast: CelProgram['ast'], name: string): boolean => [...nodesIn(ast)].some(({ op, args }) => op === 'id' && args === name);
