import { type ConnectionEntry, createConnectionLimiter } from './connections.ts';

/** The connections of a server, which are closed in favor of others as `createConnectionLimiter` says. */
export interface ServerConnections {
  /** Keeps the connection of a request open from the end of the request until its response is closed. */
  hold(request: ReceivedRequest, response: { once(event: 'close', listener: () => void): unknown }): void;
  /** Closes all connections. */
  destroy(): void;
}

export interface ConnectionOptions {
  readonly maxConnections: number;
  /** Absent for a server without TLS. */
  readonly tls?: TlsOptions;
}

interface TlsOptions {
  /** Milliseconds in which a client must begin the handshake. */
  readonly startMs: number;
  /** Calls back after the pending input is processed: `setImmediate`. */
  readonly defer: (callback: () => void) => void;
}

/**
 * Limits the connections of a server of node:http or node:https. TLS starts when a client sends its first bytes, because starting it takes
 * many times as long as accepting a connection: connections without any data would delay all other clients.
 */
export function limitConnections<Socket extends ServerSocket>(server: SocketServer<Socket>, options: ConnectionOptions): ServerConnections {
  const limiter = createConnectionLimiter<Socket>({ maxConnections: options.maxConnections, close: (socket) => socket.destroy() });
  const entries = new WeakMap<object, ConnectionEntry<Socket>>();
  const serve = takeOver(server, 'connection');
  const startTls = options.tls && prepareTls(server, serve, entries, options.tls);
  server.on('connection', (socket) => {
    // An error closes the connection; without a listener it would end the process.
    socket.on('error', () => undefined);
    const entry = limiter.add(socket, socket.remoteAddress ?? '');
    if (!entry) return;
    socket.on('close', () => limiter.remove(entry));
    entries.set(socket, entry);
    if (startTls) startTls(socket, entry);
    else serve(socket);
  });
  return {
    hold(request, response) {
      const entry = entries.get(request.socket);
      if (!entry) return;
      let isClosed = false;
      const begin = (): void => {
        if (isClosed) return;
        limiter.begin(entry);
        response.once('close', () => limiter.end(entry));
      };
      if (!hasBody(request)) return begin();
      limiter.touch(entry);
      response.once('close', () => {
        isClosed = true;
      });
      request.once('end', begin);
    },
    destroy() {
      for (const { connection } of limiter.entries) connection.destroy();
    },
  };
}

/** Whether a request has several Host headers, which Go's servers refuse. @param rawHeaders names and values in turn */
export function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count > 1;
}

const hasBody = ({ headers }: ReceivedRequest): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Removes the only listener of an event, and returns a function that calls it. */
function takeOver<Socket>(server: SocketServer<Socket>, event: string): (socket: Socket) => void {
  const [listener] = server.listeners(event) as [(this: unknown, socket: Socket) => void];
  server.removeAllListeners(event);
  return (socket) => listener.call(server, socket);
}

/** Returns a function that waits for the first bytes of a connection, and then starts TLS. */
function prepareTls<Socket extends ServerSocket>(
  server: SocketServer<Socket>,
  serve: (socket: Socket) => void,
  entries: WeakMap<object, ConnectionEntry<Socket>>,
  { startMs, defer }: TlsOptions,
): (socket: Socket, entry: ConnectionEntry<Socket>) => void {
  // A TLS socket does not refer to its raw socket, but has the same addresses.
  const entriesInHandshake = new Map<string, ConnectionEntry<Socket>>();
  server.prependListener('secureConnection', (socket) => {
    const entry = entriesInHandshake.get(keyOf(socket));
    if (entry) entries.set(socket, entry);
    else socket.destroy();
  });
  const queue = createTurns<ConnectionEntry<Socket>>(defer, (entry) => {
    const socket = entry.connection;
    const key = keyOf(socket);
    entriesInHandshake.set(key, entry);
    socket.on('close', () => entriesInHandshake.delete(key));
    socket.setTimeout(0);
    serve(socket);
  });
  return (socket, entry) => {
    queue.yield();
    socket.on('timeout', () => socket.destroy());
    socket.setTimeout(startMs);
    socket.once('readable', () => {
      if (socket.readableLength === 0) {
        socket.destroy();
        return;
      }
      queue.add(entry);
      socket.on('close', () => queue.delete(entry));
    });
  };
}

/** Work on connections, one at a time, for each address in turn. */
interface Turns<Entry> {
  add(entry: Entry): void;
  delete(entry: Entry): void;
  /** Lets the event loop accept another connection before the next turn. */
  yield(): void;
}

/**
 * Starting a handshake takes ten times as long as accepting a connection. Without turns, the clients of one address could use up the time,
 * and connections of others would wait in the backlog.
 */
function createTurns<Entry extends { readonly address: string }>(defer: TlsOptions['defer'], work: (entry: Entry) => void): Turns<Entry> {
  const waiting = new Map<string, Set<Entry>>();
  let isScheduled = false;
  let mustYield = false;
  let yieldCount = 0;
  const schedule = (): void => {
    if (!isScheduled) defer(takeTurn);
    isScheduled = true;
  };
  const takeTurn = (): void => {
    isScheduled = false;
    const [next] = waiting;
    if (!next) return;
    schedule();
    if (mustYield && yieldCount < maxYields) {
      mustYield = false;
      yieldCount += 1;
      return;
    }
    yieldCount = 0;
    const [address, entries] = next;
    const [entry] = entries as Set<Entry> & [Entry];
    // Moves the address to the end.
    waiting.delete(address);
    entries.delete(entry);
    if (entries.size > 0) waiting.set(address, entries);
    work(entry);
  };
  return {
    add(entry) {
      waiting.set(entry.address, (waiting.get(entry.address) ?? new Set()).add(entry));
      schedule();
    },
    delete(entry) {
      const entries = waiting.get(entry.address);
      if (entries?.delete(entry) && entries.size === 0) waiting.delete(entry.address);
    },
    yield() {
      mustYield = true;
    },
  };
}

/** Number of accepted connections for which a turn waits. */
const maxYields = 16;

const keyOf = ({ remoteAddress, remotePort, localAddress }: ServerSocket): string => `${remoteAddress} ${remotePort} ${localAddress}`;

/** The parts of a request of node:http that are used here. */
interface ReceivedRequest {
  readonly socket: object;
  readonly headers: { readonly 'content-length'?: string | undefined; readonly 'transfer-encoding'?: string | undefined };
  once(event: 'end', listener: () => void): unknown;
}

/** The parts of a socket of node:net or node:tls that are used here. */
interface ServerSocket {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  readonly localAddress?: string | undefined;
  readonly readableLength: number;
  on(event: 'close' | 'error' | 'timeout', listener: () => void): unknown;
  once(event: 'readable', listener: () => void): unknown;
  setTimeout(milliseconds: number): unknown;
  destroy(): unknown;
}

/** The parts of a server of node:http or node:https that are used here. */
interface SocketServer<Socket> {
  listeners(event: string): readonly unknown[];
  removeAllListeners(event: string): unknown;
  on(event: 'connection', listener: (socket: Socket) => void): unknown;
  prependListener(event: 'secureConnection', listener: (socket: Socket) => void): unknown;
}
