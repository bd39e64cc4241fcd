/**
 * A change between releases.
 *
 * `since` is the first minor release whose .0 has the change; `backports` the patch releases of older minors that got it
 * too; `until` and `mended` the same for the release that took it back. `reference` is the change in
 * kubernetes/kubernetes; `stage` the page of docs/semantics that explains it. `also` names what else the change shows in,
 * beside the objects that the stage is of.
 */
export interface Gate {
  readonly stage: Stage;
  readonly since: string;
  readonly backports?: readonly string[];
  readonly until?: string;
  readonly mended?: readonly string[];
  readonly reference: string;
  readonly also?: readonly Also[];
  readonly summary: string;
}

/** EndpointSlices of Services, or those that mirror Endpoints. */
export type Also = 'slices' | 'mirroring';

/** The stages of Endpoints, and behind them those of EndpointSlices. */
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
