import type { CelCompiler, CelProgram, CelValueMaker } from '@kube-endpoints/cel/internal';
import { type CompiledExpression, checkConversions, compileExpression, mayHaveType } from '../../cel/compile.ts';
import { createCelHost, type Environment } from '../../cel/environment.ts';
import { loadCelLibrary } from '../../cel/library.ts';
import { additionalPropertiesOf, itemsOf, propertiesOf, type Schema, type ValidationRule } from '../schema/schema.ts';
import { type DeclarationContext, type DeclaredType, declareType } from './declare.ts';

/** The rules of a schema and of those subschemas that have rules. */
export interface RuleNode {
  readonly schema: Schema;
  readonly declaredType: DeclaredType;
  readonly rules: readonly CompiledRule[];
  readonly properties: ReadonlyMap<string, RuleNode>;
  readonly additional?: RuleNode;
  readonly items?: RuleNode;
}

/** Compiled rules, and the factory of their CEL values. */
export interface Rules {
  readonly root: RuleNode | undefined;
  readonly valueMaker: CelValueMaker;
}

/**
 * Compiles the rules of a schema; undefined if it has none.
 *
 * Mirrors NewValidator (apiextensions-apiserver/pkg/apiserver/schema/cel/validation.go, 1.36).
 */
export function compileRules(schema: Schema): Rules | undefined {
  if (!hasRules(schema)) return undefined;
  const { environment: baseEnvironment, compiler, valueMaker } = createCelHost();
  const declarationContext: DeclarationContext = { environment: baseEnvironment, valueMaker, typeCount: 0 };
  const declaredType = declareType(declarationContext, schema, true);
  return { root: createNode({ baseEnvironment, compiler }, schema, declaredType), valueMaker };
}

interface BuildContext {
  readonly baseEnvironment: Environment;
  readonly compiler: CelCompiler;
}

function createNode(context: BuildContext, schema: Schema, declaredType: DeclaredType | undefined): RuleNode | undefined {
  if (!declaredType) return undefined;
  const itemsSchema = itemsOf(schema);
  const additionalSchema = additionalPropertiesOf(schema);
  const items = itemsSchema && createNode(context, itemsSchema, declaredType.elements);
  const additional = additionalSchema && createNode(context, additionalSchema, declaredType.elements);
  const properties = createPropertyNodes(context, schema, declaredType);
  const rules = compileOwnRules(context, schema, declaredType);
  if (rules.length + properties.size === 0 && !items && !additional) return undefined;
  return { schema, declaredType, rules, properties, ...(items && { items }), ...(additional && { additional }) };
}

/** Whether the schema or a subschema that structural schemas allow has rules. */
export function hasRules(schema: Schema): boolean {
  const children = [itemsOf(schema), additionalPropertiesOf(schema), ...propertiesOf(schema).map(([, each]) => each)];
  return (schema['x-kubernetes-validations'] ?? []).length > 0 || children.some((each) => each !== undefined && hasRules(each));
}

function createPropertyNodes(context: BuildContext, schema: Schema, declaredType: DeclaredType): ReadonlyMap<string, RuleNode> {
  const nodes = new Map<string, RuleNode>();
  for (const [name, property] of propertiesOf(schema)) {
    const node = createNode(context, property, declaredType.properties?.get(name));
    if (node) nodes.set(name, node);
  }
  return nodes;
}

/** Returns all rules, including those of subschemas. */
export function rulesIn({ rules, properties, additional, items }: RuleNode): readonly CompiledRule[] {
  const children = [...properties.values(), ...(additional ? [additional] : []), ...(items ? [items] : [])];
  return [...rules, ...children.flatMap(rulesIn)];
}

function compileOwnRules({ baseEnvironment, compiler }: BuildContext, schema: Schema, { type }: DeclaredType): readonly CompiledRule[] {
  const rules = schema['x-kubernetes-validations'] ?? [];
  if (rules.length === 0) return [];
  const environments: RuleEnvironments = {
    plain: baseEnvironment.clone().registerVariable('self', type).registerVariable('oldSelf', type),
    optional: baseEnvironment.clone().registerVariable('self', type).registerVariable('oldSelf', `optional<${type}>`),
  };
  return rules.map((rule) => compileRule(rule, environments, compiler));
}

/** A compiled rule, or the reason why it cannot be compiled or evaluated. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  readonly program?: CelProgram;
  readonly messageProgram?: CelProgram;
  readonly usesOldSelf: boolean;
  /** The compilation error, with upstream's message if it is known. */
  readonly problem?: string;
  readonly messageProblem?: string;
  /** A CEL feature that the rule needs and this server lacks; the rule is then not evaluated. */
  readonly unsupportedFeature?: string;
}

/** The environments of a rule. `optional` is for rules with optionalOldSelf, so its variable oldSelf is an optional value. */
interface RuleEnvironments {
  readonly plain: Environment;
  readonly optional: Environment;
}

/** Mirrors compileRule (apiextensions-apiserver/pkg/apiserver/schema/cel/compilation.go, 1.36), without cost estimates. */
function compileRule(rule: ValidationRule, environments: RuleEnvironments, compiler: CelCompiler): CompiledRule {
  const source = rule.rule ?? '';
  if (source.trim() === '') return { rule, usesOldSelf: false };
  const environment = rule.optionalOldSelf ? environments.optional : environments.plain;
  const compiledExpression = compileWithType(source, 'bool', environment, compiler);
  if (compiledExpression.unsupportedFeature !== undefined)
    return { rule, usesOldSelf: false, unsupportedFeature: compiledExpression.unsupportedFeature };
  if (compiledExpression.problem !== undefined) return { rule, usesOldSelf: false, problem: compiledExpression.problem };
  const compiledRule = { rule, program: compiledExpression.program, usesOldSelf: readsVariable(compiledExpression.program.ast, 'oldSelf') };
  if (!rule.messageExpression) return compiledRule;
  const messageExpression = compileWithType(rule.messageExpression, 'string', environment, compiler);
  if (messageExpression.unsupportedFeature !== undefined)
    return { ...compiledRule, unsupportedFeature: messageExpression.unsupportedFeature };
  return messageExpression.problem !== undefined
    ? { ...compiledRule, messageProblem: `messageExpression ${messageExpression.problem.replace(/^program /, '')}` }
    : { ...compiledRule, messageProgram: messageExpression.program };
}

/** Compiles an expression whose result must have a type. */
function compileWithType(source: string, type: 'bool' | 'string', environment: Environment, compiler: CelCompiler): CompiledExpression {
  const expression = compileExpression(source, environment, compiler);
  if (!expression.program || mayHaveType(expression.program, type)) return checkConversions(expression, source, environment, compiler);
  return { problem: type === 'bool' ? 'cel expression must evaluate to a bool' : 'must evaluate to a string' };
}

const readsVariable = (ast: CelProgram['ast'], name: string): boolean =>
  [...loadCelLibrary().nodesIn(ast)].some(({ op, args }) => op === 'id' && args === name);
