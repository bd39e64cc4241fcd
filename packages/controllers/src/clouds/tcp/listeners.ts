import { createServer, type Socket } from 'node:net';
import { CloudError } from 'kube-endpoints/load-balancer';
import type { Demand } from '../demand.ts';

/** The listening ports of a load balancer. */
export interface Listeners {
  /**
   * Listens on the ports that are not open yet. If one fails, closes the newly opened ports again.
   * @param throwIfStopped throws if the work must stop
   * @throws CloudError
   */
  open(demand: Demand, address: string, throwIfStopped: () => void): Promise<OpenedListeners>;
  close(): void;
}

/** The newly opened ports. The previous ports are still open, too. */
export interface OpenedListeners {
  /** Whether any port was newly opened. */
  readonly hasNewPorts: boolean;
  /** Closes the ports that are no longer requested, and returns their listeners, written as address:port. */
  closeObsoletePorts(): ReadonlySet<string>;
}

/** @param accept receives a connection and its listener, written as address:port */
export function createListeners(accept: (client: Socket, listener: string, port: number) => void): Listeners {
  const openListeners = new Map<string, Listener>();
  const closeAll = (listeners: Iterable<string>): void => {
    for (const listener of listeners) {
      openListeners.get(listener)?.close();
      openListeners.delete(listener);
    }
  };
  return {
    async open(demand, address, throwIfStopped) {
      const { namespace, name } = demand.reference;
      const requestedListeners = new Set<string>();
      const newListeners: string[] = [];
      try {
        for (const { port, path } of demand.ports) {
          throwIfStopped();
          const listener = `${address}:${port}`;
          requestedListeners.add(listener);
          if (openListeners.has(listener)) continue;
          const owner = `Service ${namespace}/${name}: ${path}`;
          openListeners.set(listener, await listen({ address, port, owner, accept: (client) => accept(client, listener, port) }));
          newListeners.push(listener);
        }
        throwIfStopped();
      } catch (error) {
        closeAll(newListeners);
        throw error;
      }
      return {
        hasNewPorts: newListeners.length > 0,
        closeObsoletePorts() {
          const obsoleteListeners = [...openListeners.keys()].filter((listener) => !requestedListeners.has(listener));
          closeAll(obsoleteListeners);
          return new Set(obsoleteListeners);
        },
      };
    },
    close: () => closeAll([...openListeners.keys()]),
  };
}

/** A listening port. */
export interface Listener {
  /** Accepts no more connections; existing ones continue. */
  close(): void;
}

export interface ListenOptions {
  readonly address: string;
  readonly port: number;
  /** Receives paused connections whose data has not been read. */
  readonly accept: (client: Socket) => void;
  /** The owner of the port, for error messages. */
  readonly owner: string;
}

/** @throws CloudError `Failed` */
export function listen({ address, port, accept, owner }: ListenOptions): Promise<Listener> {
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true, keepAlive: true, keepAliveInitialDelay: 30_000 });
  server.on('connection', accept);
  return new Promise((resolve, reject) => {
    const onError = (cause: NodeJS.ErrnoException): void => {
      const hint = hints[cause.code ?? ''] ?? cause.message;
      reject(new CloudError('Failed', `${owner} cannot listen on ${address}:${port}: ${hint}`, { cause }));
    };
    server.once('error', onError);
    server.listen({ host: address, port, exclusive: true }, () => {
      server.off('error', onError);
      // One connection could not be accepted; the next one may succeed.
      server.on('error', () => {});
      resolve({ close: () => void server.close() });
    });
  });
}

const hints: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there: stop it, or give another port (EADDRINUSE)',
  EADDRNOTAVAIL: 'this machine does not have the address: give addresses of a loopback range (EADDRNOTAVAIL)',
  EACCES: 'this process may not listen on ports below 1024: give another port, or grant it the permission (EACCES)',
};
