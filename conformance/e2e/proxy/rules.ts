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
  type NodeView,
  nftablesRules,
  type ProxyNode,
} from 'kube-endpoints/proxy';
import type { Family } from './places.ts';
import { proxyNode, type WorldObjects } from './world.ts';

export type Mode = 'nftables' | 'iptables';

/** The rules of one node and family, updated incrementally. */
export interface NodeRules {
  readonly node: string;
  readonly family: Family;
  /** Applies new objects and returns the text of the resulting change; "" if there is none. */
  become(objects: WorldObjects): string;
  /** The text of all rules as of the last change, for an empty node. */
  whole(): string;
}

/** On node a, nftables rules are updated by a proxier; on node b, by comparing all rules with the previous ones. */
export function createRules(mode: Mode, node: string, family: Family): NodeRules {
  return mode === 'nftables' && node === 'a' ? proxierRules(node, family) : comparedRules(mode, node, family);
}

function proxierRules(name: string, family: Family): NodeRules {
  const proxier = createProxier({ node: proxyNode(name), family });
  let known: WorldObjects = { services: new Map(), slices: new Map() };
  return {
    node: name,
    family,
    become(objects) {
      tell(proxier.services, known.services, objects.services);
      tell(proxier.endpointSlices, known.slices, objects.slices);
      known = objects;
      return formatNftablesTransaction(proxier.sync());
    },
    whole: () => formatNftables(proxier.rules()),
  };
}

interface Told<T> {
  set(object: T): void;
  delete(key: string): void;
}

/** Reports changed objects only, like a watch. */
function tell<T>(told: Told<T>, before: ReadonlyMap<string, T>, after: ReadonlyMap<string, T>): void {
  for (const key of before.keys()) if (!after.has(key)) told.delete(key);
  for (const [key, object] of after) if (JSON.stringify(object) !== JSON.stringify(before.get(key))) told.set(object);
}

function comparedRules(mode: Mode, name: string, family: Family): NodeRules {
  const node = proxyNode(name);
  const texts = mode === 'nftables' ? nftablesTexts() : iptablesTexts();
  return {
    node: name,
    family,
    become: ({ services, slices }) =>
      texts.become(createNodeView({ services: services.values(), endpointSlices: slices.values() }, node, { family }), node),
    whole: () => texts.whole(),
  };
}

interface Texts {
  become(view: NodeView, node: ProxyNode): string;
  whole(): string;
}

const nftablesTexts = (): Texts =>
  textsOf(nftablesRules, (before, after) => formatNftablesTransaction(diffNftables(before, after)), formatNftables);
const iptablesTexts = (): Texts =>
  textsOf(iptablesRules, (before, after) => formatIptablesTransaction(diffIptables(before, after)), formatIptables);

function textsOf<R>(
  make: (view: NodeView, node: ProxyNode) => R,
  change: (before: R | undefined, after: R) => string,
  format: (rules: R) => string,
): Texts {
  let rules: R | undefined;
  return {
    become(view, node) {
      const before = rules;
      rules = make(view, node);
      return change(before, rules);
    },
    whole: () => (rules === undefined ? '' : format(rules)),
  };
}
