import type { ProxyNode } from '../objects.ts';
import type { NodeView, ServicePortView } from '../view.ts';
import { areSame, diffIptables } from './diff.ts';
import {
  formatRule,
  type IptablesChain,
  type IptablesRules,
  type IptablesTable,
  type IptablesTransaction,
  type PlacedRule,
  type TableTransaction,
} from './model.ts';
import { createPortRuler, isLarge, type PortalRule, type PortRuler, type PortRules } from './port-rules.ts';
import { assemble } from './rules.ts';
import { type Settings, settingsOf } from './settings.ts';

/** Incrementally updated rules of a node: the cost of an update depends on the change, not on the number of Services. */
export interface IptablesProgram {
  /** Adds or updates a port of a Service. */
  set(port: ServicePortView): void;
  delete(port: Pick<ServicePortView, 'name' | 'protocol'>): void;
  /** @throws RangeError naming the invalid field of the node */
  setNode(node: ProxyNode): void;
  /**
   * The changes since the last call; on the first call all rules, including the jumps.
   * @throws RangeError naming the field of a Service that cannot be written as a rule
   */
  sync(): IptablesTransaction;
  /** Makes the next transaction contain all rules. */
  forget(): void;
  /** All rules, as of the last `sync`. */
  rules(): IptablesRules;
}

/** The inputs and rules of the last transaction. */
interface Written {
  readonly settings: Settings;
  readonly rulesOf: PortRuler;
  readonly large: boolean;
  readonly ports: Map<string, PortRules>;
}

/** @throws RangeError naming the invalid field of the node */
export function createIptablesProgram(node: ProxyNode, family: NodeView['family']): IptablesProgram {
  const ports = new Map<string, ServicePortView>();
  const changed = new Set<string>();
  let endpoints = 0;
  let settings = settingsOf(node, family);
  let written: Written | undefined;
  let isForgotten = false;

  const put = (key: string, port: ServicePortView | undefined): void => {
    endpoints += (port?.endpoints.length ?? 0) - (ports.get(key)?.endpoints.length ?? 0);
    if (port) ports.set(key, port);
    else ports.delete(key);
    changed.add(key);
  };
  const current = (): IptablesRules => assemble(written?.settings ?? settings, written?.ports.values() ?? []);
  const rewrite = (large: boolean): IptablesTransaction => {
    const before = written && current();
    written = writeAll(settings, ports, large);
    return diffIptables(before, current());
  };
  const advance = (): IptablesTransaction => {
    const large = isLarge(endpoints);
    const isAnew = !written || written.settings !== settings || written.large !== large;
    return !written || isAnew ? rewrite(large) : transactionOf(family, update(written, ports, changed), written);
  };
  return {
    set: (port) => put(keyOf(port), port),
    delete: (port) => put(keyOf(port), undefined),
    setNode(next) {
      settings = settingsOf(next, family);
    },
    sync() {
      const transaction = advance();
      changed.clear();
      if (!isForgotten) return transaction;
      isForgotten = false;
      return diffIptables(undefined, current());
    },
    forget() {
      isForgotten = true;
    },
    rules: current,
  };
}

const keyOf = ({ name, protocol }: Pick<ServicePortView, 'name' | 'protocol'>): string => `${name} ${protocol}`;

function writeAll(settings: Settings, ports: ReadonlyMap<string, ServicePortView>, large: boolean): Written {
  const rulesOf = createPortRuler(settings);
  return { settings, rulesOf, large, ports: new Map(Array.from(ports, ([key, port]) => [key, rulesOf(port, large)])) };
}

/** Computes the changed ports and returns their rules before and after. If one of them is invalid, none is updated. */
function update(written: Written, ports: ReadonlyMap<string, ServicePortView>, changed: Iterable<string>): readonly ChangedPort[] {
  const worked = Array.from(changed, (key) => {
    const port = ports.get(key);
    return { key, before: written.ports.get(key), after: port && written.rulesOf(port, written.large) };
  });
  for (const { key, after } of worked) {
    if (after) written.ports.set(key, after);
    else written.ports.delete(key);
  }
  return worked;
}

/** The rules of a port before and after; undefined if the port does not exist. */
export interface ChangedPort {
  readonly before: PortRules | undefined;
  readonly after: PortRules | undefined;
}

/** The inputs of the complete rules. */
interface Whole {
  readonly settings: Settings;
  readonly ports: ReadonlyMap<string, PortRules>;
}

interface Edits {
  readonly remove: PlacedRule[];
  readonly insert: PlacedRule[];
}

/** The transaction for the changed ports; other ports are not examined. */
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

/** Rewrites a chain completely if more of its rules change than there are ports. */
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
