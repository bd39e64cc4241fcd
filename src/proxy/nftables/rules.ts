import { type ProxyGates, type ProxyVersionOptions, proxyGatesFor } from '../gates.ts';
import type { ProxyNode } from '../objects.ts';
import type { NodeView, ServicePortView } from '../view.ts';
import { type Fragment, type NftablesContainer, type NftablesElement, type NftablesRules, type NftablesSet, tableOf } from './model.ts';
import { createPortNamer } from './names.ts';
import { createNodeFragment } from './node-fragment.ts';
import { createPortFragment } from './port-fragment.ts';
import { readNftablesSettings } from './settings.ts';

/**
 * Creates the rules that kube-proxy writes for a node in nftables mode, as data. If two ports claim the same address and port, or the same
 * node port, the first by `portSortKey` wins; upstream, the port written last wins, and the order of writing is undefined.
 * @throws RangeError naming the invalid field of the node or of a port, or for an unknown version
 */
export const nftablesRules = (view: NodeView, node: ProxyNode, options: ProxyVersionOptions = {}): NftablesRules =>
  nftablesRulesFor(view, node, proxyGatesFor(options));

/** `nftablesRules` for the gates of a release. */
export function nftablesRulesFor(view: NodeView, node: ProxyNode, gates: ProxyGates): NftablesRules {
  const settings = readNftablesSettings(node, view.family, gates);
  const namesOf = createPortNamer();
  const sortedPorts = view.ports.map((port) => ({ order: portSortKey(port), port })).sort((a, b) => (a.order < b.order ? -1 : 1));
  return combineFragments(view.family, [
    createNodeFragment(settings),
    ...sortedPorts.map(({ port }) => createPortFragment(port, settings, namesOf(port))),
  ]);
}

/** Builds the key of a port. Keys sort by namespace, name, port name and protocol. */
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
    containers.map((each) => ({ ...each, elements: [...(elements.get(each.name)?.values() ?? [])].sort(compareKeys) })).sort(compareNames);
  return {
    family,
    table: tableOf(family),
    chains: fragments.flatMap(({ chains }) => chains).sort(compareNames),
    sets: withElements(fragments.flatMap(({ sets }) => sets)),
    maps: withElements(fragments.flatMap(({ maps }) => maps)),
  };
}

// Names and keys are unique, so the result 0 is never needed.
const compareNames = (a: { readonly name: string }, b: { readonly name: string }): number => (a.name < b.name ? -1 : 1);
const compareKeys = (a: NftablesElement, b: NftablesElement): number => (a.key < b.key ? -1 : 1);
