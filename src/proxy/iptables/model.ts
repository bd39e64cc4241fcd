/** The tables that kube-proxy writes to. */
export type IptablesTable = 'filter' | 'nat';

/** A rule, without its chain. */
export interface IptablesRule {
  /** The rule's comment; undefined if absent, as for endpoints in a large cluster. */
  readonly comment: string | undefined;
  /** The match: "-m tcp -p tcp -d 10.96.0.1 --dport 80"; "" matches any packet. */
  readonly match: string;
  /** The target chain or verdict; undefined if the rule only carries a comment. */
  readonly target: string | undefined;
  /** Options of the target: "--to-destination 10.1.0.2:8080"; "" if none. */
  readonly options: string;
}

/** A chain with its rules in order. */
export interface IptablesChain {
  readonly name: string;
  readonly rules: readonly IptablesRule[];
}

/** A jump from a built-in chain to a chain of kube-proxy. kube-proxy ensures that it exists, ahead of all other rules. */
export interface IptablesJump {
  readonly table: IptablesTable;
  /** "PREROUTING" */
  readonly chain: string;
  readonly comment: string | undefined;
  readonly match: string;
  readonly target: string;
}

/** Everything that kube-proxy writes for one address family. */
export interface IptablesRules {
  readonly family: 'IPv4' | 'IPv6';
  readonly tables: Readonly<Record<IptablesTable, readonly IptablesChain[]>>;
  /** In order of insertion. Each is inserted at the head of its chain, so the last one ends up first. */
  readonly jumps: readonly IptablesJump[];
}

/** The changes from one set of rules to another, for `iptables-restore --noflush`. */
export interface IptablesTransaction {
  readonly family: 'IPv4' | 'IPv6';
  readonly tables: Readonly<Record<IptablesTable, TableTransaction>>;
  /** The jumps to insert; empty unless there were no rules before. */
  readonly jumps: readonly IptablesJump[];
}

export interface TableTransaction {
  /** Chains to create or rewrite, with all their rules. */
  readonly write: readonly IptablesChain[];
  /** Single rules to remove and insert, in chains where order has no effect. */
  readonly remove: readonly PlacedRule[];
  readonly insert: readonly PlacedRule[];
  /** Names of the chains to delete. */
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
  /** Before 1.25; the kubelet writes its rule. */
  markDrop: 'KUBE-MARK-DROP',
  /** Shared with the kubelet. */
  kubeletFirewall: 'KUBE-FIREWALL',
} as const;

/** Whether the order of a chain's rules has no effect, as in the chains to which Services add rules; only jumps to node ports come last. */
export const isUnordered = (chain: string): boolean =>
  chain === sharedChains.services ||
  chain === sharedChains.externalServices ||
  chain === sharedChains.nodePorts ||
  chain === sharedChains.proxyFirewall;

/** Creates a rule. */
export const createRule = (comment: string | undefined, match: string, target: string | undefined, options = ''): IptablesRule => ({
  comment,
  match,
  target,
  options,
});

/** Formats a rule in the syntax of `iptables-restore`, without "-A" and its chain. */
export const formatRule = ({ comment, match, target, options }: IptablesRule): string => {
  let text = comment === undefined ? '' : `-m comment --comment ${formatComment(comment)}`;
  if (match !== '') text += text === '' ? match : ` ${match}`;
  if (target !== undefined) text += text === '' ? `-j ${target}` : ` -j ${target}`;
  return options === '' ? text : `${text} ${options}`;
};

/** Formats a jump, with the match before the comment: kube-proxy compares the text, and inserts the jump again if the order differs. */
export const formatJump = ({ match, comment, target }: IptablesJump, format: (comment: string) => string = formatComment): string =>
  [match, comment === undefined ? '' : `-m comment --comment ${format(comment)}`, `-j ${target}`].filter((part) => part !== '').join(' ');

/**
 * Quotes a comment, unless it is a single word. Quotes, backslashes and control characters are escaped or replaced, so that they cannot end
 * the comment.
 */
export function formatComment(comment: string): string {
  if (oneWordPattern.test(comment)) return comment;
  return `"${harmlessPattern.test(comment) ? comment : comment.replace(controlCharacters, '?').replace(/["\\]/g, '\\$&')}"`;
}

const oneWordPattern = /^[!#-&(-[\]-~]+$/;
const harmlessPattern = /^[ !#-[\]-~]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression matches them to replace them
const controlCharacters = /[\u0000-\u001f\u007f]/g;
