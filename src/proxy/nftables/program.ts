import type { IPFamily } from '../../apimachinery/index.ts';
import { type ProxyVersionOptions, proxyGatesFor } from '../gates.ts';
import type { ProxyNode } from '../objects.ts';
import type { ServicePortView } from '../view.ts';
import { type ElementChange, orderChanges, pairBy } from './diff.ts';
import {
  type Fragment,
  type NftablesCommand,
  type NftablesElement,
  type NftablesRules,
  type NftablesTransaction,
  type PlacedElement,
  replaceTable,
} from './model.ts';
import { createPortNamer } from './names.ts';
import { createNodeFragment } from './node-fragment.ts';
import { createPortFragment } from './port-fragment.ts';
import { combineFragments, portSortKey } from './rules.ts';
import { readNftablesSettings } from './settings.ts';

/** An incrementally updated table of a node: the cost of an update depends on the change, not on the number of Services. */
export interface NftablesProgram {
  /** Adds or updates a port of a Service. */
  set(port: ServicePortView): void;
  delete(port: ServicePortView): void;
  /** @throws RangeError naming the invalid field of the node; the previous node then stays in effect */
  setNode(node: ProxyNode): void;
  /**
   * Returns the changes since the last call. The first call returns the whole table, which replaces any existing one.
   * @throws RangeError if a port cannot be written as rules; the changes are kept and the next call retries
   */
  sync(): NftablesTransaction;
  /** Makes the next transaction contain the whole table. */
  forget(): void;
  /** The whole table, as of the last `sync`. */
  rules(): NftablesRules;
}

/** @throws RangeError naming the invalid field of the node, or for an unknown version */
export function createNftablesProgram(node: ProxyNode, family: IPFamily, options: ProxyVersionOptions = {}): NftablesProgram {
  const gates = proxyGatesFor(options);
  const table = createTable(family);
  const ports = new Map<string, ServicePortView>();
  const changedKeys = new Set<string>([nodeKey]);
  const namesOf = createPortNamer();
  let settings = readNftablesSettings(node, family, gates);
  let isFullSync = true;
  const fragmentOf = (key: string): Fragment | undefined => {
    if (key === nodeKey) return createNodeFragment(settings);
    const port = ports.get(key);
    return port && createPortFragment(port, settings, namesOf(port));
  };
  return {
    set: (port) => {
      ports.set(portSortKey(port), port);
      changedKeys.add(portSortKey(port));
    },
    delete: (port) => {
      if (ports.delete(portSortKey(port))) changedKeys.add(portSortKey(port));
    },
    setNode: (newNode) => {
      settings = readNftablesSettings(newNode, family, gates);
      for (const key of [nodeKey, ...ports.keys()]) changedKeys.add(key);
    },
    sync: () => {
      // Compute all fragments before applying any, so that an invalid port leaves the table unchanged.
      const changedFragments = Array.from(changedKeys, (key) => ({ key, fragment: fragmentOf(key) }));
      changedKeys.clear();
      if (!isFullSync) return { family, commands: table.replace(changedFragments) };
      table.load(changedFragments);
      isFullSync = false;
      return replaceTable(table.rules());
    },
    forget: () => {
      isFullSync = true;
    },
    rules: table.rules,
  };
}

/** Key of the node's own fragment; sorts before the keys of the ports. */
const nodeKey = '';

const noFragment: Fragment = { chains: [], sets: [], maps: [], elements: [] };

interface KeyedFragment {
  readonly key: string;
  readonly fragment: Fragment | undefined;
}

/** A table made of fragments, each of which can be replaced. */
interface Table {
  /** Replaces fragments without computing the changes. */
  load(changedFragments: readonly KeyedFragment[]): void;
  /** @returns the commands for nft */
  replace(changedFragments: readonly KeyedFragment[]): NftablesCommand[];
  rules(): NftablesRules;
}

