import type { Clock } from 'kube-endpoints/port';
import type { ForwardedConnection } from './forward.ts';

/** The connections of one load balancer; the limit applies to all load balancers together. */
export interface Connections {
  readonly size: number;
  /** Whether the limit allows one more connection. */
  readonly hasRoom: boolean;
  /** @param listener the address and port that accepted the connection, such as "127.0.77.1:80" */
  add(connection: ForwardedConnection, listener: string): void;
  delete(connection: ForwardedConnection): void;
  /** Number of connections by node name. */
  countByNode(): ReadonlyMap<string, number>;
  /** Closes the connections of these listeners, or all connections if undefined, after a delay in milliseconds. */
  drain(listeners: ReadonlySet<string> | undefined, clock: Clock, milliseconds: number): void;
  destroy(): void;
  /** Resolves when there are no connections. */
  waitUntilIdle(): Promise<void>;
}

/** The number of connections of all load balancers, and its limit. */
export interface Budget {
  readonly max: number;
  used: number;
}

export function createConnections(budget: Budget): Connections {
  const listenerByConnection = new Map<ForwardedConnection, string>();
  const drains = new Set<{ readonly remaining: Set<ForwardedConnection>; readonly timer: { cancel(): void } }>();
  const idleWaiters: (() => void)[] = [];
  return {
    get size() {
      return listenerByConnection.size;
    },
    get hasRoom() {
      return budget.used < budget.max;
    },
    add(connection, listener) {
      listenerByConnection.set(connection, listener);
      budget.used += 1;
    },
    delete(connection) {
      if (listenerByConnection.delete(connection)) budget.used -= 1;
      if (listenerByConnection.size === 0) for (const resolve of idleWaiters.splice(0)) resolve();
      for (const drain of drains) {
        drain.remaining.delete(connection);
        if (drain.remaining.size > 0) continue;
        drain.timer.cancel();
        drains.delete(drain);
      }
    },
    countByNode() {
      const counts = new Map<string, number>();
      for (const { target } of listenerByConnection.keys()) if (target) counts.set(target.node, (counts.get(target.node) ?? 0) + 1);
      return counts;
    },
    drain(listeners, clock, milliseconds) {
      const remaining = new Set(
        [...listenerByConnection].flatMap(([connection, listener]) => (listeners?.has(listener) === false ? [] : [connection])),
      );
      if (remaining.size === 0) return;
      const destroyRemaining = (): void => {
        drains.delete(drain);
        for (const connection of remaining) connection.destroy();
      };
      const drain = { remaining, timer: clock.schedule(destroyRemaining, milliseconds) };
      drains.add(drain);
    },
    destroy() {
      for (const connection of listenerByConnection.keys()) connection.destroy();
    },
    waitUntilIdle: () => (listenerByConnection.size === 0 ? Promise.resolve() : new Promise((resolve) => void idleWaiters.push(resolve))),
  };
}
