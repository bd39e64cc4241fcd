import { isUnordered, sharedChains } from './chains.ts';
import type { IptablesJump, IptablesRules, IptablesTable } from './model.ts';
import { formatJump, formatRule } from './rule.ts';

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
