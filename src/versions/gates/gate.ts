/** A change between releases. */
export interface Gate {
  /** The page of docs/semantics that explains the change. */
  readonly stage: Stage;
  /** The first minor release whose .0 has the change. */
  readonly since: string;
  /** The patch releases of older minors that have it too. */
  readonly backports?: readonly string[];
  /** The first minor release whose .0 has the change reverted. */
  readonly until?: string;
  /** The patch releases of older minors that have it reverted too. */
  readonly untilBackports?: readonly string[];
  /** The pull request in kubernetes/kubernetes. */
  readonly reference: string;
  /** Objects that the change affects, besides those of the stage. */
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
