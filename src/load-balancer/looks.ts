import type { Steps } from './effects.ts';
import type { BalancedNode, BalancedService } from './objects.ts';

/** The looks at the nodes, and what they remember. */
export interface Looks {
  begin(nodes: readonly BalancedNode[]): readonly string[];
  goOn(key: string, nodes: readonly BalancedNode[]): Steps<boolean>;
  /** A sync gives a load balancer these nodes. */
  given(key: string, nodes: readonly BalancedNode[]): void;
  forget(key: string): void;
}

/** What looks share with syncs. */
export interface SyncMemory {
  /** The Services that may have a load balancer. */
  readonly known: ReadonlyMap<string, BalancedService>;
  /** Those that a sync is under way for, with nodes that may be others by now. */
  readonly syncing: ReadonlySet<string>;
}
