import type { IPFamily } from '../../apimachinery/index.ts';
import type { ProxyNode } from '../objects.ts';
import type { ServicePortView } from '../view.ts';
import { orderChanges } from './changes.ts';
import { pairBy } from './diff.ts';
import { createElementIndex, type Places } from './element-index.ts';
import type { Fragment } from './fragment.ts';
import type { NftablesCommand, NftablesRules, NftablesTransaction } from './model.ts';
import { createPortNames } from './names.ts';
import { nodeFragment } from './node-fragment.ts';
import { portFragment } from './port-fragment.ts';
import { portOrder, rulesFrom } from './rules.ts';
import { nftablesSettings } from './settings.ts';
import { wholeTable } from './whole.ts';

/** A node's table, kept in step with its view: what a change costs hangs on what changed, not on all there is. */
export interface NftablesProgram {
  /** Takes a port of a Service that is new, or that the node sees otherwise than before. */
  set(port: ServicePortView): void;
  delete(port: ServicePortView): void;
  /** @throws RangeError naming the field of the node that cannot be used; the former node stays */
  setNode(node: ProxyNode): void;
  /**
   * What changed since the last time; the first time the whole table, whatever there was of it.
   * @throws RangeError for a port that no rules can be written of; nothing is lost, and the next call tries again
   */
  sync(): NftablesTransaction;
  /** Makes the next transaction the whole table. */
  forget(): void;
  /** The whole table, as of the last `sync`. */
  rules(): NftablesRules;
}

/** @throws RangeError naming the field of the node that cannot be used */
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
      // all of it is made before any of it is taken over: a port that cannot be written leaves everything as it was
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

/** The node is no port of a Service, and its part of the table comes before theirs. */
const theNode = '';

const noFragment: Fragment = { chains: [], sets: [], maps: [], elements: [] };

interface Part {
  readonly key: string;
  readonly fragment: Fragment | undefined;
}

/** A table made of parts, of which any can be put in the place of its former self. */
interface Table {
  /** Takes parts without a word of what they change. */
  fill(parts: readonly Part[]): void;
  /** @returns what tells nft of it */
  replace(parts: readonly Part[]): NftablesCommand[];
  rules(): NftablesRules;
}

function createTable(family: IPFamily): Table {
  const fragments = new Map<string, Fragment>();
  const index = createElementIndex();
  const swap = ({ key, fragment }: Part, places?: Places): { readonly before: Fragment; readonly after: Fragment } => {
    const [before, after] = [fragments.get(key) ?? noFragment, fragment ?? noFragment];
    index.replace(key, before.elements, after.elements, places);
    if (fragment) fragments.set(key, fragment);
    else fragments.delete(key);
    return { before, after };
  };
  return {
    fill: (parts) => {
      for (const part of parts) swap(part);
    },
    replace: (parts) => {
      const places: Places = new Map();
      const swaps = parts.map((part) => swap(part, places));
      return orderChanges({
        chains: swaps.flatMap(({ before, after }) => pairBy(before.chains, after.chains, nameOf)),
        containers: swaps.flatMap(({ before, after }) => [
          ...pairBy(before.sets, after.sets, nameOf).map((change) => ({ object: 'set' as const, ...change })),
          ...pairBy(before.maps, after.maps, nameOf).map((change) => ({ object: 'map' as const, ...change })),
        ]),
        elements: index.changesOf(places),
      });
    },
    rules: () => {
      const inOrder = [...fragments].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, fragment]) => fragment);
      return rulesFrom(family, inOrder);
    },
  };
}

const nameOf = ({ name }: { readonly name: string }): string => name;
