import { STATUS_CODES } from 'node:http';
import { ApiError, type Status } from 'kube-endpoints/port';

/** Identifies the request that failed. */
export interface RequestLine {
  readonly method: string;
  /** Includes the query, which error messages omit. */
  readonly path: string;
}

export interface ErrorResponse {
  readonly code: number;
  readonly retryAfter: string | undefined;
  readonly body: string;
}

/** Creates the error of a response with a failure code, from its Status or, if it has none, from the code and the body. */
export function createApiError(requestLine: RequestLine, { code, retryAfter, body }: ErrorResponse): ApiError {
  const statusInBody = parseStatus(body);
  const status: Status = statusInBody
    ? { ...statusInBody, code: statusInBody.code || code }
    : {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: `${formatRequestLine(requestLine)}: ${code} ${STATUS_CODES[code] ?? ''}`.trimEnd() + excerptOf(body),
        reason: reasonOf(code, requestLine.method),
        code,
      };
  const seconds = parseRetryAfter(retryAfter);
  if (seconds === undefined || status.details?.retryAfterSeconds !== undefined) return new ApiError(status);
  return new ApiError({ ...status, details: { ...status.details, retryAfterSeconds: seconds } });
}

/** Creates the error of a connection that could not be made or was lost. */
export function createRequestError(requestLine: RequestLine, error: unknown): Error {
  const { code } = error as { readonly code?: unknown };
  return createError(requestLine, messageOf(error), typeof code === 'string' ? code : undefined, error);
}

export function createTimeoutError(requestLine: RequestLine, message: string, milliseconds: number): Error {
  return createError(requestLine, `${message} within ${milliseconds / 1000} s`, 'ETIMEDOUT');
}

/** Creates the error of a successful response whose body cannot be parsed. */
export function createUnreadableError(requestLine: RequestLine, code: number, body: string, error: unknown): Error {
  return createError(requestLine, `the answer with ${code} cannot be read: ${messageOf(error)}${excerptOf(body)}`, 'EBADMSG', error);
}

export function createError(requestLine: RequestLine, message: string, code?: string, cause?: unknown): Error {
  const error = new Error(`${formatRequestLine(requestLine)}: ${message}`, cause === undefined ? undefined : { cause });
  return code === undefined ? error : Object.assign(error, { code });
}

const formatRequestLine = ({ method, path }: RequestLine): string => {
  const queryStart = path.indexOf('?');
  return `${method} ${queryStart < 0 ? path : path.slice(0, queryStart)}`;
};

/** Joins the messages of an AggregateError without a message, which Node.js throws if several addresses of a host fail. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message || error.name : String(error);
}

function parseStatus(body: string): Status | undefined {
  if (!body.startsWith('{')) return undefined;
  try {
    const parsed = JSON.parse(body) as { readonly kind?: unknown };
    return parsed.kind === 'Status' ? (parsed as Status) : undefined;
  } catch {
    return undefined;
  }
}

/** The beginning of a body that is not a Status, without HTML tags. */
function excerptOf(body: string): string {
  const text = body
    .slice(0, 4000)
    .replace(/<(script|style)\b[\s\S]*?(<\/\1>|$)/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (text === '') return body === '' ? ' (an empty answer)' : '';
  return ` (${text.length > maxExcerptLength ? `${text.slice(0, maxExcerptLength)}…` : text})`;
}

const maxExcerptLength = 200;

/** Accepts whole seconds only, because API servers send nothing else, and a date would depend on the local clock. */
function parseRetryAfter(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined || !/^\s*\d+\s*$/.test(retryAfter)) return undefined;
  return Number(retryAfter);
}

/** Mirrors NewGenericServerResponse (Kubernetes 1.36, apimachinery/pkg/api/errors/errors.go), and also maps 410 and 413. */
function reasonOf(code: number, method: string): string {
  if (code === 409 && method === 'POST') return 'AlreadyExists';
  return reasonsByCode[code] ?? (code >= 500 ? 'InternalError' : 'Unknown');
}

const reasonsByCode: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Expired',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};
