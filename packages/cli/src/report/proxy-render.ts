import {
  createNodeView,
  diffIptables,
  diffNftables,
  formatDummyAddresses,
  formatIpSets,
  formatIptables,
  formatIptablesTransaction,
  formatNftables,
  formatNftablesTransaction,
  formatVirtualServers,
  type IpvsRules,
  iptablesRules,
  ipvsRules,
  type NodeView,
  nftablesRules,
  type ProxyNode,
  type ProxyObjects,
} from 'kube-endpoints/proxy';
import type { IPFamily } from 'kube-endpoints/types';
import type { Release } from '../flags/common.ts';
import type { Report } from '../print/report.ts';
import type { RuleFlags } from './proxy-objects.ts';

/** The objects to compute rules from, and the release of kube-proxy. */
export interface RuleInput extends Release {
  readonly objects: ProxyObjects;
  readonly node: ProxyNode;
}

/** Reports for `proxy render` all rules of a node. */
export function renderProxy(
  { objects, node, ...release }: RuleInput,
  { mode, jumps }: { readonly mode: RuleFlags['mode']; readonly jumps: boolean },
  family: IPFamily,
): Report {
  const view = createNodeView(objects, node, { family, ...release });
  const header = { release: release.version, node: node.name, mode, family };
  const { rules, text } = renderers[mode](view, node, release, { jumps });
  return { hasFindings: false, text: () => linesOf(text()), data: () => ({ ...header, rules }) };
}

type Renderer = (
  view: NodeView,
  node: ProxyNode,
  release: Release,
  format: { readonly jumps: boolean },
) => { readonly rules: object; text(): string };

const renderers: Readonly<Record<RuleFlags['mode'], Renderer>> = {
  nftables(view, node, release) {
    const rules = nftablesRules(view, node, release);
    return { rules, text: () => formatNftables(rules) };
  },
  iptables(view, node, release, format) {
    const rules = iptablesRules(view, node, release);
    return { rules, text: () => formatIptables(rules, format) };
  },
  ipvs(view, node, release, format) {
    const rules = ipvsRules(view, node, release);
    return { rules, text: () => formatIpvs(rules, format) };
  },
};

/** The mode ipvs has one text for each of four programs. The line before a text names the program that reads it. */
const formatIpvs = (rules: IpvsRules, format: { readonly jumps: boolean }): string =>
  [
    ['ip -batch -', formatDummyAddresses(rules)],
    ['ipset restore', formatIpSets(rules)],
    ['ipvsadm -R', formatVirtualServers(rules)],
    [`${rules.family === 'IPv6' ? 'ip6tables' : 'iptables'}-restore --noflush`, formatIptables(rules.iptables, format)],
  ]
    .map(([program, text]) => `# ${program}\n${text}`)
    .join('');

/** Reports for `proxy diff` the transaction that turns the rules before a change into the rules after it. */
export function diffProxy(before: RuleInput, after: RuleInput, mode: 'nftables' | 'iptables', family: IPFamily): Report {
  const [oldView, newView] = [before, after].map(({ objects, node, ...release }) => ({
    view: createNodeView(objects, node, { family, ...release }),
    node,
  })) as [NodeViewInput, NodeViewInput];
  const { version, featureGates } = after;
  const release = { version, featureGates };
  const header = { release: version, node: after.node.name, mode, family };
  if (mode === 'nftables') {
    const transaction = diffNftables(
      nftablesRules(oldView.view, oldView.node, release),
      nftablesRules(newView.view, newView.node, release),
    );
    const lines = transaction.commands.length === 0 ? [] : linesOf(formatNftablesTransaction(transaction));
    return { hasFindings: lines.length > 0, text: () => lines, data: () => ({ ...header, transaction }) };
  }
  const transaction = diffIptables(iptablesRules(oldView.view, oldView.node, release), iptablesRules(newView.view, newView.node, release));
  const lines = linesOf(formatIptablesTransaction(transaction));
  return { hasFindings: lines.length > 0, text: () => lines, data: () => ({ ...header, transaction }) };
}

interface NodeViewInput {
  readonly view: NodeView;
  readonly node: ProxyNode;
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.trimEnd().split('\n'));
