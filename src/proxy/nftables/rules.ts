import type { ProxyNode } from '../objects.ts';
import type { NodeView, ServicePortView } from '../view.ts';
import { type ContainerFacts, type Fragment, type NftablesElement, type NftablesRules, type NftablesSet, tableOf } from './model.ts';
import { createPortNames } from './names.ts';
import { nodeFragment } from './node-fragment.ts';
import { portFragment } from './port-fragment.ts';
import { nftablesSettings } from './settings.ts';

/**
 * The rules that kube-proxy writes for a node in its nftables mode, as data. Of two ports that claim one address and port, or one node
 * port, the first by `portOrder` has it; in the original whichever comes last, in no order.
 * @throws RangeError for a node or a port that no rules can be written of; it names the field
 */
export function nftablesRules(view: NodeView, node: ProxyNode): NftablesRules {
  const settings = nftablesSettings(node, view.family);
  const namesOf = createPortNames();
  const inOrder = view.ports.map((port) => ({ order: portOrder(port), port })).sort((a, b) => (a.order < b.order ? -1 : 1));
  return rulesFrom(view.family, [nodeFragment(settings), ...inOrder.map(({ port }) => portFragment(port, settings, namesOf(port)))]);
}

/** Tells ports apart and sorts them: by namespace, name, port name, protocol. */
export const portOrder = ({ namespace, service, portName, protocol }: ServicePortView): string =>
  `${namespace}\0${service}\0${portName}\0${protocol}`;

/** Puts the parts of a table together. Of two elements with one key in one container the first counts. */
export function rulesFrom(family: NodeView['family'], fragments: readonly Fragment[]): NftablesRules {
  const elements = new Map<string, Map<string, NftablesElement>>();
  for (const fragment of fragments) {
    for (const { container, element } of fragment.elements) {
      const inContainer = elements.get(container) ?? new Map<string, NftablesElement>();
      if (inContainer.size === 0) elements.set(container, inContainer);
      if (!inContainer.has(element.key)) inContainer.set(element.key, element);
    }
  }
  const filled = (facts: readonly ContainerFacts[]): NftablesSet[] =>
    facts.map((each) => ({ ...each, elements: [...(elements.get(each.name)?.values() ?? [])].sort(byKey) })).sort(byName);
  return {
    family,
    table: tableOf(family),
    chains: fragments.flatMap(({ chains }) => chains).sort(byName),
    sets: filled(fragments.flatMap(({ sets }) => sets)),
    maps: filled(fragments.flatMap(({ maps }) => maps)),
  };
}

// names and keys are there once, hence one comparison is enough
const byName = (a: { readonly name: string }, b: { readonly name: string }): number => (a.name < b.name ? -1 : 1);
const byKey = (a: NftablesElement, b: NftablesElement): number => (a.key < b.key ? -1 : 1);
