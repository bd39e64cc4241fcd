import { createServer, type Socket } from 'node:net';
import { CloudError } from 'kube-endpoints/load-balancer';
import type { Demand } from '../demand.ts';

/** The ports that a load balancer listens to. */
export interface Listeners {
  /**
   * Listens to what is missing of the ports; where one cannot be, to none of them, and all is as before.
   * @param check throws where it is not to go on
   * @throws CloudError
   */
  open(demand: Demand, address: string, check: () => void): Promise<Opened>;
  close(): void;
}

/** Ports that are listened to, not yet instead of those before. */
export interface Opened {
  /** Whether there are any that were not there before. */
  readonly any: boolean;
  /** Ends the others. Gives their places. */
  keep(): ReadonlySet<string>;
}

/** @param accept a connection that came in by a place, which is a port of an address */
export function createListeners(accept: (client: Socket, place: string, port: number) => void): Listeners {
  const open = new Map<string, Listener>();
  const closeAll = (places: Iterable<string>): void => {
    for (const place of places) {
      open.get(place)?.close();
      open.delete(place);
    }
  };
  return {
    async open(demand, address, check) {
      const { namespace, name } = demand.reference;
      const wanted = new Set<string>();
      const opened: string[] = [];
      try {
        for (const { port, path } of demand.ports) {
          check();
          const place = `${address}:${port}`;
          wanted.add(place);
          if (open.has(place)) continue;
          const owner = `Service ${namespace}/${name}: ${path}`;
          open.set(place, await listen({ address, port, owner, accept: (client) => accept(client, place, port) }));
          opened.push(place);
        }
        check();
      } catch (error) {
        closeAll(opened);
        throw error;
      }
      return {
        any: opened.length > 0,
        keep() {
          const others = [...open.keys()].filter((place) => !wanted.has(place));
          closeAll(others);
          return new Set(others);
        },
      };
    },
    close: () => closeAll([...open.keys()]),
  };
}

/** A port that is listened to. */
export interface Listener {
  /** Takes no more connections; those there are go on. */
  close(): void;
}

export interface Listening {
  readonly address: string;
  readonly port: number;
  /** The connection is paused: nothing has been read of it. */
  readonly accept: (client: Socket) => void;
  /** In messages: whose port it is. */
  readonly owner: string;
}

/** @throws CloudError `Failed` */
export function listen({ address, port, accept, owner }: Listening): Promise<Listener> {
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true, keepAlive: true, keepAliveInitialDelay: 30_000 });
  server.on('connection', accept);
  return new Promise((resolve, reject) => {
    const refuse = (cause: NodeJS.ErrnoException): void => {
      const hint = hints[cause.code ?? ''] ?? cause.message;
      reject(new CloudError('Failed', `${owner} cannot listen on ${address}:${port}: ${hint}`, { cause }));
    };
    server.once('error', refuse);
    server.listen({ host: address, port, exclusive: true }, () => {
      server.off('error', refuse);
      // A connection that could not be taken: the next may be.
      server.on('error', () => {});
      resolve({ close: () => void server.close() });
    });
  });
}

const hints: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program does: stop it, or give another port (EADDRINUSE)',
  EADDRNOTAVAIL: 'the address is not of this machine: give addresses of a loopback range (EADDRNOTAVAIL)',
  EACCES: 'this process may not take ports below 1024: give another port, or give it the right to (EACCES)',
};
