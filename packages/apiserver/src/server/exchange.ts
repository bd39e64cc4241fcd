import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiError } from 'kube-endpoints/port';
import { bodyTooLarge } from '../http/errors.ts';
import type { HttpRequest } from '../http/exchange.ts';
import { boolOf } from '../http/parameters.ts';
import { type RequestInfo, requestInfoOf } from '../http/request-info.ts';
import type { User } from '../registry/index.ts';
import { badRequest } from '../store/index.ts';
import { anonymousUser } from './authentication.ts';
import type { RequestSeries } from './metrics/requests.ts';

/**
 * A request on its way to an answer. A class for the sake of its getters: most requests ask neither for their query nor for their
 * signal nor for a body, and what is not asked for is not made.
 */
export class Exchange implements HttpRequest {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  readonly path: string;
  readonly headers: HttpRequest['headers'];
  user: User = anonymousUser;
  /** Milliseconds since the epoch. */
  started = 0;
  deadline = 0;
  /** How it is counted: as one of so many at a time, and in the metrics. */
  counted: 'mutating' | 'readOnly' | undefined;
  series: RequestSeries | undefined;
  /** Whether there is an answer: any further one is too late. */
  answered = false;
  /** Whether it came to its end, one way or another. */
  over = false;
  /** Whether it goes on until somebody stops it. */
  longRunning = false;
  /** What is being streamed. */
  source: AsyncIterator<string> | undefined;
  /** What came over the same connection while this one was not answered. */
  next: Exchange | undefined;
  readonly #search: string;
  readonly #bodyLimit: number;
  /** Whether the client sends its body only when it is told to. */
  #awaitsContinue: boolean;
  #query: URLSearchParams | undefined;
  #info: RequestInfo | undefined;
  #controller: AbortController | undefined;
  #aborted = false;
  #body: Promise<Uint8Array> | undefined;

  constructor(incoming: IncomingMessage, response: ServerResponse, limit: { readonly body: number; readonly awaitsContinue: boolean }) {
    this.incoming = incoming;
    this.response = response;
    this.method = incoming.method ?? 'GET';
    // Only Set-Cookie would come as a list, and no client sends that.
    this.headers = incoming.headers as HttpRequest['headers'];
    const target = originForm(incoming.url ?? '/');
    const mark = target.indexOf('?');
    this.path = mark < 0 ? target : target.slice(0, mark);
    this.#search = mark < 0 ? '' : target.slice(mark + 1);
    this.#bodyLimit = limit.body;
    this.#awaitsContinue = limit.awaitsContinue;
  }

  get query(): URLSearchParams {
    this.#query ??= readQuery(this.#search);
    return this.#query;
  }

  get info(): RequestInfo {
    this.#info ??= requestInfoOf(this.method, this.path, () => {
      const watch = this.mentions('watch') ? this.query.get('watch') : null;
      return watch !== null && boolOf(watch);
    });
    return this.#info;
  }

  /** Whether a word stands in the query at all: cheaper than to take it apart. */
  mentions(word: string): boolean {
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
      const length = declaredLength(this.incoming);
      if (this.#awaitsContinue && (length === undefined || length <= this.#bodyLimit)) {
        this.#awaitsContinue = false;
        this.response.writeContinue();
      }
      this.#body = readBody(this.incoming, this.#bodyLimit);
      // Whoever asked for it and does not wait for it must not bring the process down.
      this.#body.catch(() => undefined);
    }
    return this.#body;
  }

  /**
   * Whether the connection is of no use for a further request: a lot of this one is still to come, or the client waits for a word
   * to send it.
   */
  get hasMoreToCome(): boolean {
    if (this.incoming.complete) return false;
    const length = declaredLength(this.incoming);
    return this.#awaitsContinue || length === undefined || length > worthSkipping;
  }
}

/** What proxies are sent names the host as well. */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const absolute = /^https?:\/\/[^/?]*(.*)$/i.exec(target);
  return absolute ? `/${absolute[1]?.replace(/^\//, '')}` : `/${target}`;
}

/** Bytes of a body that nobody wants, which are read nevertheless to keep the connection; as many as Go's server reads. */
const worthSkipping = 256 * 1024;

/** The whole body. Not a byte beyond the limit is kept. @throws ApiError */
export function readBody(incoming: IncomingMessage, limit: number): Promise<Uint8Array> {
  if ((declaredLength(incoming) ?? 0) > limit) return Promise.reject(bodyTooLarge(limit));
  if (incoming.destroyed) return Promise.reject(cutShort());
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const settle = (): void => {
      incoming.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
    };
    const onData = (chunk: Uint8Array): void => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      settle();
      incoming.pause();
      reject(bodyTooLarge(limit));
    };
    const onEnd = (): void => {
      settle();
      resolve(chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks, size));
    };
    const onGone = (): void => {
      settle();
      reject(cutShort());
    };
    incoming.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

/** What the headers say of the body's length; undefined where it comes in chunks, of which nobody knows how many. */
function declaredLength({ headers }: IncomingMessage): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined;
  const length = headers['content-length'];
  return length === undefined ? 0 : Number(length);
}

const cutShort = (): ApiError => badRequest('unexpected EOF');

/**
 * Reads a query as Go does: what is no parameter is passed over, the others count. That is what has a semicolon in it, or a per cent
 * sign that stands for nothing. Mirrors url.ParseQuery, whose error Go's servers ignore.
 */
export function readQuery(search: string): URLSearchParams {
  if (!search.includes(';') && !broken.test(search)) return new URLSearchParams(search);
  const pairs = search.replace(/^\?/, '').split('&');
  return new URLSearchParams(pairs.filter((pair) => !pair.includes(';') && !broken.test(pair)).join('&'));
}

const broken = /%(?![0-9a-fA-F]{2})/;
