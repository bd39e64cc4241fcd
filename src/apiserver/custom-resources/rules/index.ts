export type { CompiledRule } from './compile.ts';
export { evaluateRules, type RuleFindings } from './evaluate.ts';
export { createRuleCheck, type RuleCheck } from './rule-check.ts';
export { compileRules, type RuleNode, type Rules, rulesIn } from './tree.ts';
