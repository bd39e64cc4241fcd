import type { ContainerFacts, NftablesChain, NftablesElement } from './model.ts';

/** What the node itself, or a port of a Service, needs in the table. */
export interface Fragment {
  readonly chains: readonly NftablesChain[];
  readonly sets: readonly ContainerFacts[];
  readonly maps: readonly ContainerFacts[];
  readonly elements: readonly PlacedElement[];
}

/** An element and the set or map that it is in. */
export interface PlacedElement {
  readonly container: string;
  readonly element: NftablesElement;
}
