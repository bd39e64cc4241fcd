import { Agent, request } from 'node:https';
import type { Target } from './target.ts';

export interface HttpRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

export interface HttpResponse {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  readonly text: string;
}

/** An answer that is read while it arrives, either in chunks or line by line. */
export interface StreamedResponse {
  readonly code: number;
  readonly headers: HttpResponse['headers'];
  readonly chunks: AsyncIterable<Buffer>;
  readonly lines: AsyncIterableIterator<string>;
  close(): void;
}

export interface Http {
  send(httpRequest: HttpRequest): Promise<HttpResponse>;
  stream(httpRequest: HttpRequest): Promise<StreamedResponse>;
  close(): void;
}

const TIMEOUT_MS = 60_000;

export const createTimeout = ({ method, path }: HttpRequest): { readonly milliseconds: number; readonly error: Error } => ({
  milliseconds: TIMEOUT_MS,
  error: new Error(`${method} ${path}: no answer in ${TIMEOUT_MS / 1000} s`),
});

/** Creates an HTTPS client for a target. Adds token, Accept and User-Agent unless the request sets them. */
export function connectTo(target: Target): Http {
  const { hostname, port } = new URL(target.url);
  const agent = new Agent({ keepAlive: true, maxSockets: 8, ca: target.ca });
  // Each stream keeps its connection: with a limit, many of them would leave none for requests.
  const streamAgent = new Agent({ ca: target.ca });
  const requestOptions = ({ method, path, headers, body }: HttpRequest): object => ({
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
    send: (httpRequest) => exchange(requestOptions(httpRequest), httpRequest),
    stream: (httpRequest) => openStream({ ...requestOptions(httpRequest), agent: streamAgent }, httpRequest),
    close: () => agent.destroy(),
  };
}

function exchange(options: object, httpRequest: HttpRequest): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    let hasResponse = false;
    const timeout = createTimeout(httpRequest);
    const outgoing = request({ ...options, timeout: timeout.milliseconds }, (response) => {
      hasResponse = true;
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        resolve({ code: response.statusCode ?? 0, headers: response.headers, bytes, text: bytes.toString('utf8') });
      });
    });
    outgoing.on('timeout', () => outgoing.destroy(timeout.error));
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // A server that refuses a large body answers and closes while the body is still being sent.
      if (hasResponse) return;
      // A keep-alive connection may be closed by the server just as it is reused.
      if (outgoing.reusedSocket && error.code === 'ECONNRESET') exchange(options, httpRequest).then(resolve, reject);
      else reject(error);
    });
    outgoing.end(httpRequest.body);
  });
}

function openStream(options: object, httpRequest: HttpRequest): Promise<StreamedResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = request(options, (response) => {
      resolve({
        code: response.statusCode ?? 0,
        headers: response.headers,
        chunks: response,
        lines: splitLines(response),
        close: () => {
          response.on('error', () => {});
          outgoing.destroy();
        },
      });
    });
    outgoing.on('error', reject);
    outgoing.end(httpRequest.body);
  });
}

export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncIterableIterator<string> {
  const decoder = new TextDecoder();
  let partialLine = '';
  for await (const chunk of chunks) {
    const lines = (partialLine + decoder.decode(chunk, { stream: true })).split('\n');
    partialLine = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield line;
  }
  if (partialLine !== '') yield partialLine;
}
