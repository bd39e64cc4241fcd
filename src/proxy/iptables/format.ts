import { sharedChains } from './chains.ts';
import { diffIptables } from './diff.ts';
import type { IptablesJump, IptablesRules, IptablesTable, IptablesTransaction, TableTransaction } from './model.ts';
import { formatJump, formatRule } from './rule.ts';

export interface IptablesFormat {
  /**
   * Whether the jumps of the built-in chains are put in, too; true by default. With them the text is for a node without rules of
   * kube-proxy, as it would put them in a second time; without them for one where they are.
   */
  readonly jumps?: boolean;
}

/** All rules as text for `iptables-restore --noflush`, or `ip6tables-restore`: other chains of the node stay as they are. */
export function formatIptables(rules: IptablesRules, { jumps = true }: IptablesFormat = {}): string {
  const whole = diffIptables(undefined, rules);
  return formatIptablesTransaction(jumps ? whole : withoutJumps(whole));
}

/** What changes as text for `iptables-restore --noflush`, or `ip6tables-restore`; "" where nothing does. */
export const formatIptablesTransaction = ({ tables, jumps }: IptablesTransaction): string =>
  formatTable('filter', tables.filter, jumps) + formatTable('nat', tables.nat, jumps);

/** Nor with a chain that is the kubelet's, where it is there for the jump to it only. */
function withoutJumps({ family, tables: { filter, nat } }: IptablesTransaction): IptablesTransaction {
  const write = filter.write.filter(({ name, rules }) => name !== sharedChains.kubeletFirewall || rules.length > 0);
  return { family, tables: { filter: { ...filter, write }, nat }, jumps: [] };
}

/** A chain that goes is emptied first, so that none leads to another any more by the time they go. */
function formatTable(
  table: IptablesTable,
  { write, remove, insert, delete: gone }: TableTransaction,
  jumps: readonly IptablesJump[],
): string {
  const own = jumps.filter((jump) => jump.table === table);
  if (write.length + remove.length + insert.length + gone.length + own.length === 0) return '';
  let text = `*${table}\n`;
  for (const { name } of write) text += `:${name} - [0:0]\n`;
  for (const chain of gone) text += `:${chain} - [0:0]\n`;
  for (const { name, rules } of write) for (const rule of rules) text += `-A ${name} ${formatRule(rule)}\n`;
  for (const { chain, rule } of remove) text += `-D ${chain} ${formatRule(rule)}\n`;
  for (const { chain, rule } of insert) text += `-I ${chain} ${formatRule(rule)}\n`;
  for (const chain of gone) text += `-X ${chain}\n`;
  for (const jump of own) text += `-I ${jump.chain} ${formatJump(jump)}\n`;
  return `${text}COMMIT\n`;
}
