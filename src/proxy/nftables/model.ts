import type { IPFamily } from '../../apimachinery/index.ts';

/** All that kube-proxy's nftables mode writes for one address family: a table of its own, of which each list is sorted by name. */
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
  /** Where packets enter it; absent for a chain that is only jumped to. */
  readonly base?: BaseChain;
  readonly comment?: string;
  /** In the order in which packets meet them. */
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

/** A set or a map without its elements. */
export interface ContainerFacts {
  readonly name: string;
  /** "ipv4_addr . inet_proto . inet_service", of a map with ": verdict" behind it. */
  readonly type: string;
  readonly flags?: readonly string[];
  /** After how long an element that a rule has put in goes. */
  readonly timeoutSeconds?: number;
  readonly comment?: string;
}

export interface NftablesSet extends ContainerFacts {
  /** Those that are written; what rules put in when packets pass is not among them. */
  readonly elements: readonly NftablesElement[];
}

export interface NftablesMap extends ContainerFacts {
  readonly elements: readonly NftablesElement[];
}

export interface NftablesElement {
  /** "10.96.0.1 . tcp . 80" */
  readonly key: string;
  /** Of a map: "goto service-ULMVA6XW-ns1/svc1/tcp/p80". */
  readonly value?: string;
  readonly comment?: string;
}

/** What makes one set of rules of another, all at once, in an order in which nft takes it. */
export interface NftablesTransaction {
  readonly family: IPFamily;
  /** None where nothing has changed. */
  readonly commands: readonly NftablesCommand[];
}

/** A line for nft. */
export type NftablesCommand =
  | { readonly verb: 'add' | 'delete'; readonly object: 'table'; readonly table: NftablesTable }
  | { readonly verb: 'add'; readonly object: 'chain'; readonly chain: Omit<NftablesChain, 'rules'> }
  | { readonly verb: 'flush' | 'delete'; readonly object: 'chain'; readonly chain: Pick<NftablesChain, 'name'> }
  | { readonly verb: 'add'; readonly object: 'rule'; readonly chain: Pick<NftablesChain, 'name'>; readonly rule: NftablesRule }
  | { readonly verb: 'add'; readonly object: 'set' | 'map'; readonly container: ContainerFacts }
  | { readonly verb: 'delete'; readonly object: 'set' | 'map'; readonly container: Pick<ContainerFacts, 'name'> }
  | {
      readonly verb: 'add' | 'delete';
      readonly object: 'element';
      readonly container: Pick<ContainerFacts, 'name'>;
      readonly element: NftablesElement;
    };

/** What the node itself, or a port of a Service, needs in the table. */
export interface Fragment {
  readonly chains: readonly NftablesChain[];
  readonly sets: readonly ContainerFacts[];
  readonly maps: readonly ContainerFacts[];
  readonly elements: readonly PlacedElement[];
}

/** An element and the set or map that it is in. */
export interface PlacedElement {
  readonly container: string;
  readonly element: NftablesElement;
}

/** What makes a table, whatever there was of it. A table has to be there to be deleted, hence it is added before. */
export function wholeTable({ family, table, chains, sets, maps }: NftablesRules): NftablesTransaction {
  const commands: NftablesCommand[] = [
    { verb: 'add', object: 'table', table },
    { verb: 'delete', object: 'table', table },
    { verb: 'add', object: 'table', table },
  ];
  // as there are many, commands about one chain share its name
  const named = chains.map(({ name }) => ({ name }));
  chains.forEach(({ rules: _, ...chain }, i) => {
    commands.push({ verb: 'add', object: 'chain', chain: chain.base || chain.comment !== undefined ? chain : (named[i] as typeof chain) });
  });
  for (const set of sets) commands.push({ verb: 'add', object: 'set', container: factsOf(set) });
  for (const map of maps) commands.push({ verb: 'add', object: 'map', container: factsOf(map) });
  chains.forEach(({ rules }, i) => {
    for (const rule of rules) commands.push({ verb: 'add', object: 'rule', chain: named[i] as { name: string }, rule });
  });
  for (const { name, elements } of [...sets, ...maps].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const container = { name };
    for (const element of elements) commands.push({ verb: 'add', object: 'element', container, element });
  }
  return { family, commands };
}

/** A set or a map without its elements. */
export const factsOf = ({ elements: _, ...facts }: NftablesMap): ContainerFacts => facts;

/** The table of a family. */
export const tableOf = (family: IPFamily): NftablesTable => ({
  family: family === 'IPv6' ? 'ip6' : 'ip',
  name: 'kube-proxy',
  comment: 'rules for kube-proxy',
});
