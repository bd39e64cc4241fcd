import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiError } from 'kube-endpoints/port';
import type { Classification } from '../flow-control/index.ts';
import { createBodyTooLargeError } from '../http/errors.ts';
import type { HttpRequest } from '../http/exchange.ts';
import { parseBool } from '../http/parameters.ts';
import { parseRequestInfo, type RequestInfo } from '../http/request-info.ts';
import type { User } from '../registry/index.ts';
import { badRequest } from '../store/index.ts';
import { anonymousUser } from './authentication.ts';
import type { RequestSeries } from './metrics/requests.ts';

/** The parts of a request that the server uses, over HTTP/1.1 or HTTP/2. */
export interface Incoming extends Pick<IncomingMessage, 'headers' | 'method' | 'url' | 'httpVersionMajor' | 'complete' | 'destroyed'> {
  readonly rawHeaders: readonly string[];
  /** The values of each header, by its name in lower case. */
  readonly headersDistinct: Readonly<Record<string, readonly string[] | undefined>>;
  readonly socket: { readonly destroyed: boolean; destroy(): void };
  on(event: string, listener: (chunk: Uint8Array) => void): this;
  once(event: string, listener: () => void): this;
  off(event: string, listener: (chunk: Uint8Array) => void): this;
  pause(): void;
  resume(): void;
}

/** The parts of a response that the server uses, over HTTP/1.1 or HTTP/2. */
export interface Outgoing extends Pick<ServerResponse, 'statusCode' | 'destroyed' | 'writableEnded' | 'writableFinished'> {
  /** @param headers names and values in turn @throws TypeError if a header is invalid; then nothing is sent */
  writeHead(code: number, headers: (string | string[])[]): this;
  flushHeaders(): void;
  writeContinue(): void;
  write(data: string | Uint8Array, onWritten?: () => void): boolean;
  end(data?: string | Uint8Array): this;
  destroy(): void;
  on(event: string, listener: () => void): this;
  once(event: string, listener: () => void): this;
  off(event: string, listener: () => void): this;
}

/** A request and the state of its response. It is a class with lazy getters because most requests need no query, signal or body. */
export class Exchange implements HttpRequest {
  readonly incoming: Incoming;
  readonly response: Outgoing;
  readonly method: string;
  readonly path: string;
  readonly headers: HttpRequest['headers'];
  user: User = anonymousUser;
  /** Milliseconds since the epoch. */
  startedAt = 0;
  /** Milliseconds since the epoch at which the request times out. */
  deadline = 0;
  /** The group of concurrent requests in which this request is counted, if it is. */
  inFlightGroup: 'mutating' | 'readOnly' | undefined;
  /** The FlowSchema and the priority level of the request. */
  flow: Classification | undefined;
  /** The series of the metrics in which the request is counted. */
  series: RequestSeries | undefined;
  /** Whether an answer has been started. Further answers are dropped. */
  isAnswered = false;
  /** Whether the connection is closed after the response. Later requests of the connection are dropped. */
  isLastOnConnection = false;
  /** Whether the response is closed, successfully or not. */
  isClosed = false;
  isLongRunning = false;
  /** The iterator of a streamed response. */
  source: AsyncIterator<string | Uint8Array> | undefined;
  /** The next request that arrived on the same connection before this one ended. */
  next: Exchange | undefined;
  readonly #search: string;
  readonly #bodyLimit: number;
  /** Whether the client waits for "100 Continue" before it sends the body. */
  #awaitsContinue: boolean;
  #query: URLSearchParams | undefined;
  #info: RequestInfo | undefined;
  #controller: AbortController | undefined;
  #aborted = false;
  #body: Promise<Uint8Array> | undefined;

  constructor(incoming: Incoming, response: Outgoing, options: { readonly bodyLimit: number; readonly awaitsContinue: boolean }) {
    this.incoming = incoming;
    this.response = response;
    this.method = incoming.method ?? 'GET';
    // Only Set-Cookie is an array, and clients do not send that header.
    this.headers = incoming.headers as HttpRequest['headers'];
    const target = toOriginForm(incoming.url ?? '/');
    const queryStart = target.indexOf('?');
    this.path = queryStart < 0 ? target : target.slice(0, queryStart);
    this.#search = queryStart < 0 ? '' : target.slice(queryStart + 1);
    this.#bodyLimit = options.bodyLimit;
    this.#awaitsContinue = options.awaitsContinue;
  }

