import type { IPFamily } from '../../apimachinery/index.ts';

/** Everything that kube-proxy's nftables mode writes for one address family: one table, with each list sorted by name. */
export interface NftablesRules {
  readonly family: IPFamily;
  readonly table: NftablesTable;
  readonly chains: readonly NftablesChain[];
  readonly sets: readonly NftablesSet[];
  readonly maps: readonly NftablesMap[];
}

export interface NftablesTable {
  /** nft's name of the address family. */
  readonly family: 'ip' | 'ip6';
  readonly name: string;
  readonly comment: string;
}

export interface NftablesChain {
  readonly name: string;
  /** The hook where packets enter; absent for a chain that is only a jump target. */
  readonly base?: BaseChain;
  readonly comment?: string;
  /** In order of evaluation. */
  readonly rules: readonly NftablesRule[];
}

export interface BaseChain {
  readonly type: 'filter' | 'nat';
  readonly hook: 'prerouting' | 'input' | 'forward' | 'output' | 'postrouting';
  readonly priority: number;
}

export interface NftablesRule {
  /** "ip daddr @cluster-ips reject" */
  readonly text: string;
  readonly comment?: string;
}

/** A set or map without its elements. */
export interface NftablesContainer {
  readonly name: string;
  /** "ipv4_addr . inet_proto . inet_service"; for a map, followed by ": verdict". */
  readonly type: string;
  readonly flags?: readonly string[];
  /** Lifetime of an element that a rule has added. */
  readonly timeoutSeconds?: number;
  readonly comment?: string;
}

export interface NftablesSet extends NftablesContainer {
  /** Written elements only, not those that rules add as packets pass. */
  readonly elements: readonly NftablesElement[];
}

export interface NftablesMap extends NftablesContainer {
  readonly elements: readonly NftablesElement[];
}

export interface NftablesElement {
  /** "10.96.0.1 . tcp . 80" */
  readonly key: string;
  /** For a map: "goto service-ULMVA6XW-ns1/svc1/tcp/p80". */
  readonly value?: string;
  readonly comment?: string;
}

/** The changes from one set of rules to another, applied atomically, in an order that nft accepts. */
export interface NftablesTransaction {
  readonly family: IPFamily;
  /** Empty if nothing changes. */
  readonly commands: readonly NftablesCommand[];
}

/** One nft command. */
export type NftablesCommand =
  | { readonly verb: 'add' | 'delete'; readonly object: 'table'; readonly table: NftablesTable }
  | { readonly verb: 'add'; readonly object: 'chain'; readonly chain: Omit<NftablesChain, 'rules'> }
  | { readonly verb: 'flush' | 'delete'; readonly object: 'chain'; readonly chain: Pick<NftablesChain, 'name'> }
  | { readonly verb: 'add'; readonly object: 'rule'; readonly chain: Pick<NftablesChain, 'name'>; readonly rule: NftablesRule }
  | { readonly verb: 'add'; readonly object: 'set' | 'map'; readonly container: NftablesContainer }
  | { readonly verb: 'delete'; readonly object: 'set' | 'map'; readonly container: Pick<NftablesContainer, 'name'> }
  | {
      readonly verb: 'add' | 'delete';
      readonly object: 'element';
      readonly container: Pick<NftablesContainer, 'name'>;
      readonly element: NftablesElement;
    };

/** The part of the table that belongs to the node or to a port of a Service. */
export interface Fragment {
  readonly chains: readonly NftablesChain[];
  readonly sets: readonly NftablesContainer[];
  readonly maps: readonly NftablesContainer[];
  readonly elements: readonly PlacedElement[];
}

/** An element and the set or map that contains it. */
export interface PlacedElement {
  readonly container: string;
  readonly element: NftablesElement;
}

/** Creates the transaction that replaces the whole table. Deleting a missing table fails, so the table is added first. */
export function replaceTable({ family, table, chains, sets, maps }: NftablesRules): NftablesTransaction {
  const commands: NftablesCommand[] = [
    { verb: 'add', object: 'table', table },
    { verb: 'delete', object: 'table', table },
    { verb: 'add', object: 'table', table },
  ];
  // Commands for the same chain share its name object, to save memory.
  const nameObjects = chains.map(({ name }) => ({ name }));
  chains.forEach(({ rules: _, ...chain }, i) => {
    commands.push({
      verb: 'add',
      object: 'chain',
      chain: chain.base || chain.comment !== undefined ? chain : (nameObjects[i] as typeof chain),
    });
  });
  for (const set of sets) commands.push({ verb: 'add', object: 'set', container: withoutElements(set) });
  for (const map of maps) commands.push({ verb: 'add', object: 'map', container: withoutElements(map) });
  chains.forEach(({ rules }, i) => {
    for (const rule of rules) commands.push({ verb: 'add', object: 'rule', chain: nameObjects[i] as { name: string }, rule });
  });
  for (const { name, elements } of [...sets, ...maps].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const container = { name };
    for (const element of elements) commands.push({ verb: 'add', object: 'element', container, element });
  }
  return { family, commands };
}

/** Returns a set or map without its elements. */
export const withoutElements = ({ elements: _, ...properties }: NftablesMap): NftablesContainer => properties;

/** Returns kube-proxy's table for a family, without content. */
export const tableOf = (family: IPFamily): NftablesTable => ({
  family: family === 'IPv6' ? 'ip6' : 'ip',
  name: 'kube-proxy',
  comment: 'rules for kube-proxy',
});
