import type { NodeView } from '../view.ts';
import { areSame } from './diff.ts';
import type { IptablesChain, IptablesTable, IptablesTransaction, PlacedRule, TableTransaction } from './model.ts';
import type { PortRules } from './port-rules.ts';
import type { PortalRule } from './portal-rules.ts';
import { formatRule } from './rule.ts';
import { assemble } from './rules.ts';
import type { Settings } from './settings.ts';

/** The rules of a port before and after; undefined where there was, or is, no such port. */
export interface ChangedPort {
  readonly before: PortRules | undefined;
  readonly after: PortRules | undefined;
}

/** What all rules are made of. */
interface Whole {
  readonly settings: Settings;
  readonly ports: ReadonlyMap<string, PortRules>;
}

interface Edits {
  readonly remove: PlacedRule[];
  readonly insert: PlacedRule[];
}

/** What the ports that changed make different, looking at them alone. */
export function transactionOf(family: NodeView['family'], changed: readonly ChangedPort[], whole: Whole): IptablesTransaction {
  const edits: Record<IptablesTable, Map<string, Edits>> = { filter: new Map(), nat: new Map() };
  const write: IptablesChain[] = [];
  const gone: string[] = [];
  for (const { before, after } of changed) {
    collectPortals(before?.portals ?? [], after?.portals ?? [], edits);
    const old = new Map(before?.chains.map(({ name, rules }) => [name, rules]));
    for (const chain of after?.chains ?? []) {
      const former = old.get(chain.name);
      if (!former || !areSame(former, chain.rules)) write.push(chain);
      old.delete(chain.name);
    }
    gone.push(...old.keys());
  }
  const [filter, nat] = [settle('filter', edits.filter, whole), settle('nat', edits.nat, whole)];
  return { family, tables: { filter, nat: { ...nat, write: [...nat.write, ...write], delete: gone } }, jumps: [] };
}

function collectPortals(
  before: readonly PortalRule[],
  after: readonly PortalRule[],
  edits: Readonly<Record<IptablesTable, Map<string, Edits>>>,
): void {
  const [old, now] = [new Map(before.map(withText)), new Map(after.map(withText))];
  const editsOf = ({ table, chain }: PortalRule): Edits => {
    const found = edits[table].get(chain) ?? { remove: [], insert: [] };
    edits[table].set(chain, found);
    return found;
  };
  for (const [text, portal] of old) if (!now.has(text)) editsOf(portal).remove.push(placed(portal));
  for (const [text, portal] of now) if (!old.has(text)) editsOf(portal).insert.push(placed(portal));
}

const withText = (portal: PortalRule): [text: string, portal: PortalRule] => [
  `${portal.table} ${portal.chain} ${formatRule(portal.rule)}`,
  portal,
];

const placed = ({ chain, rule }: PortalRule): PlacedRule => ({ chain, rule });

/** Where more rules of a chain change than there are ports, the chain is written as a whole. */
function settle(table: IptablesTable, edits: ReadonlyMap<string, Edits>, { settings, ports }: Whole): TableTransaction {
  const many = [...edits].filter(([, { remove, insert }]) => remove.length + insert.length > ports.size).map(([chain]) => chain);
  const all = many.length > 0 ? assemble(settings, ports.values()).tables[table] : [];
  const few = [...edits].filter(([chain]) => !many.includes(chain)).map(([, found]) => found);
  return {
    write: all.filter(({ name }) => many.includes(name)),
    remove: few.flatMap(({ remove }) => remove),
    insert: few.flatMap(({ insert }) => insert),
    delete: [],
  };
}
