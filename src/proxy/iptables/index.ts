/** The rules of a node by iptables: as data, as text, and what changes between two sets of them. */
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
