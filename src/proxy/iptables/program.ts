import { type ProxyVersionOptions, proxyGatesFor } from '../gates.ts';
import type { ProxyNode } from '../objects.ts';
import type { NodeView, ServicePortView } from '../view.ts';
import { diffIptables, haveSameRules } from './diff.ts';
import {
  formatRule,
  type IptablesChain,
  type IptablesRules,
  type IptablesTable,
  type IptablesTransaction,
  type PlacedRule,
  type TableTransaction,
} from './model.ts';
import { isLargeCluster, type PortalRule, type PortRules } from './port-rules.ts';
import { assembleRules, createPortRulesFactory, type PortRulesFactory } from './rules.ts';
import { readSettings, type Settings } from './settings.ts';

/** Incrementally updated rules of a node: the cost of an update depends on the change, not on the number of Services. */
export interface IptablesProgram {
  /** Adds or updates a port of a Service. */
  set(port: ServicePortView): void;
  delete(port: Pick<ServicePortView, 'name' | 'protocol'>): void;
  /** @throws RangeError naming the invalid field of the node */
  setNode(node: ProxyNode): void;
  /**
   * Returns the changes since the last call. The first call returns all rules, including the jumps.
   * @throws RangeError naming the field of a Service that cannot be written as a rule
   */
  sync(): IptablesTransaction;
  /** Makes the next transaction contain all rules. */
  forget(): void;
  /** All rules, as of the last `sync`. */
  rules(): IptablesRules;
}

/** The inputs and rules of the last transaction. */
interface SyncedState {
  readonly settings: Settings;
  readonly createRules: PortRulesFactory;
  readonly isLargeCluster: boolean;
  readonly ports: Map<string, PortRules>;
}

/**
 * Creates kube-proxy's iptables rules of one node and address family, with incremental updates.
 * @throws RangeError naming the invalid field of the node, or for an unknown version
 */
export function createIptablesProgram(node: ProxyNode, family: NodeView['family'], options: ProxyVersionOptions = {}): IptablesProgram {
  const gates = proxyGatesFor(options);
  const ports = new Map<string, ServicePortView>();
  const changedKeys = new Set<string>();
  let endpointCount = 0;
  let settings = readSettings(node, family, gates);
  let syncedState: SyncedState | undefined;
  let isForgotten = false;

  const setPort = (key: string, port: ServicePortView | undefined): void => {
    endpointCount += (port?.endpoints.length ?? 0) - (ports.get(key)?.endpoints.length ?? 0);
    if (port) ports.set(key, port);
    else ports.delete(key);
    changedKeys.add(key);
  };
  const currentRules = (): IptablesRules => assembleRules(syncedState?.settings ?? settings, syncedState?.ports.values() ?? []);
  const rewrite = (isLarge: boolean): IptablesTransaction => {
    const previousRules = syncedState && currentRules();
    syncedState = writeAll(settings, ports, isLarge);
    return diffIptables(previousRules, currentRules());
  };
  const computeTransaction = (): IptablesTransaction => {
    const isLarge = isLargeCluster(endpointCount);
    const mustRewrite = !syncedState || syncedState.settings !== settings || syncedState.isLargeCluster !== isLarge;
    return !syncedState || mustRewrite ? rewrite(isLarge) : createTransaction(family, update(syncedState, ports, changedKeys), syncedState);
  };
  return {
    set: (port) => setPort(keyOf(port), port),
    delete: (port) => setPort(keyOf(port), undefined),
    setNode(newNode) {
      settings = readSettings(newNode, family, gates);
    },
    sync() {
      const transaction = computeTransaction();
      changedKeys.clear();
      if (!isForgotten) return transaction;
      isForgotten = false;
      return diffIptables(undefined, currentRules());
    },
    forget() {
      isForgotten = true;
    },
    rules: currentRules,
  };
}

const keyOf = ({ name, protocol }: Pick<ServicePortView, 'name' | 'protocol'>): string => `${name} ${protocol}`;

function writeAll(settings: Settings, ports: ReadonlyMap<string, ServicePortView>, isLarge: boolean): SyncedState {
  const createRules = createPortRulesFactory(settings);
  return {
    settings,
    createRules,
    isLargeCluster: isLarge,
    ports: new Map(Array.from(ports, ([key, port]) => [key, createRules(port, isLarge)])),
  };
}

