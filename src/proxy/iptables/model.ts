/** The tables that kube-proxy writes to. */
export type IptablesTable = 'filter' | 'nat';

/** A rule, without the chain that it stands in. */
export interface IptablesRule {
  /** What the rule says of itself; undefined for none, as of endpoints' rules in a large cluster. */
  readonly comment: string | undefined;
  /** What a packet has to be: "-m tcp -p tcp -d 10.96.0.1 --dport 80"; "" for any. */
  readonly match: string;
  /** The chain or the verdict; undefined where the rule is there for its comment only. */
  readonly target: string | undefined;
  /** Of the target: "--to-destination 10.1.0.2:8080"; "" for none. */
  readonly options: string;
}

/** A chain with its rules, in their order. */
export interface IptablesChain {
  readonly name: string;
  readonly rules: readonly IptablesRule[];
}

/** A rule of a built-in chain that leads to a chain of kube-proxy. kube-proxy sees that it is there, before all others. */
export interface IptablesJump {
  readonly table: IptablesTable;
  /** "PREROUTING" */
  readonly chain: string;
  readonly comment: string | undefined;
  readonly match: string;
  readonly target: string;
}

/** All that kube-proxy writes for one address family. */
export interface IptablesRules {
  readonly family: 'IPv4' | 'IPv6';
  readonly tables: Readonly<Record<IptablesTable, readonly IptablesChain[]>>;
  /** In the order in which they are put before the others of their chain: the last one is the first there. */
  readonly jumps: readonly IptablesJump[];
}

/** What makes one set of rules of another, for `iptables-restore --noflush`. */
export interface IptablesTransaction {
  readonly family: 'IPv4' | 'IPv6';
  readonly tables: Readonly<Record<IptablesTable, TableTransaction>>;
  /** Those that are to be put in; none but where there were no rules before. */
  readonly jumps: readonly IptablesJump[];
}

export interface TableTransaction {
  /** Chains that are made, or written anew, with all their rules. */
  readonly write: readonly IptablesChain[];
  /** Single rules that go, and single rules that come, in chains where the order means nothing. */
  readonly remove: readonly PlacedRule[];
  readonly insert: readonly PlacedRule[];
  /** Chains that go, by name. */
  readonly delete: readonly string[];
}

export interface PlacedRule {
  readonly chain: string;
  readonly rule: IptablesRule;
}

/** The chains that all Services share. */
export const sharedChains = {
  services: 'KUBE-SERVICES',
  externalServices: 'KUBE-EXTERNAL-SERVICES',
  nodePorts: 'KUBE-NODEPORTS',
  proxyFirewall: 'KUBE-PROXY-FIREWALL',
  forward: 'KUBE-FORWARD',
  postrouting: 'KUBE-POSTROUTING',
  markMasquerade: 'KUBE-MARK-MASQ',
  /** The kubelet's, too. */
  kubeletFirewall: 'KUBE-FIREWALL',
} as const;

/** Those that ports of Services put rules into. Their order means nothing, but for the jumps to node ports, which come last. */
export const isUnordered = (chain: string): boolean =>
  chain === sharedChains.services ||
  chain === sharedChains.externalServices ||
  chain === sharedChains.nodePorts ||
  chain === sharedChains.proxyFirewall;

/** A rule that says what it is for. */
export const ruleOf = (comment: string | undefined, match: string, target: string | undefined, options = ''): IptablesRule => ({
  comment,
  match,
  target,
  options,
});

/** A rule as `iptables-restore` reads it, but for "-A" and its chain. */
export const formatRule = ({ comment, match, target, options }: IptablesRule): string => {
  let text = comment === undefined ? '' : `-m comment --comment ${formatComment(comment)}`;
  if (match !== '') text += text === '' ? match : ` ${match}`;
  if (target !== undefined) text += text === '' ? `-j ${target}` : ` -j ${target}`;
  return options === '' ? text : `${text} ${options}`;
};

/** A jump likewise. kube-proxy looks for its parts in this order, and puts it in where they are in another. */
export const formatJump = ({ match, comment, target }: IptablesJump, write: (comment: string) => string = formatComment): string =>
  [match, comment === undefined ? '' : `-m comment --comment ${write(comment)}`, `-j ${target}`].filter((part) => part !== '').join(' ');

/** A single word stands as it is. What could end the word, the quotes or the line is written so that it does not. */
export function formatComment(comment: string): string {
  if (oneWord.test(comment)) return comment;
  return `"${harmless.test(comment) ? comment : comment.replace(control, '?').replace(/["\\]/g, '\\$&')}"`;
}

const oneWord = /^[!#-&(-[\]-~]+$/;
const harmless = /^[ !#-[\]-~]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to catch
const control = /[\u0000-\u001f\u007f]/g;
