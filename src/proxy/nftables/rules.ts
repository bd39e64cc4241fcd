import type { ProxyNode } from '../objects.ts';
import type { NodeView, ServicePortView } from '../view.ts';
import { type Fragment, type NftablesContainer, type NftablesElement, type NftablesRules, type NftablesSet, tableOf } from './model.ts';
import { createPortNames } from './names.ts';
import { nodeFragment } from './node-fragment.ts';
import { portFragment } from './port-fragment.ts';
import { nftablesSettings } from './settings.ts';

/**
 * The rules that kube-proxy writes for a node in nftables mode, as data. If two ports claim the same address and port, or the same node
 * port, the first by `portSortKey` wins; upstream the last one wins, in no defined order.
 * @throws RangeError naming the invalid field of the node or of a port
 */
export function nftablesRules(view: NodeView, node: ProxyNode): NftablesRules {
  const settings = nftablesSettings(node, view.family);
  const namesOf = createPortNames();
  const sortedPorts = view.ports.map((port) => ({ order: portSortKey(port), port })).sort((a, b) => (a.order < b.order ? -1 : 1));
  return combineFragments(view.family, [
    nodeFragment(settings),
    ...sortedPorts.map(({ port }) => portFragment(port, settings, namesOf(port))),
  ]);
}

/** Identifies ports and sorts them by namespace, name, port name and protocol. */
export const portSortKey = ({ namespace, service, portName, protocol }: ServicePortView): string =>
  `${namespace}\0${service}\0${portName}\0${protocol}`;

/** Combines the fragments of a table. If two elements of a container have the same key, the first wins. */
export function combineFragments(family: NodeView['family'], fragments: readonly Fragment[]): NftablesRules {
  const elements = new Map<string, Map<string, NftablesElement>>();
  for (const fragment of fragments) {
    for (const { container, element } of fragment.elements) {
      const containerElements = elements.get(container) ?? new Map<string, NftablesElement>();
      if (containerElements.size === 0) elements.set(container, containerElements);
      if (!containerElements.has(element.key)) containerElements.set(element.key, element);
    }
  }
  const withElements = (containers: readonly NftablesContainer[]): NftablesSet[] =>
    containers.map((each) => ({ ...each, elements: [...(elements.get(each.name)?.values() ?? [])].sort(byKey) })).sort(byName);
  return {
    family,
    table: tableOf(family),
    chains: fragments.flatMap(({ chains }) => chains).sort(byName),
    sets: withElements(fragments.flatMap(({ sets }) => sets)),
    maps: withElements(fragments.flatMap(({ maps }) => maps)),
  };
}

// Names and keys are unique, so the result 0 is never needed.
const byName = (a: { readonly name: string }, b: { readonly name: string }): number => (a.name < b.name ? -1 : 1);
const byKey = (a: NftablesElement, b: NftablesElement): number => (a.key < b.key ? -1 : 1);
