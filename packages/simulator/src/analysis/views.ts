import type { RouteFact } from '../engine/timeline.ts';
import type { Period } from './periods.ts';

/** One client's routes to a port of a Service. */
export interface View {
  readonly actor: string;
  readonly service: string;
  readonly port: string;
  addresses: readonly string[];
  /** Whether it has ever had an endpoint. */
  wasUsed: boolean;
  /** The failing addresses, with their periods. */
  readonly failing: Map<string, Period>;
  /** The period without endpoints. */
  empty?: Period | undefined;
}

export interface Views {
  /** Finds or creates the view of a route. */
  of(route: RouteFact): View;
  /** The views that contain an address now. */
  containing(address: string): View[];
  /** The views of the Services that have ever had an address. */
  everContaining(address: string): View[];
  /** All views. */
  all(): Iterable<View>;
  /** Notes that a view contains an address from now on. */
  add(view: View, address: string): void;
}

/** The views of all clients. An address is looked up in the views of the Services that have ever had it only. */
export function createViews(): Views {
  const views = new Map<string, View>();
  const byService = new Map<string, View[]>();
  const servicesOf = new Map<string, Set<string>>();
  const everContaining = (address: string): View[] =>
    [...(servicesOf.get(address) ?? [])].flatMap((service) => byService.get(service) ?? []);
  return {
    everContaining,
    all: () => views.values(),
    of: ({ actor, service, port }) => {
      const key = `${actor} ${service} ${port}`;
      const known = views.get(key);
      if (known) return known;
      const view: View = { actor, service, port, addresses: [], wasUsed: false, failing: new Map() };
      views.set(key, view);
      const siblings = byService.get(service);
      if (siblings) siblings.push(view);
      else byService.set(service, [view]);
      return view;
    },
    containing: (address) => {
      const answers = new Map<readonly string[], boolean>();
      const contains = (addresses: readonly string[]): boolean => {
        const known = answers.get(addresses) ?? includesSorted(addresses, address);
        answers.set(addresses, known);
        return known;
      };
      return everContaining(address).filter((view) => contains(view.addresses));
    },
    add: (view, address) => {
      const services = servicesOf.get(address);
      if (services) services.add(view.service);
      else servicesOf.set(address, new Set([view.service]));
    },
  };
}

/** Binary search. */
function includesSorted(list: readonly string[], text: string): boolean {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] as string) < text) low = middle + 1;
    else high = middle;
  }
  return list[low] === text;
}

/** Compares sorted lists. */
export function diffSorted(before: readonly string[], after: readonly string[]): { added: string[]; removed: string[] } {
  const [added, removed]: [string[], string[]] = [[], []];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    const [a, b] = [before[i], after[j]];
    if (a !== undefined && (b === undefined || a < b)) removed.push(a);
    else if (b !== undefined && a !== b) added.push(b);
    if (a !== undefined && (b === undefined || a <= b)) i += 1;
    if (b !== undefined && (a === undefined || b <= a)) j += 1;
  }
  return { added, removed };
}
