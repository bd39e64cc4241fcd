import type { User } from '../registry/index.ts';
import type { RequestInfo } from './request-info.ts';

/** A request as the routes see it: nothing of sockets. */
export interface HttpRequest {
  /** In capitals. */
  readonly method: string;
  /** The path as it was sent, still encoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** What the method and the path ask for. */
  readonly info: RequestInfo;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Who asks, as authentication found. */
  readonly user: User;
  /** Ends when the client goes, or the server does. */
  readonly signal: AbortSignal;
  /** Reads the whole body. @throws ApiError RequestEntityTooLarge, or BadRequest where the client stops in the middle */
  body(): Promise<Uint8Array>;
}

export interface HttpAnswer {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** What is streamed is asked for as fast as the client reads, and returned from when it stops. */
  readonly body: string | Uint8Array | AsyncIterable<string>;
}

/** Answers the requests that it knows, and no others. It may reject with an ApiError, which is then the answer. */
export type Route = (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer> | undefined;
