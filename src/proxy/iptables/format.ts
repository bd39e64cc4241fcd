import { diffIptables } from './diff.ts';
import {
  formatJump,
  formatRule,
  type IptablesJump,
  type IptablesRules,
  type IptablesTable,
  type IptablesTransaction,
  isUnordered,
  sharedChains,
  type TableTransaction,
} from './model.ts';

export interface IptablesFormat {
  /**
   * Whether to insert the jumps from the built-in chains; default: true. Set to false on a node that already has kube-proxy's rules,
   * because the jumps would be inserted a second time.
   */
  readonly jumps?: boolean;
}

/** Formats all rules as input for `iptables-restore --noflush` (or `ip6tables-restore`); other chains of the node stay unchanged. */
export function formatIptables(rules: IptablesRules, { jumps = true }: IptablesFormat = {}): string {
  const transaction = diffIptables(undefined, rules);
  return formatIptablesTransaction(jumps ? transaction : omitJumps(transaction));
}

/** Formats the changes as input for `iptables-restore --noflush` (or `ip6tables-restore`); "" if nothing changes. */
export const formatIptablesTransaction = ({ tables, jumps }: IptablesTransaction): string =>
  formatTable('filter', tables.filter, jumps) + formatTable('nat', tables.nat, jumps);

/** Removes the jumps, and the kubelet's chain if it is empty, because only a jump needs an empty chain. */
function omitJumps({ family, tables: { filter, nat } }: IptablesTransaction): IptablesTransaction {
  const write = filter.write.filter(({ name, rules }) => name !== sharedChains.kubeletFirewall || rules.length > 0);
  return { family, tables: { filter: { ...filter, write }, nat }, jumps: [] };
}

/** Formats the changes of a table; "" if none. Flushes deleted chains first, because nothing may refer to a chain when it is deleted. */
function formatTable(
  table: IptablesTable,
  { write, remove, insert, delete: deletedChains }: TableTransaction,
  jumps: readonly IptablesJump[],
): string {
  const tableJumps = jumps.filter((jump) => jump.table === table);
  if (write.length + remove.length + insert.length + deletedChains.length + tableJumps.length === 0) return '';
  let text = `*${table}\n`;
  for (const { name } of write) text += `:${name} - [0:0]\n`;
  for (const chain of deletedChains) text += `:${chain} - [0:0]\n`;
  for (const { name, rules } of write) for (const rule of rules) text += `-A ${name} ${formatRule(rule)}\n`;
  for (const { chain, rule } of remove) text += `-D ${chain} ${formatRule(rule)}\n`;
  // Each rule is inserted at the head of its chain, so the last one ends up first.
  for (const { chain, rule } of insert.toReversed()) text += `-I ${chain} ${formatRule(rule)}\n`;
  for (const chain of deletedChains) text += `-X ${chain}\n`;
  for (const jump of tableJumps) text += `-I ${jump.chain} ${formatJump(jump)}\n`;
  return `${text}COMMIT\n`;
}

/** Chains of a table, with their rules as text. */
export type DumpedChains = Readonly<Record<string, readonly string[]>>;

/**
 * Prints rules for comparison: text by table and chain, including the built-in chains, sorted if their order has no effect. Comments of
 * jumps are unquoted, as the `iptables` command receives them.
 */
export function dumpIptables(
  { tables, jumps }: IptablesRules,
  isChainUnordered: (chain: string) => boolean = isUnordered,
): Readonly<Record<IptablesTable, DumpedChains>> {
  const dump = (table: IptablesTable): DumpedChains => ({
    ...Object.fromEntries(builtInChains[table].map((chain) => [chain, dumpJumps(jumps, table, chain)])),
    ...Object.fromEntries(
      tables[table].map(({ name, rules }) => [name, isChainUnordered(name) ? sortRules(rules.map(formatRule)) : rules.map(formatRule)]),
    ),
  });
  return { filter: dump('filter'), nat: dump('nat') };
}

const builtInChains: Readonly<Record<IptablesTable, readonly string[]>> = {
  filter: ['INPUT', 'FORWARD', 'OUTPUT'],
  nat: ['PREROUTING', 'INPUT', 'OUTPUT', 'POSTROUTING'],
};

/** Prints the jumps of a chain, the last first, because each jump is inserted before the existing rules. */
const dumpJumps = (jumps: readonly IptablesJump[], table: IptablesTable, chain: string): readonly string[] =>
  jumps
    .filter((jump) => jump.table === table && jump.chain === chain)
    .map((jump) => formatJump(jump, (comment) => comment))
    .reverse();

function sortRules(rules: readonly string[]): readonly string[] {
  const isLast = (rule: string): boolean => rule.includes(`-j ${sharedChains.nodePorts}`);
  return rules.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)) || (a < b ? -1 : Number(a > b)));
}
