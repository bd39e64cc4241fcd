/** The iptables rules of a node: as data, as text, and as the difference between two sets. */
export { diffIptables, isEmptyIptablesTransaction } from './diff.ts';
export { type DumpedChains, dumpIptables, formatIptables, formatIptablesTransaction, type IptablesFormat } from './format.ts';
export type {
  IptablesChain,
  IptablesJump,
  IptablesRule,
  IptablesRules,
  IptablesTable,
  IptablesTransaction,
  PlacedRule,
  TableTransaction,
} from './model.ts';
export { createIptablesProgram, type IptablesProgram } from './program.ts';
export { iptablesRules } from './rules.ts';
