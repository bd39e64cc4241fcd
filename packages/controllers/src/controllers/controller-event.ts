import type { PlanReason, SlicePlan } from 'kube-endpoints';
import type { MirrorFigures } from 'kube-endpoints/internal';
import type { Endpoints } from 'kube-endpoints/types';
import type { InformerEvent } from '../cache/index.ts';
import type { RecorderEvent } from '../events/index.ts';
import type { QueueEvent } from '../queue/index.ts';

export type ControllerName = 'endpoints' | 'endpointslices' | 'endpointslicemirroring' | 'service-lb';

/**
 * How a sync ended. `requeued`: the cache was stale, or ownership was lost. `retried`: it failed and is retried with backoff. `dropped`: it
 * failed too often; the key is synced again after 2 or 30 minutes.
 */
export type SyncOutcome = 'success' | 'requeued' | 'retried' | 'dropped';

/** A sync of one Service has ended. */
export interface SyncedEvent {
  readonly kind: 'synced';
  readonly controller: ControllerName;
  readonly key: string;
  readonly outcome: SyncOutcome;
  readonly milliseconds: number;
  readonly writes: number;
  readonly error?: unknown;
  /** Number of consecutive failures of the key, including this one. */
  readonly failures: number;
}

/** A sync of Endpoints has made a plan, and carries it out next, except in a dry run. */
export interface PlannedEndpointsEvent {
  readonly kind: 'planned';
  readonly controller: 'endpoints';
  readonly key: string;
  readonly action: string;
  readonly reasons: readonly PlanReason[];
  /** The object to write, if any. */
  readonly object?: Endpoints;
}

/** A sync of EndpointSlices has made a plan, and carries it out next, except in a dry run. */
export interface PlannedSlicesEvent {
  readonly kind: 'planned';
  readonly controller: 'endpointslices';
  readonly key: string;
  readonly plan: SlicePlan;
  /** Number of slices before the plan is carried out, and the minimum number that would suffice. */
  readonly existing: number;
  readonly desired: number;
  /** Number of endpoints in the slices after the plan is carried out, and how many of them it adds and removes. */
  readonly endpoints?: number;
  readonly added?: number;
  readonly removed?: number;
  /** The topology mode and trafficDistribution of the Service, if it exists. */
  readonly topology?: 'Auto' | 'Disabled';
  readonly trafficDistribution?: string;
}

/** A sync of mirrored EndpointSlices has made a plan, and carries it out next, except in a dry run. */
export interface PlannedMirrorEvent {
  readonly kind: 'planned';
  readonly controller: 'endpointslicemirroring';
  readonly key: string;
  readonly plan: SlicePlan;
  /** Number of mirrored slices before the plan is carried out. */
  readonly existing: number;
  /** Undefined if the Endpoints are not mirrored, or if the cache is stale. */
  readonly figures?: MirrorFigures;
}

/**
 * This replica no longer owns the Service, because another replica owns it or it is deleted. The metrics of this replica then drop its key.
 */
export interface DisownedEvent {
  readonly kind: 'disowned';
  readonly controller: ControllerName;
  readonly key: string;
}

/** The events of the controllers of Endpoints, EndpointSlices and mirrored EndpointSlices, including their caches, queues and Events. */
export type ControllerEvent =
  | SyncedEvent
  | PlannedEndpointsEvent
  | PlannedSlicesEvent
  | PlannedMirrorEvent
  | DisownedEvent
  | InformerEvent
  | QueueEvent<ControllerName>
  | RecorderEvent;

/** Receives the events of the controllers. Must not throw. */
export type ControllerObserver = (event: ControllerEvent) => void;
