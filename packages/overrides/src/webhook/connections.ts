import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import { limitConnections } from 'kube-endpoints/internal/apimachinery';
import type { Clock } from 'kube-endpoints/port';
import type { WebhookLimits } from './options.ts';

/** Tracks the connections of a server and the requests in progress. */
export interface Connections {
  /** The number of requests in progress. */
  readonly activeRequestCount: number;
  /** Resolves when no request is in progress, or after the timeout. */
  waitUntilIdle(clock: Clock, milliseconds: number): Promise<void>;
  /** Closes all connections. */
  destroy(): void;
}

/** Tracks the connections of a server, and limits their number. */
export function trackConnections(server: Server, limits: Pick<WebhookLimits, 'connections' | 'headerMs'>): Connections {
  const connections = limitConnections(server, {
    maxConnections: limits.connections,
    tls: { startMs: limits.headerMs, defer: setImmediate },
  });
  const idleCallbacks = new Set<() => void>();
  let activeCount = 0;
  server.on('request', (incoming: IncomingMessage, response: ServerResponse) => {
    activeCount += 1;
    connections.hold(incoming, response);
    response.once('close', () => {
      activeCount -= 1;
      if (activeCount === 0) for (const callback of idleCallbacks) callback();
    });
  });
  return {
    get activeRequestCount() {
      return activeCount;
    },
    waitUntilIdle: (clock, milliseconds) =>
      new Promise((resolve) => {
        if (activeCount === 0) return resolve();
        const finish = (): void => {
          timeout.cancel();
          idleCallbacks.delete(finish);
          resolve();
        };
        const timeout = clock.schedule(finish, milliseconds);
        idleCallbacks.add(finish);
      }),
    destroy: connections.destroy,
  };
}