/** Recomputes the rules of the changed ports; returns the old and new rules of each. If a port is invalid, throws and updates none. */
function update(state: SyncedState, ports: ReadonlyMap<string, ServicePortView>, changedKeys: Iterable<string>): readonly ChangedPort[] {
  const changes = Array.from(changedKeys, (key) => {
    const port = ports.get(key);
    return { key, before: state.ports.get(key), after: port && state.createRules(port, state.isLargeCluster) };
  });
  for (const { key, after } of changes) {
    if (after) state.ports.set(key, after);
    else state.ports.delete(key);
  }
  return changes;
}

/** The rules of a port before and after; undefined if the port does not exist. */
export interface ChangedPort {
  readonly before: PortRules | undefined;
  readonly after: PortRules | undefined;
}

/** The inputs of the complete rules. */
interface CompleteRules {
  readonly settings: Settings;
  readonly ports: ReadonlyMap<string, PortRules>;
}

interface Edits {
  readonly remove: PlacedRule[];
  readonly insert: PlacedRule[];
}

/** Creates the transaction for the changed ports. Examines other ports only if a shared chain is rewritten. */
export function createTransaction(
  family: NodeView['family'],
  changedPorts: readonly ChangedPort[],
  allRules: CompleteRules,
): IptablesTransaction {
  const edits: Record<IptablesTable, Map<string, Edits>> = { filter: new Map(), nat: new Map() };
  const write: IptablesChain[] = [];
  const deletedChains: string[] = [];
  for (const { before, after } of changedPorts) {
    collectPortals(before?.portals ?? [], after?.portals ?? [], edits);
    const oldChains = new Map(before?.chains.map(({ name, rules }) => [name, rules]));
    for (const chain of after?.chains ?? []) {
      const previousRules = oldChains.get(chain.name);
      if (!previousRules || !haveSameRules(previousRules, chain.rules)) write.push(chain);
      oldChains.delete(chain.name);
    }
    deletedChains.push(...oldChains.keys());
  }
  const [filter, nat] = [createTableTransaction('filter', edits.filter, allRules), createTableTransaction('nat', edits.nat, allRules)];
  return { family, tables: { filter, nat: { ...nat, write: [...nat.write, ...write], delete: deletedChains } }, jumps: [] };
}

function collectPortals(
  before: readonly PortalRule[],
  after: readonly PortalRule[],
  edits: Readonly<Record<IptablesTable, Map<string, Edits>>>,
): void {
  const [oldPortals, newPortals] = [new Map(before.map(toTextEntry)), new Map(after.map(toTextEntry))];
  const editsOf = ({ table, chain }: PortalRule): Edits => {
    const chainEdits = edits[table].get(chain) ?? { remove: [], insert: [] };
    edits[table].set(chain, chainEdits);
    return chainEdits;
  };
  for (const [text, portal] of oldPortals) if (!newPortals.has(text)) editsOf(portal).remove.push(toPlacedRule(portal));
  for (const [text, portal] of newPortals) if (!oldPortals.has(text)) editsOf(portal).insert.push(toPlacedRule(portal));
}

const toTextEntry = (portal: PortalRule): [text: string, portal: PortalRule] => [
  `${portal.table} ${portal.chain} ${formatRule(portal.rule)}`,
  portal,
];

const toPlacedRule = ({ chain, rule }: PortalRule): PlacedRule => ({ chain, rule });

/** Creates the transaction of a table. Rewrites a chain completely if more of its rules change than there are ports. */
function createTableTransaction(
  table: IptablesTable,
  edits: ReadonlyMap<string, Edits>,
  { settings, ports }: CompleteRules,
): TableTransaction {
  const rewrittenChains = [...edits].filter(([, { remove, insert }]) => remove.length + insert.length > ports.size).map(([chain]) => chain);
  const chains = rewrittenChains.length > 0 ? assembleRules(settings, ports.values()).tables[table] : [];
  const otherEdits = [...edits].filter(([chain]) => !rewrittenChains.includes(chain)).map(([, chainEdits]) => chainEdits);
  return {
    write: chains.filter(({ name }) => rewrittenChains.includes(name)),
    remove: otherEdits.flatMap(({ remove }) => remove),
    insert: otherEdits.flatMap(({ insert }) => insert),
    delete: [],
  };
}
