import { proxyGatesFor } from 'kube-endpoints/internal';
import {
  createNodeView,
  createProxier,
  diffIptables,
  diffNftables,
  formatIptables,
  formatIptablesTransaction,
  formatNftables,
  formatNftablesTransaction,
  iptablesRules,
  ipvsRules,
  type NodeView,
  nftablesRules,
  type ProxyNode,
} from 'kube-endpoints/proxy';
import { createIpvsLoader, formatIpvsState } from './ipvs.ts';
import type { Family } from './topology.ts';
import { proxyNode, type WorldObjects } from './world.ts';

export type Mode = 'nftables' | 'iptables' | 'ipvs';

/** The mode and the release of kube-proxy. */
export interface RuleKind {
  readonly mode: Mode;
  readonly version?: string | undefined;
}

/** The rules of one node and family, updated incrementally. */
export interface NodeRules {
  readonly node: string;
  readonly family: Family;
  /** Applies new objects and returns the text of the resulting change; "" if there is none. */
  update(objects: WorldObjects): string;
  /** The text of all rules as of the last change, for an empty node. */
  fullText(): string;
}

/** Updates nftables rules of node a by a proxier, all others by a comparison of all rules with the previous ones. */
export function createRules(kind: RuleKind, node: string, family: Family): NodeRules {
  return kind.mode === 'nftables' && node === 'a' ? createProxierRules(kind, node, family) : createComparedRules(kind, node, family);
}

function createProxierRules({ version }: RuleKind, name: string, family: Family): NodeRules {
  const proxier = createProxier({ node: proxyNode(name), family, version });
  let current: WorldObjects = { services: new Map(), slices: new Map() };
  return {
    node: name,
    family,
    update(objects) {
      reportChanges(proxier.services, current.services, objects.services);
      reportChanges(proxier.endpointSlices, current.slices, objects.slices);
      current = objects;
      return formatNftablesTransaction(proxier.sync());
    },
    fullText: () => formatNftables(proxier.rules()),
  };
}

interface ObjectTracker<T> {
  set(object: T): void;
  delete(key: string): void;
}

/** Reports changed objects only, like a watch. */
function reportChanges<T>(tracker: ObjectTracker<T>, before: ReadonlyMap<string, T>, after: ReadonlyMap<string, T>): void {
  for (const key of before.keys()) if (!after.has(key)) tracker.delete(key);
  for (const [key, object] of after) if (JSON.stringify(object) !== JSON.stringify(before.get(key))) tracker.set(object);
}

function createComparedRules({ mode, version }: RuleKind, name: string, family: Family): NodeRules {
  const node = proxyNode(name);
  const texts = textsByMode[mode](version);
  return {
    node: name,
    family,
    update: ({ services, slices }) =>
      texts.update(createNodeView({ services: services.values(), endpointSlices: slices.values() }, node, { family, version }), node),
    fullText: () => texts.fullText(),
  };
}

interface RuleTexts {
  update(view: NodeView, node: ProxyNode): string;
  fullText(): string;
}

const createNftablesTexts = (version: string | undefined): RuleTexts =>
  createTexts(
    (view, node) => nftablesRules(view, node, { version }),
    (before, after) => formatNftablesTransaction(diffNftables(before, after)),
    formatNftables,
  );
const createIptablesTexts = (version: string | undefined): RuleTexts =>
  createTexts(
    (view, node) => iptablesRules(view, node, { version }),
    (before, after) => (before ? '' : kubeletChain(version)) + formatIptablesTransaction(diffIptables(before, after)),
    (rules) => kubeletChain(version) + formatIptables(rules),
  );

/** Before 1.20, only the kubelet creates the chain that marks packets to drop. */
const kubeletChain = (version: string | undefined): string =>
  proxyGatesFor({ version }).firewallInFilter || proxyGatesFor({ version }).ensuresMarkDrop
    ? ''
    : '*nat\n:KUBE-MARK-DROP - [0:0]\nCOMMIT\n';

const createIpvsTexts = (version: string | undefined): RuleTexts =>
  createTexts((view, node) => ipvsRules(view, node, { version }), createIpvsLoader(), formatIpvsState);

const textsByMode: Readonly<Record<Mode, (version: string | undefined) => RuleTexts>> = {
  nftables: createNftablesTexts,
  iptables: createIptablesTexts,
  ipvs: createIpvsTexts,
};

function createTexts<R>(
  computeRules: (view: NodeView, node: ProxyNode) => R,
  formatChange: (before: R | undefined, after: R) => string,
  format: (rules: R) => string,
): RuleTexts {
  let rules: R | undefined;
  return {
    update(view, node) {
      const before = rules;
      rules = computeRules(view, node);
      return formatChange(before, rules);
    },
    fullText: () => (rules === undefined ? '' : format(rules)),
  };
}
