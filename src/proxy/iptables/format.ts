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

/** Chains of a table with their rules as text. */
export type DumpedChains = Readonly<Record<string, readonly string[]>>;

/**
 * Rules in the form that two sets of them are compared in: text by table and chain, the built-in chains among them, and sorted where
 * the order means nothing. The jumps have their comments without quotes, as the command `iptables` is given them.
 */
export function dumpIptables({ tables, jumps }: IptablesRules): Readonly<Record<IptablesTable, DumpedChains>> {
  const dump = (table: IptablesTable): DumpedChains => ({
    ...Object.fromEntries(builtIn[table].map((chain) => [chain, dumpJumps(jumps, table, chain)])),
    ...Object.fromEntries(tables[table].map(({ name, rules }) => [name, inOrder(name, rules.map(formatRule))])),
  });
  return { filter: dump('filter'), nat: dump('nat') };
}

const builtIn: Readonly<Record<IptablesTable, readonly string[]>> = {
  filter: ['INPUT', 'FORWARD', 'OUTPUT'],
  nat: ['PREROUTING', 'INPUT', 'OUTPUT', 'POSTROUTING'],
};

/** Each is put before those that were there. */
const dumpJumps = (jumps: readonly IptablesJump[], table: IptablesTable, chain: string): readonly string[] =>
  jumps
    .filter((jump) => jump.table === table && jump.chain === chain)
    .map((jump) => formatJump(jump, (comment) => comment))
    .reverse();

function inOrder(chain: string, rules: readonly string[]): readonly string[] {
  if (!isUnordered(chain)) return rules;
  const isLast = (rule: string): boolean => rule.includes(`-j ${sharedChains.nodePorts}`);
  return rules.toSorted((one, other) => Number(isLast(one)) - Number(isLast(other)) || (one < other ? -1 : Number(one > other)));
}
