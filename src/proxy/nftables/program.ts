import type { IPFamily } from '../../apimachinery/index.ts';
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
  wholeTable,
} from './model.ts';
import { createPortNames } from './names.ts';
import { nodeFragment } from './node-fragment.ts';
import { portFragment } from './port-fragment.ts';
import { portOrder, rulesFrom } from './rules.ts';
import { nftablesSettings } from './settings.ts';

/** An incrementally updated table of a node: the cost of an update depends on the change, not on the number of Services. */
export interface NftablesProgram {
  /** Adds or updates a port of a Service. */
  set(port: ServicePortView): void;
  delete(port: ServicePortView): void;
  /** @throws RangeError naming the invalid field of the node; the previous node then stays in effect */
  setNode(node: ProxyNode): void;
  /**
   * The changes since the last call; on the first call the whole table, replacing any existing one.
   * @throws RangeError if a port cannot be written as rules; the changes are kept and the next call retries
   */
  sync(): NftablesTransaction;
  /** Makes the next transaction contain the whole table. */
  forget(): void;
  /** The whole table, as of the last `sync`. */
  rules(): NftablesRules;
}

/** @throws RangeError naming the invalid field of the node */
export function createNftablesProgram(node: ProxyNode, family: IPFamily): NftablesProgram {
  const table = createTable(family);
  const ports = new Map<string, ServicePortView>();
  const changed = new Set<string>([theNode]);
  const namesOf = createPortNames();
  let settings = nftablesSettings(node, family);
  let whole = true;
  const fragmentOf = (key: string): Fragment | undefined => {
    if (key === theNode) return nodeFragment(settings);
    const port = ports.get(key);
    return port && portFragment(port, settings, namesOf(port));
  };
  return {
    set: (port) => {
      ports.set(portOrder(port), port);
      changed.add(portOrder(port));
    },
    delete: (port) => {
      if (ports.delete(portOrder(port))) changed.add(portOrder(port));
    },
    setNode: (next) => {
      settings = nftablesSettings(next, family);
      for (const key of [theNode, ...ports.keys()]) changed.add(key);
    },
    sync: () => {
      // Compute all parts before applying any, so that an invalid port leaves the table unchanged.
      const parts = Array.from(changed, (key) => ({ key, fragment: fragmentOf(key) }));
      changed.clear();
      if (!whole) return { family, commands: table.replace(parts) };
      table.fill(parts);
      whole = false;
      return wholeTable(table.rules());
    },
    forget: () => {
      whole = true;
    },
    rules: table.rules,
  };
}

/** Key of the node's own part; sorts before those of the ports. */
const theNode = '';

const noFragment: Fragment = { chains: [], sets: [], maps: [], elements: [] };

interface Part {
  readonly key: string;
  readonly fragment: Fragment | undefined;
}

/** A table made of parts, each of which can be replaced. */
interface Table {
  /** Replaces parts without computing the changes. */
  fill(parts: readonly Part[]): void;
  /** @returns the commands for nft */
  replace(parts: readonly Part[]): NftablesCommand[];
  rules(): NftablesRules;
}

function createTable(family: IPFamily): Table {
  const fragments = new Map<string, Fragment>();
  const index = createElementIndex();
  const swap = ({ key, fragment }: Part, previous?: PreviousElements): { readonly before: Fragment; readonly after: Fragment } => {
    const [before, after] = [fragments.get(key) ?? noFragment, fragment ?? noFragment];
    index.replace(key, before.elements, after.elements, previous);
    if (fragment) fragments.set(key, fragment);
    else fragments.delete(key);
    return { before, after };
  };
  return {
    fill: (parts) => {
      for (const part of parts) swap(part);
    },
    replace: (parts) => {
      const previous: PreviousElements = new Map();
      const swaps = parts.map((part) => swap(part, previous));
      return orderChanges({
        chains: swaps.flatMap(({ before, after }) => pairBy(before.chains, after.chains, nameOf)),
        containers: swaps.flatMap(({ before, after }) => [
          ...pairBy(before.sets, after.sets, nameOf).map((change) => ({ object: 'set' as const, ...change })),
          ...pairBy(before.maps, after.maps, nameOf).map((change) => ({ object: 'map' as const, ...change })),
        ]),
        elements: index.changesOf(previous),
      });
    },
    rules: () => {
      const inOrder = [...fragments].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, fragment]) => fragment);
      return rulesFrom(family, inOrder);
    },
  };
}

const nameOf = ({ name }: { readonly name: string }): string => name;

/** Tracks which owners claim which element. Several may claim the same one, as all ports of a Service claim its cluster IP. */
export interface ElementIndex {
  /**
   * Replaces an owner's claims. If the owner claims a place twice, its first element counts.
   * @param previous records each touched place with its element before the first change; undefined if the changes are not needed
   */
  replace(owner: string, before: readonly PlacedElement[], after: readonly PlacedElement[], previous: PreviousElements | undefined): void;
  /** The changes of these places since they were recorded. */
  changesOf(previous: PreviousElements): ElementChange[];
}

/** The previous element, by place. */
export type PreviousElements = Map<string, { readonly container: string; readonly before: NftablesElement | undefined }>;

/** If several owners claim a place, the first by name wins. */
export function createElementIndex(): ElementIndex {
  const claims = new Map<string, Claim>();
  const recordPrevious = (slot: string, container: string, previous: PreviousElements | undefined): void => {
    if (previous && !previous.has(slot)) previous.set(slot, { container, before: winnerOf(claims.get(slot)) });
  };
  return {
    replace: (owner, before, after, previous) => {
      for (const { container, element } of before) {
        const slot = slotOf(container, element);
        recordPrevious(slot, container, previous);
        put(claims, slot, without(claims.get(slot), owner));
      }
      for (const { container, element } of after) {
        const slot = slotOf(container, element);
        recordPrevious(slot, container, previous);
        const others = claims.get(slot);
        if (!has(others, owner)) claims.set(slot, { owner, element, others });
      }
    },
    changesOf: (previous) =>
      Array.from(previous, ([slot, { container, before }]) => ({ container, before, after: winnerOf(claims.get(slot)) })),
  };
}

/** A linked list, as most places have one claim. */
interface Claim {
  readonly owner: string;
  readonly element: NftablesElement;
  readonly others: Claim | undefined;
}

const slotOf = (container: string, { key }: NftablesElement): string => `${container} ${key}`;

function put(claims: Map<string, Claim>, slot: string, claim: Claim | undefined): void {
  if (claim) claims.set(slot, claim);
  else claims.delete(slot);
}

function without(claim: Claim | undefined, owner: string): Claim | undefined {
  if (!claim) return undefined;
  const others = without(claim.others, owner);
  return claim.owner === owner ? others : { ...claim, others };
}

function has(claim: Claim | undefined, owner: string): boolean {
  for (let each = claim; each; each = each.others) if (each.owner === owner) return true;
  return false;
}

function winnerOf(claim: Claim | undefined): NftablesElement | undefined {
  let first = claim;
  for (let each = claim?.others; each; each = each.others) if (each.owner < (first as Claim).owner) first = each;
  return first?.element;
}