function createTable(family: IPFamily): Table {
  const fragments = new Map<string, Fragment>();
  const index = createElementIndex();
  const replaceFragment = (
    { key, fragment }: KeyedFragment,
    oldElements?: PreviousElements,
  ): { readonly before: Fragment; readonly after: Fragment } => {
    const [before, after] = [fragments.get(key) ?? noFragment, fragment ?? noFragment];
    index.replace(key, before.elements, after.elements, oldElements);
    if (fragment) fragments.set(key, fragment);
    else fragments.delete(key);
    return { before, after };
  };
  return {
    load: (changedFragments) => {
      for (const changedFragment of changedFragments) replaceFragment(changedFragment);
    },
    replace: (changedFragments) => {
      const oldElements: PreviousElements = new Map();
      const replacements = changedFragments.map((changedFragment) => replaceFragment(changedFragment, oldElements));
      return orderChanges({
        chains: replacements.flatMap(({ before, after }) => pairBy(before.chains, after.chains, nameOf)),
        containers: replacements.flatMap(({ before, after }) => [
          ...pairBy(before.sets, after.sets, nameOf).map((change) => ({ object: 'set' as const, ...change })),
          ...pairBy(before.maps, after.maps, nameOf).map((change) => ({ object: 'map' as const, ...change })),
        ]),
        elements: index.changesOf(oldElements),
      });
    },
    rules: () => {
      const sortedFragments = [...fragments].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, fragment]) => fragment);
      return combineFragments(family, sortedFragments);
    },
  };
}

const nameOf = ({ name }: { readonly name: string }): string => name;

/**
 * Tracks the owners of elements. A slot is a key of a set or map (the container). Several owners can claim a slot: all ports of a Service
 * claim its cluster IP.
 */
export interface ElementIndex {
  /**
   * Replaces an owner's claims. If the owner claims a slot twice, its first element counts.
   * @param oldElements receives the element of each affected slot before the first change; undefined if the changes are not needed
   */
  replace(
    owner: string,
    before: readonly PlacedElement[],
    after: readonly PlacedElement[],
    oldElements: PreviousElements | undefined,
  ): void;
  /** Returns the changes of these slots since their previous elements were recorded. */
  changesOf(oldElements: PreviousElements): ElementChange[];
}

/** The previous element, by slot. */
export type PreviousElements = Map<string, { readonly container: string; readonly before: NftablesElement | undefined }>;

/** Creates an empty index. If several owners claim a slot, the owner whose key sorts first wins. */
export function createElementIndex(): ElementIndex {
  const claims = new Map<string, Claim>();
  const recordPrevious = (slot: string, container: string, oldElements: PreviousElements | undefined): void => {
    if (oldElements && !oldElements.has(slot)) oldElements.set(slot, { container, before: winnerOf(claims.get(slot)) });
  };
  return {
    replace: (owner, before, after, oldElements) => {
      for (const { container, element } of before) {
        const slot = slotOf(container, element);
        recordPrevious(slot, container, oldElements);
        setClaim(claims, slot, withoutOwner(claims.get(slot), owner));
      }
      for (const { container, element } of after) {
        const slot = slotOf(container, element);
        recordPrevious(slot, container, oldElements);
        const others = claims.get(slot);
        if (!hasOwner(others, owner)) claims.set(slot, { owner, element, others });
      }
    },
    changesOf: (oldElements) =>
      Array.from(oldElements, ([slot, { container, before }]) => ({ container, before, after: winnerOf(claims.get(slot)) })),
  };
}

/** A linked list, because most slots have one claim. */
interface Claim {
  readonly owner: string;
  readonly element: NftablesElement;
  readonly others: Claim | undefined;
}

const slotOf = (container: string, { key }: NftablesElement): string => `${container} ${key}`;

function setClaim(claims: Map<string, Claim>, slot: string, claim: Claim | undefined): void {
  if (claim) claims.set(slot, claim);
  else claims.delete(slot);
}

function withoutOwner(claim: Claim | undefined, owner: string): Claim | undefined {
  if (!claim) return undefined;
  const others = withoutOwner(claim.others, owner);
  return claim.owner === owner ? others : { ...claim, others };
}

function hasOwner(claim: Claim | undefined, owner: string): boolean {
  for (let each = claim; each; each = each.others) if (each.owner === owner) return true;
  return false;
}

function winnerOf(claim: Claim | undefined): NftablesElement | undefined {
  let winner = claim;
  for (let each = claim?.others; each; each = each.others) if (each.owner < (winner as Claim).owner) winner = each;
  return winner?.element;
}
