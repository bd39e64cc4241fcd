import type { ApiError, Status } from 'kube-endpoints/port';
import type { HttpAnswer, HttpRequest } from '../http/exchange.ts';
import { wantsPretty } from '../http/negotiation.ts';
import { failure } from '../store/errors.ts';

/** What decides on how a Status is written. */
export type Asked = Pick<HttpRequest, 'headers' | 'query'>;

/** A Status as the real server writes it: on one line with a newline after it, or indented where people are likely to read it. */
export function statusAnswer(status: Status, asked: Asked): HttpAnswer {
  const retryAfter = status.details?.retryAfterSeconds ?? 0;
  return {
    code: status.code,
    headers: retryAfter > 0 ? { ...json, 'Retry-After': String(retryAfter) } : json,
    body: wantsPretty(asked.query, asked.headers['user-agent'])
      ? JSON.stringify(inOrder(status), undefined, 2)
      : `${JSON.stringify(inOrder(status))}\n`,
  };
}

/** As Go writes the fields of a struct. */
function inOrder({ kind, apiVersion, metadata, status, message, reason, details, code }: Status): unknown {
  return { kind, apiVersion, metadata, status, message, reason, details, code };
}

/** JSON that is always indented, as for everything that is no object of the API. */
export const indentedAnswer = (value: unknown): HttpAnswer => ({ code: 200, headers: json, body: JSON.stringify(value, undefined, 2) });

/** As `http.Error` of Go writes it. */
export const textError = (code: number, text: string, headers: HttpAnswer['headers'] = {}): HttpAnswer => ({
  code,
  headers: { ...headers, ...plainText, 'X-Content-Type-Options': 'nosniff' },
  body: `${text}\n`,
});

export const pageNotFound = (): HttpAnswer => textError(404, '404 page not found');

export const tooManyRequests = (): HttpAnswer => textError(429, 'Too many requests, please try again later.', { 'Retry-After': '1' });

export const unauthorized = (): ApiError => failure(401, 'Unauthorized', 'Unauthorized');

export const timedOut = (): ApiError => failure(504, 'Timeout', 'Timeout: request did not complete within the allotted timeout', {});

export const shuttingDown = (): ApiError =>
  failure(503, 'ServiceUnavailable', 'The apiserver is shutting down, please try again later.', { retryAfterSeconds: 1 });

/** Says as little as the real server does of an exception that nobody expected, but says it in a Status. */
export const panicked = (): ApiError =>
  failure(500, 'InternalError', 'This request caused apiserver to panic. Look in the logs for details.', {});

export const plainText = { 'Content-Type': 'text/plain; charset=utf-8' } as const;

const json = { 'Content-Type': 'application/json' } as const;
