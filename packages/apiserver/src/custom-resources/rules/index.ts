export { evaluateRules } from './evaluate.ts';
export { createRuleCheck } from './rule-check.ts';
export { type CompiledRule, compileRules, type RuleNode, type Rules, rulesIn } from './tree.ts';
