import type { EndpointsInput, Pod, Service } from 'kube-endpoints/types';

/** Changes before a sync; absent fields stay unchanged. */
export interface Step {
  readonly service?: Service;
  readonly serviceDeleted?: true;
  /** All pods from now on. */
  readonly pods?: readonly Pod[];
  /** The object by which another client replaced the existing one. */
  readonly endpoints?: EndpointsInput;
}

/** The state before the first sync, and the changes before each further one. Each sync sees the writes of the previous ones. */
export interface Case {
  readonly id: string;
  readonly service: Service;
  readonly pods: readonly Pod[];
  readonly endpoints?: EndpointsInput;
  readonly steps?: readonly Step[];
}

/** One API write. A create or update has the object, without server-managed fields; a delete has the name. */
export interface Write {
  readonly verb: 'create' | 'update' | 'delete';
  readonly object?: EndpointsInput;
  readonly name?: string;
}

/** The result of one sync. */
export interface Outcome {
  /** Writes of Endpoints, in order. */
  readonly endpoints: readonly Write[];
  readonly error?: string;
  readonly panic?: boolean;
}

/** An oracle's answer to a case: the first sync, and the steps. */
export interface Result extends Outcome {
  readonly id: string;
  readonly steps?: readonly Outcome[];
}

/** The outcomes of all syncs, in order. */
export const outcomesOf = (result: Result): readonly Outcome[] => [result, ...(result.steps ?? [])];
