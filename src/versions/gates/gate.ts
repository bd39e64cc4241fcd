import type { FeatureName } from '../features.ts';

/** When a change between releases applies. */
export interface GateRow {
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
  /** The feature gate that decides if it is set; otherwise the releases above decide, which follow its defaults. */
  readonly feature?: FeatureSwitch;
  /** The pull request in kubernetes/kubernetes. */
  readonly reference: string;
  /** Objects that the change affects, besides those of the stage. */
  readonly also?: readonly AffectedOutput[];
}

/** A change between releases. */
export interface Gate extends GateRow {
  readonly summary: string;
}

/** How a feature gate of Kubernetes decides a change. */
export interface FeatureSwitch {
  readonly name: FeatureName;
  /** The first minor release in which the feature gate decides, 21 for 1.21; by default the first that has it. */
  readonly from?: number;
  /** The feature gate that decides in the releases before. */
  readonly earlier?: FeatureName;
  /** Whether the change applies if the feature gate is off. */
  readonly inverted?: boolean;
}

/** EndpointSlices of Services, or mirrored EndpointSlices. */
export type AffectedOutput = 'slices' | 'mirroring';

/** The stages of Endpoints, followed by those of EndpointSlices, and by when and how a controller syncs. */
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
  | 'mirroring'
  | 'controllers';
