export type { CompiledRule } from './compile.ts';
export { evaluateRules } from './evaluate.ts';
export { createRuleCheck } from './rule-check.ts';
export { compileRules, type RuleNode, type Rules, rulesIn } from './tree.ts';
