import type { ControllerEvent, ControllerName } from '../controllers/index.ts';
import type { LeadershipEvent } from '../election/index.ts';
import type { ThrottledEvent } from '../rate-limit/index.ts';
import type { LoadBalancerEvent } from '../service-lb/index.ts';
import type { ShardsEvent } from '../sharding/index.ts';

/** A requested controller cannot run; the others run without it. */
export interface MissingEvent {
  readonly kind: 'missing';
  readonly controller: ControllerName;
  readonly error: unknown;
}

/** A request to the API server has ended. Reported by a port made with `observePort`. */
export interface RequestEvent {
  readonly kind: 'request';
  readonly verb: 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deleteCollection';
  readonly resource: string;
  /** The HTTP status; 0 if there was no answer. */
  readonly code: number;
  readonly milliseconds: number;
}

/** Everything that a host reports, for metrics, logs, traces and progress. */
export type RuntimeEvent =
  | ControllerEvent
  | LoadBalancerEvent
  | LeadershipEvent
  | ShardsEvent
  | MissingEvent
  | RequestEvent
  | ThrottledEvent;

/** The events of one kind. */
export type EventOf<Kind extends RuntimeEvent['kind']> = Extract<RuntimeEvent, { kind: Kind }>;

/** Receives each event as it happens. Must not throw. */
export type Observer = (event: RuntimeEvent) => void;
