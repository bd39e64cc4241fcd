import type { EndpointSlice, EndpointSliceInput, Endpoints, EndpointsInput, Pod, Service } from 'kube-endpoints/types';
import type { DecisionCode } from './codes.ts';

/** What is asked about. Nothing of it is written to. */
export interface OverrideRequest {
  readonly operation: 'CREATE' | 'UPDATE';
  /** As it is to be written: by its `kind`, or where it has none by its fields, Endpoints or an EndpointSlice. */
  readonly object: EndpointsInput | EndpointSliceInput;
  /** As it is stored. */
  readonly oldObject?: EndpointsInput | EndpointSliceInput | undefined;
  /** Where the host knows them. */
  readonly service?: Service | undefined;
  readonly pods?: readonly Pod[] | undefined;
  /** Of a slice: the other slices of its Service, for what is counted over the whole Service. */
  readonly siblings?: readonly EndpointSliceInput[] | undefined;
  readonly now: Date;
}

/** What a rule made of an object, or of one address. */
export interface Decision {
  readonly rule: string;
  /** Stable; a table in the docs explains each. */
  readonly code: DecisionCode;
  readonly message: string;
  /** IP. */
  readonly address?: string;
  /** Whether the rule only tells what it would do. */
  readonly audit: boolean;
}

export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path: string;
  readonly value?: unknown;
}

export interface OverrideResult {
  /**
   * The object to store; the very one that came in where nothing changes. Made when it is first asked for, as most hosts want the patch: to be
   * read by its name, for a spread leaves it out.
   */
  readonly object: EndpointsInput | EndpointSliceInput | Endpoints | EndpointSlice;
  readonly changed: boolean;
  /** RFC 6902, from the object that came in. Empty where nothing changes. */
  readonly patch: readonly JsonPatchOperation[];
  /** A rule refuses the write: which one, and why, for the one who wrote. Then the object is the one that came in. */
  readonly refused?: Decision;
  readonly decisions: readonly Decision[];
  /** When something that is held now is let go, as RFC 3339: whoever wrote the object should be asked for it again then. */
  readonly due?: string;
}

/** Rules that were read and found to be sound. */
export interface Overrides {
  readonly rules: readonly string[];
  /** What a host has to give with a request for every rule to be able to match. */
  readonly needs: { readonly service: boolean; readonly pods: boolean; readonly siblings: boolean };
  /**
   * Pure: the same request gives the same result, and a result that is asked about again is not changed again.
   * @throws TypeError naming the field of a request that is none
   */
  apply(request: OverrideRequest): OverrideResult;
}
