import { Agent, request } from 'node:https';
import type { Target } from './target.ts';

export interface Sent {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface Answered {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** A streamed answer, line by line. */
export interface Streamed {
  readonly code: number;
  readonly headers: Answered['headers'];
  readonly lines: AsyncIterableIterator<string>;
  close(): void;
}

export interface Http {
  send(sent: Sent): Promise<Answered>;
  stream(sent: Sent): Promise<Streamed>;
  close(): void;
}

const TIMEOUT_MS = 60_000;

/** HTTPS requests to a target. Adds token, Accept and User-Agent unless the request sets them. */
export function connectTo(target: Target): Http {
  const { hostname, port } = new URL(target.url);
  const agent = new Agent({ keepAlive: true, maxSockets: 8, ca: target.ca });
  const optionsOf = ({ method, path, headers, body }: Sent): object => ({
    agent,
    host: hostname,
    port,
    method,
    path,
    headers: {
      accept: 'application/json',
      'user-agent': 'comparison/1.0',
      authorization: `Bearer ${target.token}`,
      ...headers,
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
    },
  });
  return {
    send: (sent) => exchange(optionsOf(sent), sent),
    stream: (sent) => open(optionsOf(sent), sent),
    close: () => agent.destroy(),
  };
}

function exchange(options: object, sent: Sent): Promise<Answered> {
  return new Promise((resolve, reject) => {
    let answered = false;
    const outgoing = request({ ...options, timeout: TIMEOUT_MS }, (response) => {
      answered = true;
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        resolve({ code: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString('utf8') });
      });
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error(`${sent.method} ${sent.path}: no answer in ${TIMEOUT_MS / 1000} s`)));
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // A server that refuses a large body answers and closes while the body is still being sent.
      if (answered) return;
      // A keep-alive connection may be closed by the server just as it is reused.
      if (outgoing.reusedSocket && error.code === 'ECONNRESET') exchange(options, sent).then(resolve, reject);
      else reject(error);
    });
    outgoing.end(sent.body);
  });
}

function open(options: object, sent: Sent): Promise<Streamed> {
  return new Promise((resolve, reject) => {
    const outgoing = request(options, (response) => {
      response.setEncoding('utf8');
      resolve({
        code: response.statusCode ?? 0,
        headers: response.headers,
        lines: linesOf(response),
        close: () => {
          response.on('error', () => {});
          outgoing.destroy();
        },
      });
    });
    outgoing.on('error', reject);
    outgoing.end(sent.body);
  });
}

async function* linesOf(chunks: AsyncIterable<string>): AsyncIterableIterator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield line;
  }
  if (rest !== '') yield rest;
}
