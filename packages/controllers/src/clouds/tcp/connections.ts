import type { Clock } from 'kube-endpoints/port';
import type { Forwarded } from './forward.ts';

/** The connections of one load balancer; the limit applies to all load balancers together. */
export interface Connections {
  readonly size: number;
  /** Whether another connection is allowed. */
  readonly hasRoom: boolean;
  /** @param listener the address and port on which it came in */
  add(connection: Forwarded, listener: string): void;
  delete(connection: Forwarded): void;
  /** Number of connections by node name. */
  byNode(): ReadonlyMap<string, number>;
  /** Closes the connections of the given places, or all if undefined, after so many milliseconds. */
  drain(listeners: ReadonlySet<string> | undefined, clock: Clock, milliseconds: number): void;
  destroy(): void;
  /** Resolves when no connection is left. */
  idle(): Promise<void>;
}

/** The number of connections of all load balancers, and its limit. */
export interface Budget {
  readonly max: number;
  used: number;
}

export function createConnections(budget: Budget): Connections {
  const all = new Map<Forwarded, string>();
  const drains = new Set<{ readonly left: Set<Forwarded>; readonly timer: { cancel(): void } }>();
  const waiting: (() => void)[] = [];
  return {
    get size() {
      return all.size;
    },
    get hasRoom() {
      return budget.used < budget.max;
    },
    add(connection, listener) {
      all.set(connection, listener);
      budget.used += 1;
    },
    delete(connection) {
      if (all.delete(connection)) budget.used -= 1;
      if (all.size === 0) for (const resume of waiting.splice(0)) resume();
      for (const drain of drains) {
        drain.left.delete(connection);
        if (drain.left.size > 0) continue;
        drain.timer.cancel();
        drains.delete(drain);
      }
    },
    byNode() {
      const counts = new Map<string, number>();
      for (const { target } of all.keys()) if (target) counts.set(target.node, (counts.get(target.node) ?? 0) + 1);
      return counts;
    },
    drain(listeners, clock, milliseconds) {
      const left = new Set([...all].flatMap(([connection, listener]) => (listeners?.has(listener) === false ? [] : [connection])));
      if (left.size === 0) return;
      const act = (): void => {
        drains.delete(drain);
        for (const connection of left) connection.destroy();
      };
      const drain = { left, timer: clock.schedule(act, milliseconds) };
      drains.add(drain);
    },
    destroy() {
      for (const connection of all.keys()) connection.destroy();
    },
    idle: () => (all.size === 0 ? Promise.resolve() : new Promise((resolve) => void waiting.push(resolve))),
  };
}
