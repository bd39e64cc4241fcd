import type { ProxyNode } from '../objects.ts';
import type { NodeView } from '../view.ts';
import { fixedRules, jumps } from './fixed-rules.ts';
import type { IptablesChain, IptablesRule, IptablesRules, IptablesTable } from './model.ts';
import { countEndpoints, createPortRuler, isLarge, type PortRules } from './port-rules.ts';
import { type Settings, settingsOf } from './settings.ts';

/**
 * All rules that kube-proxy writes by iptables for a view of a node. Mirrors a full `syncProxyRules` (1.36,
 * pkg/proxy/iptables/proxier.go).
 * @throws RangeError naming the field of the node, or of a Service, that cannot be used
 */
export function iptablesRules(view: NodeView, node: ProxyNode): IptablesRules {
  const settings = settingsOf(node, view.family);
  const rulesOf = createPortRuler(settings);
  const large = isLarge(countEndpoints(view.ports));
  return assemble(
    settings,
    view.ports.map((port) => rulesOf(port, large)),
  );
}

/** Puts the rules of all ports together. */
export function assemble(settings: Settings, ports: Iterable<PortRules>): IptablesRules {
  const shared: Record<IptablesTable, Map<string, IptablesRule[]>> = { filter: new Map(), nat: new Map() };
  const own: IptablesChain[] = [];
  for (const { portals, chains } of ports) {
    for (const { table, chain, rule } of portals) {
      const rules = shared[table].get(chain);
      if (rules) rules.push(rule);
      else shared[table].set(chain, [rule]);
    }
    for (const chain of chains) own.push(chain);
  }
  const { filter, nat } = fixedRules(settings);
  const fill = (table: IptablesTable, chains: readonly IptablesChain[]): IptablesChain[] =>
    chains.map(({ name, rules }) => ({ name, rules: [...(shared[table].get(name) ?? []), ...rules] }));
  return { family: settings.family, tables: { filter: fill('filter', filter), nat: fill('nat', nat).concat(own) }, jumps };
}
