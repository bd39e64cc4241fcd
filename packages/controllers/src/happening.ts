import type { PlanReason, SlicePlan } from 'kube-endpoints';
import type { Endpoints } from 'kube-endpoints/types';
import type { InformerState } from './cache/cache.ts';
import type { EventHappening } from './events/event.ts';
import type { QueueHappening } from './queue/queue.ts';
import type { BalancingHappening } from './service-lb/happening.ts';

export type ControllerName = 'endpoints' | 'endpointslices' | 'service-lb';

/** How a sync ended. `requeued`: to come again though nothing failed; `dropped`: failed too often, given up until something changes. */
export type SyncOutcome = 'success' | 'requeued' | 'retried' | 'dropped';

/** What happens in the runtime, for metrics, logs, traces and progress. */
export type Happening =
  | {
      readonly kind: 'informer';
      readonly resource: string;
      readonly state: InformerState;
      readonly objects: number;
      /** Of `waiting`: what went wrong, and for how many milliseconds it waits. */
      readonly error?: unknown;
      readonly delay?: number;
    }
  | QueueHappening<ControllerName>
  | {
      readonly kind: 'synced';
      readonly controller: ControllerName;
      readonly key: string;
      readonly outcome: SyncOutcome;
      readonly milliseconds: number;
      readonly writes: number;
      readonly error?: unknown;
      /** How often the key has failed in a row, this time included. */
      readonly failures: number;
    }
  | {
      readonly kind: 'planned';
      readonly controller: 'endpoints';
      readonly key: string;
      readonly action: string;
      readonly reasons: readonly PlanReason[];
      /** What is to be written, where there is something. */
      readonly object?: Endpoints;
    }
  | {
      readonly kind: 'planned';
      readonly controller: 'endpointslices';
      readonly key: string;
      readonly plan: SlicePlan;
      /** How many slices there are before the plan is carried out, and how few would do. */
      readonly there: number;
      readonly desired: number;
      /** How many endpoints the slices hold once it is; how many of these are new, and how many go. */
      readonly endpoints?: number;
      readonly added?: number;
      readonly removed?: number;
      /** What the Service asks for, as far as it is there. */
      readonly topology?: 'Auto' | 'Disabled';
      readonly trafficDistribution?: string;
    }
  | {
      /** A Service is none of this replica's any more: it is another's, or gone. What is counted of it counts there. */
      readonly kind: 'disowned';
      readonly controller: ControllerName;
      readonly key: string;
    }
  | {
      readonly kind: 'request';
      readonly verb: 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deleteCollection';
      readonly resource: string;
      /** The HTTP status; 0 where there was no answer. */
      readonly code: number;
      readonly milliseconds: number;
    }
  | {
      readonly kind: 'leadership';
      readonly identity: string;
      readonly leads: boolean;
      readonly leader: string | undefined;
      readonly error?: unknown;
    }
  | {
      readonly kind: 'shards';
      readonly identity: string;
      /** The replicas that share the Services; empty where this one has no part: its Lease does not stand yet, or was not renewed in time. */
      readonly members: readonly string[];
      /** What keeps Leases from being written, listed or given back. Told when that begins and, without it, when it has ceased. */
      readonly error?: unknown;
    }
  | {
      /** A controller that was asked for cannot run; the others do without it. */
      readonly kind: 'missing';
      readonly controller: ControllerName;
      readonly error: unknown;
    }
  | BalancingHappening
  | EventHappening;

/** Is told what happens, at once. Must not throw. */
export type Tell = (happening: Happening) => void;
