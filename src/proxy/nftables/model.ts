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
