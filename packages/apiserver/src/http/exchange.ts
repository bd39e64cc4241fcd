import type { User } from '../registry/index.ts';
import type { RequestInfo } from './request-info.ts';

/** A request as the routes see it, independent of sockets. */
export interface HttpRequest {
  /** In upper case. */
  readonly method: string;
  /** The path as it was sent: percent-encoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The verb, the resource and the name that the method and path ask for. */
  readonly info: RequestInfo;
  /** Keys are in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly user: User;
  /** Aborted when the client disconnects, the deadline of the request passes or the server stops. */
  readonly signal: AbortSignal;
  /** Reads the whole body. @throws ApiError RequestEntityTooLarge; BadRequest if the client disconnects before the end */
  body(): Promise<Uint8Array>;
}

export interface HttpAnswer {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** The server pulls a stream as fast as the client reads, and calls its return() when the client disconnects. */
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array>;
}

/** Answers a request, or returns undefined if the request is not for this route. May reject with an ApiError, which becomes the answer. */
export type Route = (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer> | undefined;