  get isHttp2(): boolean {
    return this.incoming.httpVersionMajor === 2;
  }

  get query(): URLSearchParams {
    this.#query ??= parseQuery(this.#search);
    return this.#query;
  }

  get info(): RequestInfo {
    this.#info ??= parseRequestInfo(this.method, this.path, () => {
      const watch = this.queryContains('watch') ? this.query.get('watch') : null;
      return watch !== null && parseBool(watch);
    });
    return this.#info;
  }

  /** Whether the raw query contains a text; cheaper than parsing the query. */
  queryContains(word: string): boolean {
    return this.#search.includes(word);
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  abort(): void {
    this.#aborted = true;
    this.#controller?.abort();
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  body(): Promise<Uint8Array> {
    if (!this.#body) {
      const length = declaredLengthOf(this.incoming);
      if (this.#awaitsContinue && (length === undefined || length <= this.#bodyLimit)) {
        this.#awaitsContinue = false;
        this.response.writeContinue();
      }
      this.#body = readBody(this.incoming, this.#bodyLimit);
      // Prevents an unhandled rejection if a caller does not await the body.
      this.#body.catch(() => undefined);
    }
    return this.#body;
  }

  /**
   * Whether the connection must be closed after the answer, because much of the body is still unread or the client still waits for "100
   * Continue".
   */
  get mustCloseConnection(): boolean {
    if (this.incoming.complete) return false;
    const length = declaredLengthOf(this.incoming);
    return this.#awaitsContinue || length === undefined || length > maxDiscardedBytes;
  }
}

/** Keeps only the path and query of a request target, which is an absolute URL in requests to a proxy. */
function toOriginForm(target: string): string {
  if (target.startsWith('/')) return target;
  const absolute = /^https?:\/\/[^/?]*(.*)$/i.exec(target);
  return absolute ? `/${absolute[1]?.replace(/^\//, '')}` : `/${target}`;
}

/** Maximum bytes of an unread body to discard in order to keep the connection, as in Go's server. */
const maxDiscardedBytes = 256 * 1024;

/** Reads the whole body; stops buffering at the limit. @throws ApiError RequestEntityTooLarge; BadRequest if the connection closes first */
export function readBody(incoming: Incoming, limit: number): Promise<Uint8Array> {
  if ((declaredLengthOf(incoming) ?? 0) > limit) return Promise.reject(createBodyTooLargeError(limit));
  if (incoming.destroyed) return Promise.reject(createUnexpectedEofError());
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const removeListeners = (): void => {
      incoming.off('data', onData).off('end', onEnd).off('error', onClosed).off('close', onClosed);
    };
    const onData = (chunk: Uint8Array): void => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      removeListeners();
      incoming.pause();
      reject(createBodyTooLargeError(limit));
    };
    const onEnd = (): void => {
      removeListeners();
      resolve(chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks, size));
    };
    const onClosed = (): void => {
      removeListeners();
      reject(createUnexpectedEofError());
    };
    incoming.on('data', onData).on('end', onEnd).on('error', onClosed).on('close', onClosed);
  });
}

/** The body length in bytes according to the headers; undefined if the body is chunked. */
function declaredLengthOf({ headers }: Incoming): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined;
  const length = headers['content-length'];
  return length === undefined ? 0 : Number(length);
}

const createUnexpectedEofError = (): ApiError => badRequest('unexpected EOF');

/**
 * Parses a query like Go's url.ParseQuery, whose error Go's servers ignore: skips parameters that contain a semicolon or a malformed
 * percent sign.
 */
export function parseQuery(search: string): URLSearchParams {
  if (!search.includes(';') && !malformedEscape.test(search)) return new URLSearchParams(search);
  const pairs = search.replace(/^\?/, '').split('&');
  return new URLSearchParams(pairs.filter((pair) => !pair.includes(';') && !malformedEscape.test(pair)).join('&'));
}

const malformedEscape = /%(?![0-9a-fA-F]{2})/;
