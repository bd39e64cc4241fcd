import type { Exchange } from './exchange.ts';

/**
 * Keeps the requests of a connection in line, one after the other as Go's server does it: a client may count on the order in which
 * its requests are obeyed, and no connection has more than one request under way.
 */
export interface Connections {
  /** @returns whether it is that request's turn; otherwise it waits for the one before to leave. */
  join(exchange: Exchange): boolean;
  /** @returns the one whose turn it is now */
  leave(exchange: Exchange): Exchange | undefined;
}

export function createConnections(): Connections {
  const lines = new WeakMap<object, Line>();
  return {
    join(exchange) {
      const { socket } = exchange.incoming;
      let line = lines.get(socket);
      if (!line) {
        line = { last: undefined, waiting: 0 };
        lines.set(socket, line);
      }
      const before = line.last;
      line.last = exchange;
      if (!before) return true;
      before.next = exchange;
      line.waiting += 1;
      if (line.waiting > mostWaiting) socket.destroy();
      return false;
    },
    leave(exchange) {
      const line = lines.get(exchange.incoming.socket);
      if (!line) return undefined;
      if (line.last === exchange) line.last = undefined;
      if (exchange.next) line.waiting -= 1;
      return exchange.next;
    },
  };
}

interface Line {
  last: Exchange | undefined;
  waiting: number;
}

/** Requests that a client may send ahead, before the connection is closed on it. */
const mostWaiting = 100;
