import {
  createNodeView,
  diffIptables,
  diffNftables,
  formatIptables,
  formatIptablesTransaction,
  formatNftables,
  formatNftablesTransaction,
  iptablesRules,
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
  if (mode === 'nftables') {
    const rules = nftablesRules(view, node, release);
    return { hasFindings: false, text: () => linesOf(formatNftables(rules)), data: () => ({ ...header, rules }) };
  }
  const rules = iptablesRules(view, node, release);
  return { hasFindings: false, text: () => linesOf(formatIptables(rules, { jumps })), data: () => ({ ...header, rules }) };
}

/** Reports for `proxy diff` the transaction that turns the rules before a change into the rules after it. */
export function diffProxy(before: RuleInput, after: RuleInput, mode: RuleFlags['mode'], family: IPFamily): Report {
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
  readonly view: ReturnType<typeof createNodeView>;
  readonly node: ProxyNode;
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.trimEnd().split('\n'));
