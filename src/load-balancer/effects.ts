import type { BalancedNode, BalancedService } from './objects.ts';

/** One thing that a sync wants done, before it goes on. */
export type Effect =
  /** Answered with the status, or undefined where there is no load balancer. */
  | { readonly do: 'get'; readonly service: BalancedService }
  /** Answered with the status, which has yet to be checked. */
  | { readonly do: 'ensure'; readonly service: BalancedService; readonly nodes: readonly BalancedNode[] }
  | { readonly do: 'update'; readonly service: BalancedService; readonly nodes: readonly BalancedNode[] }
  | { readonly do: 'delete'; readonly service: BalancedService }
  /** A strategic merge patch of the status subresource, finalizers included. */
  | { readonly do: 'patch'; readonly service: BalancedService; readonly patch: Readonly<Record<string, unknown>> }
  | EventEffect;

/** An Event about the Service; nothing to wait for. */
export interface EventEffect {
  readonly do: 'event';
  readonly service: BalancedService;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/**
 * A sync as a plan that goes step by step: gives the next effect, and is given its answer by `next`, or its error by `throw`.
 * What it throws itself is a SyncError.
 */
export type Steps<Result> = Generator<Effect, Result, unknown>;
