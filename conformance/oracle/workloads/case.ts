import type { ApiObject, Status } from 'kube-endpoints/port';

/** The history of a cluster with one controller. Time starts at `startTime`. */
export interface WorkloadCase {
  readonly id: string;
  /** The objects at the start, before the controller runs. */
  readonly objects: readonly ApiObject[];
  /** Whether a deleted Pod stays, with a deletionTimestamp, until the case deletes it. */
  readonly gracefulPods: boolean;
  readonly steps: readonly WorkloadStep[];
}

/** Simultaneous changes by other clients; then the controller runs for some time. */
export interface WorkloadStep {
  readonly changes?: readonly WorkloadChange[];
  /** The API server's answers to the controller's next matching writes. They end with the step. */
  readonly failures?: readonly WriteFailure[];
  /** Kinds whose watch events arrive after this step only. */
  readonly hold?: readonly string[];
  /** How long the controller runs. With 0, it runs until it is idle. */
  readonly advanceMs: number;
}

/**
 * A change by another client: an object that replaces the stored one, with its status and generation; a JSON merge patch of the whole object,
 * with its status; the binding of a Pod to the node that its affinity selects; the status of the nth ReplicaSet when all of its Pods exist; or
 * a deletion without grace. A change of an absent object has no effect.
 */
export type WorkloadChange =
  | { readonly put: ApiObject }
  | { readonly merge: ChangeTarget & { readonly patch: object } }
  | { readonly bind: ChangeTarget }
  | { readonly settle: Settling }
  | { readonly delete: ChangeTarget };

export interface Settling {
  readonly nth: number;
  /** The number of Pods that are not ready. */
  readonly unready: number;
  /** The number of Pods that are not available. */
  readonly unavailable: number;
  readonly terminating: number;
}

/** An object: by name, or the nth one of its kind, modulo their number, in the order of their keys. */
export interface ChangeTarget {
  readonly kind: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly nth?: number;
}

export interface WriteFailure {
  readonly verb: WriteVerb;
  readonly kind: string;
  readonly subresource?: string;
  /** By default, all objects. */
  readonly name?: string;
  /** The number of matching writes that succeed before; 0 by default. */
  readonly skip?: number;
  readonly times: number;
  readonly status: Status;
}

export type WriteVerb = 'create' | 'update' | 'patch' | 'delete';

export interface WorkloadAnswer {
  readonly id: string;
  readonly steps: readonly WorkloadStepAnswer[];
}

export interface WorkloadStepAnswer {
  readonly writes: readonly RecordedWrite[];
  /** Before client-go aggregates and limits them. */
  readonly events: readonly RecordedEvent[];
}

export interface RecordedWrite {
  /** Milliseconds since the start. */
  readonly at: number;
  readonly verb: WriteVerb;
  readonly kind: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** The object without kind and apiVersion, the patch, or the options of the deletion. */
  readonly body?: unknown;
  /** The reason of the API server's answer. */
  readonly failed?: string;
}

export interface RecordedEvent {
  readonly at: number;
  readonly kind: string;
  readonly name: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

/** Shortly after the start of virtual time in Go's package testing/synctest; go/world.go says why. */
export const startTime: number = Date.UTC(2000, 0, 1, 0, 0, 0, 251);
