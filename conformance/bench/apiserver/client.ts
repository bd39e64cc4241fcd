import { type Connection, openConnection } from './connection.ts';

/** The address and credentials of a server on loopback. */
export interface Access {
  readonly url: string;
  readonly token: string;
  readonly ca: string;
}

/** An HTTP/1.1 client over TLS with keep-alive, the same for every server. */
export interface Client {
  /** Returns the body. @throws Error unless the request succeeds */
  send(method: string, path: string, body?: string): Promise<Buffer>;
  /** Reads a watch until `eventCount` events have arrived, then closes its connection, because open watches slow down later writes. */
  watch(path: string, eventCount: number): WatchProgress;
  close(): void;
}

export interface WatchProgress {
  /** Resolves when the server has sent the response headers. */
  readonly started: Promise<void>;
  /** Resolves when all events have arrived. */
  readonly completed: Promise<void>;
}

export function connect({ url, token, ca }: Access): Client {
  const idleConnections: Connection[] = [];
  const connections: Connection[] = [];
  const head = `Host: ${new URL(url).host}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nAccept: application/json\r\n`;
  const acquire = async (): Promise<Connection> => {
    const reused = idleConnections.pop();
    if (reused) return reused;
    const opened = await openConnection(url, ca);
    connections.push(opened);
    return opened;
  };
  return {
    async send(method, path, text = '') {
      const connection = await acquire();
      const request = `${method} ${path} HTTP/1.1\r\n${head}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
      const { code, body } = await connection.send(request);
      idleConnections.push(connection);
      if (code >= 200 && code < 300) return body;
      throw new Error(`${method} ${path}: ${code} ${body.toString()}`);
    },
    watch(path, eventCount) {
      const { promise: completed, resolve } = Promise.withResolvers<void>();
      let receivedCount = 0;
      const started = acquire().then(async (connection) => {
        const code = await connection.stream(`GET ${path} HTTP/1.1\r\n${head}\r\n`, (piece) => {
          receivedCount += countEvents(piece);
          if (receivedCount < eventCount) return;
          connection.close();
          resolve();
        });
        if (code !== 200) throw new Error(`${path}: ${code}`);
      });
      return { started, completed };
    },
    close() {
      for (const connection of connections) connection.close();
    },
  };
}

/** Events end with a line feed; chunk headers end with carriage return and line feed. */
function countEvents(piece: Buffer): number {
  let count = 0;
  for (let offset = piece.indexOf(10); offset >= 0; offset = piece.indexOf(10, offset + 1)) if (piece[offset - 1] !== 13) count += 1;
  return count;
}
