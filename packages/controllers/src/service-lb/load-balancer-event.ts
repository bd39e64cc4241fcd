import type { Effect } from 'kube-endpoints/internal';
import type { ControllerEvent } from '../controllers/index.ts';

/** What a cloud is asked. */
export type CloudCall = 'get' | 'ensure' | 'update' | 'delete' | 'list';

/**
 * What became of a call. `late`: given up because there was no answer in time; `released`: given up because the Service is another
 * replica's now, or everything ends. What was given up may take effect all the same.
 */
export type CloudOutcome = 'answered' | 'failed' | 'late' | 'released';

/** A Service, by its key, and what something failed by. */
export interface Owed {
  readonly key: string;
  readonly error: unknown;
}

/** What the service load-balancer controller does, for metrics and logs. */
export type LoadBalancerEvent =
  | {
      readonly kind: 'cloud';
      readonly call: CloudCall;
      /** Of the Service; empty for `list`. */
      readonly key: string;
      readonly outcome: CloudOutcome;
      readonly milliseconds: number;
      readonly error?: unknown;
    }
  | {
      /** One thing that a sync or a look at the nodes comes to, before it is done. */
      readonly kind: 'effect';
      readonly key: string;
      readonly effect: Effect;
      /** Whether it is only told, because nothing is to be changed. */
      readonly dryRun: boolean;
    }
  | {
      /** A look at the nodes: due, begun, ended. */
      readonly kind: 'nodes';
      readonly state: 'due' | 'begun' | 'ended';
      /** Milliseconds: of `begun` since it was due, of `ended` since it was begun. */
      readonly milliseconds: number;
      /** How many Services it went through, and for how many of them it failed; of `ended`. */
      readonly services: number;
      readonly failed: number;
      /** Of `ended`: the Services whose nodes only the next look will bring up to date, and why this one could not. */
      readonly owed?: readonly Owed[];
    }
  | {
      /**
       * A load balancer that no Service wants: `found` where it is only told, else what became of its deletion; `refuted` where the API
       * server has the Service after all.
       */
      readonly kind: 'orphan';
      readonly key: string;
      readonly uid: string;
      readonly outcome: 'found' | 'refuted' | 'deleted' | 'retried';
      readonly error?: unknown;
    };

/** Receives what the controller reports, including its caches, queue, syncs and Events. Must not throw. */
export type LoadBalancerObserver = (event: LoadBalancerEvent | ControllerEvent) => void;
