import { Pool } from 'undici';

/** How a server on loopback is reached. */
export interface Access {
  readonly url: string;
  readonly token: string;
  readonly ca: string;
}

/** The same client for every server: HTTP/1.1 over TLS, connections kept. */
export interface Client {
  /** Answers with the text. @throws Error for anything but success */
  send(method: string, path: string, body?: string): Promise<string>;
  /** Reads a watch until `lines` events have come, or it is stopped. */
  watch(path: string, lines: number): Watching;
  close(): Promise<void>;
}

export interface Watching {
  /** Once the server has answered. */
  readonly begun: Promise<void>;
  /** Once all events have come. */
  readonly done: Promise<void>;
}

export function connect({ url, token, ca }: Access, connections: number): Client {
  const pool = new Pool(url, { connections, pipelining: 1, connect: { ca }, bodyTimeout: 0, headersTimeout: 60_000 });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json' };
  const request = async (method: string, path: string, body?: string): ReturnType<Pool['request']> => {
    const answer = await pool.request({ method: method as 'GET', path, headers, ...(body !== undefined && { body }) });
    if (answer.statusCode < 400) return answer;
    throw new Error(`${method} ${path}: ${answer.statusCode} ${await answer.body.text()}`);
  };
  return {
    send: async (method, path, body) => (await request(method, path, body)).body.text(),
    watch(path, lines) {
      const answer = request('GET', path);
      const read = async (): Promise<void> => {
        const { body } = await answer;
        let seen = 0;
        for await (const chunk of body as AsyncIterable<Uint8Array>) {
          for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) seen += 1;
          if (seen >= lines) return;
        }
        throw new Error(`${path}: the watch ended after ${seen} of ${lines} events`);
      };
      return { begun: answer.then(() => undefined), done: read() };
    },
    close: () => pool.destroy(),
  };
}

const newline = 10;
