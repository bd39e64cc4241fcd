export { evaluateRules } from './evaluate.ts';
export type { CompiledRule } from './tree.ts';
export { compileRules, createRuleCheck, type RuleNode, type Rules, rulesIn } from './tree.ts';
