import type { EndpointsInput, Pod, Service } from 'kube-endpoints/types';

/** What changes before a sync; what is absent stays as it is. */
export interface Step {
  readonly service?: Service;
  readonly serviceDeleted?: true;
  /** Every pod there is from now on. */
  readonly pods?: readonly Pod[];
  /** The object that somebody else put in the place of the one that was there. */
  readonly endpoints?: EndpointsInput;
}

/** The state before the first sync, and what changes before each further one. What a sync writes is there for the next. */
export interface Case {
  readonly id: string;
  readonly service: Service;
  readonly pods: readonly Pod[];
  readonly endpoints?: EndpointsInput;
  readonly steps?: readonly Step[];
}

/** One write to the API: create and update carry the object, without what only an API server sets; delete the name. */
export interface Write {
  readonly verb: 'create' | 'update' | 'delete';
  readonly object?: EndpointsInput;
  readonly name?: string;
}

/** What one sync of an oracle did. */
export interface Outcome {
  readonly endpoints: readonly Write[];
  readonly error?: string;
  readonly panic?: boolean;
}

/** An oracle's answer to a case: the first sync, and the steps. */
export interface Result extends Outcome {
  readonly id: string;
  readonly steps?: readonly Outcome[];
}

/** All syncs of a result, the first one first. */
export const outcomesOf = (result: Result): readonly Outcome[] => [result, ...(result.steps ?? [])];
