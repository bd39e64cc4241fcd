import type { Effect } from 'kube-endpoints/internal';
import type { ControllerEvent } from '../controllers/index.ts';

/** The calls to a cloud. */
export type CloudCall = 'get' | 'ensure' | 'update' | 'delete' | 'list';

/**
 * The outcome of a call. `late`: timed out; `released`: aborted because this replica lost the Service or the controller is stopping.
 * A `late` or `released` call may still take effect.
 */
export type CloudOutcome = 'answered' | 'failed' | 'late' | 'released';

/** The key of a Service, and the error of its update. */
export interface PendingUpdate {
  readonly key: string;
  readonly error: unknown;
}

/** An event that the service load-balancer controller reports, for metrics and logs. */
export type LoadBalancerEvent =
  | {
      readonly kind: 'cloud';
      readonly call: CloudCall;
      /** Key of the Service; empty for `list`. */
      readonly key: string;
      readonly outcome: CloudOutcome;
      readonly milliseconds: number;
      readonly error?: unknown;
    }
  | {
      /** One step of a sync or a node sync, reported before it is carried out. */
      readonly kind: 'effect';
      readonly key: string;
      readonly effect: Effect;
      /** Whether the step is only reported and not carried out. */
      readonly dryRun: boolean;
    }
  | {
      /** A node sync became due, began, or ended. */
      readonly kind: 'nodes';
      readonly state: 'due' | 'begun' | 'ended';
      /** For `begun`: milliseconds since it became due. For `ended`: milliseconds since it began. */
      readonly milliseconds: number;
      /** For `ended`: the number of Services processed, and how many of them failed. */
      readonly services: number;
      readonly failed: number;
      /** For `ended`: the Services whose update failed and is repeated with the next node sync. */
      readonly pending?: readonly PendingUpdate[];
    }
  | {
      /**
       * A load balancer without a Service. `found`: only reported (dry run); `refuted`: the API server still has the Service;
       * `deleted` or `retried`: the outcome of its deletion.
       */
      readonly kind: 'orphan';
      readonly key: string;
      readonly uid: string;
      readonly outcome: 'found' | 'refuted' | 'deleted' | 'retried';
      readonly error?: unknown;
    };

/** Receives the events of the controller, including those of its caches, queue, syncs and Kubernetes Events. Must not throw. */
export type LoadBalancerObserver = (event: LoadBalancerEvent | ControllerEvent) => void;
