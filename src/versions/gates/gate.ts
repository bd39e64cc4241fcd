/**
 * A change between releases.
 *
 * `since` is the first minor release whose .0 has the change; `backports` are the patch releases of older minors that have it
 * too; `until` and `untilBackports` are the same for the release that reverted it. `reference` is the change in
 * kubernetes/kubernetes; `stage` is the page of docs/semantics that explains it. `also` lists other objects that the change
 * affects, besides those of the stage.
 */
export interface Gate {
  readonly stage: Stage;
  readonly since: string;
  readonly backports?: readonly string[];
  readonly until?: string;
  readonly untilBackports?: readonly string[];
  readonly reference: string;
  readonly also?: readonly AffectedOutput[];
  readonly summary: string;
}

/** EndpointSlices of Services, or mirrored EndpointSlices. */
export type AffectedOutput = 'slices' | 'mirroring';

/** The stages of Endpoints, followed by those of EndpointSlices. */
export type Stage =
  | 'selection'
  | 'eligibility'
  | 'address'
  | 'ports'
  | 'subsets'
  | 'capacity'
  | 'metadata'
  | 'comparison'
  | 'tracking'
  | 'slices'
  | 'hints'
  | 'mirroring';
