import type { ElementChange } from './changes.ts';
import type { PlacedElement } from './fragment.ts';
import type { NftablesElement } from './model.ts';

/** Who wants which element. Several may want one, as each port of a Service wants its cluster IP among those there are. */
export interface ElementIndex {
  /**
   * Puts what an owner wants in the place of what it wanted. Of two elements with one place the first counts.
   * @param places gets those that may look different now, and how they looked when they first came up; undefined where nobody asks
   */
  replace(owner: string, before: readonly PlacedElement[], after: readonly PlacedElement[], places: Places | undefined): void;
  /** How places look now beside how they looked. */
  changesOf(places: Places): ElementChange[];
}

/** What was there, by place. */
export type Places = Map<string, { readonly container: string; readonly before: NftablesElement | undefined }>;

/** Of those who want one place, the first by name has it. */
export function createElementIndex(): ElementIndex {
  const claims = new Map<string, Claim>();
  const look = (place: string, container: string, places: Places | undefined): void => {
    if (places && !places.has(place)) places.set(place, { container, before: winnerOf(claims.get(place)) });
  };
  return {
    replace: (owner, before, after, places) => {
      for (const { container, element } of before) {
        const place = placeOf(container, element);
        look(place, container, places);
        put(claims, place, without(claims.get(place), owner));
      }
      for (const { container, element } of after) {
        const place = placeOf(container, element);
        look(place, container, places);
        const others = claims.get(place);
        if (!has(others, owner)) claims.set(place, { owner, element, others });
      }
    },
    changesOf: (places) =>
      Array.from(places, ([place, { container, before }]) => ({ container, before, after: winnerOf(claims.get(place)) })),
  };
}

/** A list, as most places have one claim. */
interface Claim {
  readonly owner: string;
  readonly element: NftablesElement;
  readonly others: Claim | undefined;
}

const placeOf = (container: string, { key }: NftablesElement): string => `${container} ${key}`;

function put(claims: Map<string, Claim>, place: string, claim: Claim | undefined): void {
  if (claim) claims.set(place, claim);
  else claims.delete(place);
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
