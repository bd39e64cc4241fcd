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
import { proxyNode, type WorldObjects, withFamily } from './world.ts';

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
  let current: Pick<WorldObjects, 'services' | 'slices'> = { services: new Map(), slices: new Map() };
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
  // Before 1.20, a Service has one cluster IP: its rules are those of a cluster with this family.
  const isDualStack = proxyGatesFor({ version }).clusterIPs;
  return {
    node: name,
    family,
    update(objects) {
      const services = [...objects.services.values()].map((service) => (isDualStack ? service : withFamily(family, service)));
      const readObjects = { services, endpointSlices: objects.slices.values(), endpoints: objects.endpoints[family].values() };
      return texts.update(createNodeView(readObjects, node, { family, version }), node);
    },
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
    (before, after) => {
      const text = formatIptablesTransaction(diffIptables(before, after));
      return before === undefined ? withKubeletRules(text, version) : text;
    },
    (rules) => withKubeletRules(formatIptables(rules), version),
  );

/**
 * Before 1.25, kube-proxy jumps to a chain of the kubelet, which marks packets that another of its chains drops. Adds both. Before 1.20, only
 * the kubelet creates the first one.
 */
function withKubeletRules(text: string, version: string | undefined): string {
  const { firewallInFilter, ensuresMarkDrop } = proxyGatesFor({ version });
  if (firewallInFilter) return text;
  const declaration = ensuresMarkDrop ? '' : '*nat\n:KUBE-MARK-DROP - [0:0]\nCOMMIT\n';
  return `${declaration}${text}${kubeletRules}`;
}

const kubeletRules = `*nat
-A KUBE-MARK-DROP -j MARK --or-mark 0x8000
COMMIT
*filter
:KUBE-FIREWALL - [0:0]
-A KUBE-FIREWALL -m mark --mark 0x8000/0x8000 -j DROP
-A INPUT -j KUBE-FIREWALL
-A OUTPUT -j KUBE-FIREWALL
COMMIT
`;

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
