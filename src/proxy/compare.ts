import type { IPFamily } from '../apimachinery/index.ts';
import { findCauses, namesOfGates } from '../versions/causes.ts';
import type { ReleaseOptions } from '../versions/index.ts';
import { iptablesGates } from './gates/iptables.ts';
import { ipvsGates } from './gates/ipvs.ts';
import { nftablesGates } from './gates/nftables.ts';
import { viewGates } from './gates/view.ts';
import { type ProxyGateName, type ProxyGates, proxyGatesFor } from './gates.ts';
import { formatIptables } from './iptables/format.ts';
import { iptablesRulesFor } from './iptables/rules.ts';
import { formatIpSets, formatVirtualServers } from './ipvs/format.ts';
import { hasIpvsRules, ipvsRulesFor } from './ipvs/rules.ts';
import { formatNftables } from './nftables/format.ts';
import { nftablesRulesFor } from './nftables/rules.ts';
import { createNodeViewFor } from './node-view.ts';
import type { ProxyNode, ProxyObjects } from './objects.ts';
import type { EndpointView, NodeView } from './view.ts';

/** The differences between two releases of kube-proxy on a node, for one address family. */
export interface ProxyComparison {
  /** Ports whose traffic goes to other endpoints. */
  readonly traffic: readonly TrafficChange[];
  /** Modes whose rules differ, of those that both releases have. */
  readonly rules: readonly RulesChange[];
}

export interface TrafficChange {
  /** "shop/web:http TCP" */
  readonly port: string;
  /** The endpoints that get any traffic from this node: "10.0.0.1:8080". */
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly gates: readonly ProxyGateName[];
}

export interface RulesChange {
  readonly mode: ComparedMode;
  /** How many lines of the text of the rules only one release has. */
  readonly removed: number;
  readonly added: number;
  readonly gates: readonly ProxyGateName[];
}

export type ComparedMode = 'nftables' | 'iptables' | 'ipvs';

export interface CompareProxyOptions {
  readonly from: ReleaseOptions;
  readonly to: ReleaseOptions;
  /** IPv4 by default. */
  readonly family?: IPFamily | undefined;
}

/**
 * Compares what the kube-proxies of two releases do on a node.
 * @throws RangeError for an unknown version, an invalid feature gate, or a field of the node or of a Service that no rule can contain
 */
export function compareProxies(
  objects: ProxyObjects,
  node: ProxyNode,
  { from, to, family = 'IPv4' }: CompareProxyOptions,
): ProxyComparison {
  const [older, newer] = [proxyGatesFor(from), proxyGatesFor(to)];
  const look = (gates: ProxyGates): NodeView => createNodeViewFor(objects, node, family, gates);
  const modes = (Object.keys(printers) as ComparedMode[]).filter((mode) => [from, to].every((release) => hasMode(mode, release)));
  return {
    traffic: findTrafficChanges(look, older, newer),
    rules: modes.flatMap((mode) => findRulesChange(mode, (gates) => printers[mode](look(gates), node, gates), older, newer)),
  };
}

function findTrafficChanges(look: (gates: ProxyGates) => NodeView, older: ProxyGates, newer: ProxyGates): TrafficChange[] {
  const compute = (gates: ProxyGates): ReadonlyMap<string, readonly string[]> =>
    new Map(look(gates).ports.map(({ name, protocol, reachable }) => [`${name} ${protocol}`, textsOf(reachable)]));
  const [before, after] = [compute(older), compute(newer)];
  const findAspects = (a: typeof before, b: typeof before): string[] =>
    [...new Set([...a.keys(), ...b.keys()])].filter((port) => a.get(port)?.join() !== b.get(port)?.join());
  const causes = findCauses({ older, newer, before, after, gates: namesOfGates(viewGates), compute, findAspects });
  return causes.map(({ what, gates }) => ({ port: what, before: before.get(what) ?? [], after: after.get(what) ?? [], gates }));
}

const textsOf = (endpoints: readonly EndpointView[] | undefined): readonly string[] => (endpoints ?? []).map(({ text }) => text);

function findRulesChange(
  mode: ComparedMode,
  print: (gates: ProxyGates) => string,
  older: ProxyGates,
  newer: ProxyGates,
): readonly RulesChange[] {
  const compute = (gates: ProxyGates): ReadonlySet<string> => new Set(print(gates).split('\n'));
  const [before, after] = [compute(older), compute(newer)];
  const [removed, added] = [countMissing(before, after), countMissing(after, before)];
  const names: readonly ProxyGateName[] = [...namesOfGates(viewGates), ...gatesOfModes[mode]];
  const findAspects = (a: typeof before, b: typeof before): ComparedMode[] => (countMissing(a, b) + countMissing(b, a) > 0 ? [mode] : []);
  // One gate alone rarely makes the rules those of the other release, so each gate that changes any rule of the older release is a cause.
  const gates = names.filter(
    (name) => older[name] !== newer[name] && findAspects(before, compute({ ...older, [name]: newer[name] })).length > 0,
  );
  return removed + added > 0 ? [{ mode, removed, added, gates }] : [];
}

const countMissing = (lines: ReadonlySet<string>, others: ReadonlySet<string>): number =>
  [...lines].filter((line) => !others.has(line)).length;

const gatesOfModes: Readonly<Record<ComparedMode, readonly ProxyGateName[]>> = {
  nftables: namesOfGates(nftablesGates),
  iptables: namesOfGates(iptablesGates),
  ipvs: ['alwaysRandomFully', ...namesOfGates(ipvsGates)],
};

type Printer = (view: NodeView, node: ProxyNode, gates: ProxyGates) => string;

const printers: Readonly<Record<ComparedMode, Printer>> = {
  nftables: (view, node, gates) => formatNftables(nftablesRulesFor(view, node, gates)),
  iptables: (view, node, gates) => formatIptables(iptablesRulesFor(view, node, gates)),
  ipvs(view, node, gates) {
    const rules = ipvsRulesFor(view, node, gates);
    return formatVirtualServers(rules) + formatIpSets(rules) + formatIptables(rules.iptables);
  },
};

function hasMode(mode: ComparedMode, release: ReleaseOptions): boolean {
  if (mode === 'nftables') return proxyGatesFor(release).nftablesMode;
  return mode === 'iptables' || hasIpvsRules(release);
}
