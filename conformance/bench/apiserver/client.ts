import { type Connection, open } from './connection.ts';

/** The address and credentials of a server on loopback. */
export interface Access {
  readonly url: string;
  readonly token: string;
  readonly ca: string;
}

/** The same client for every server: HTTP/1.1 over TLS with keep-alive. */
export interface Client {
  /** Returns the body. @throws Error unless the request succeeds */
  send(method: string, path: string, body?: string): Promise<Buffer>;
  /** Reads a watch until it has received a number of events, then ends it, because open watches slow down later writes. */
  watch(path: string, lines: number): Watching;
  close(): void;
}

export interface Watching {
  /** Resolves when the server has answered. */
  readonly begun: Promise<void>;
  /** Resolves when all events have arrived. */
  readonly done: Promise<void>;
}

export function connect({ url, token, ca }: Access): Client {
  const idle: Connection[] = [];
  const all: Connection[] = [];
  const head = `Host: ${new URL(url).host}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nAccept: application/json\r\n`;
  const take = async (): Promise<Connection> => {
    const known = idle.pop();
    if (known) return known;
    const made = await open(url, ca);
    all.push(made);
    return made;
  };
  return {
    async send(method, path, text = '') {
      const connection = await take();
      const request = `${method} ${path} HTTP/1.1\r\n${head}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
      const { code, body } = await connection.send(request);
      idle.push(connection);
      if (code >= 200 && code < 300) return body;
      throw new Error(`${method} ${path}: ${code} ${body.toString()}`);
    },
    watch(path, lines) {
      const { promise: done, resolve } = Promise.withResolvers<void>();
      let seen = 0;
      const begun = take().then(async (connection) => {
        const code = await connection.stream(`GET ${path} HTTP/1.1\r\n${head}\r\n`, (piece) => {
          seen += eventsIn(piece);
          if (seen < lines) return;
          connection.close();
          resolve();
        });
        if (code !== 200) throw new Error(`${path}: ${code}`);
      });
      return { begun, done };
    },
    close() {
      for (const connection of all) connection.close();
    },
  };
}

/** Events end with a line feed; chunk headers end with carriage return and line feed. */
function eventsIn(piece: Buffer): number {
  let count = 0;
  for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) if (piece[at - 1] !== 13) count += 1;
  return count;
}
