import type { ApiError, Status } from 'kube-endpoints/port';
import type { HttpAnswer, HttpRequest } from '../http/exchange.ts';
import { mediaTypeByFormat, negotiateOutput, wantsIndentation } from '../http/negotiation.ts';
import { writeYaml } from '../http/yaml.ts';
import { encodeProtobuf } from '../protobuf/index.ts';
import { failure } from '../store/errors.ts';

export type FormatRequest = Pick<HttpRequest, 'headers' | 'query'>;

/**
 * Encodes a Status like kube-apiserver: in protobuf, in JSON on one line with a final newline, or in JSON that is indented for interactive
 * clients such as curl.
 */
export function createStatusAnswer(status: Status, request: FormatRequest): HttpAnswer {
  const retryAfter = status.details?.retryAfterSeconds ?? 0;
  const extraHeaders = retryAfter > 0 ? { 'Retry-After': String(retryAfter) } : {};
  if (negotiateOutput(request.headers['accept']).errorOutput.format === 'protobuf')
    return { code: status.code, headers: { 'Content-Type': mediaTypeByFormat.protobuf, ...extraHeaders }, body: encodeProtobuf(status) };
  return {
    code: status.code,
    headers: { ...jsonHeaders, ...extraHeaders },
    body: wantsIndentation(request.query, request.headers['user-agent'])
      ? JSON.stringify(toGoFieldOrder(status), undefined, 2)
      : `${JSON.stringify(toGoFieldOrder(status))}\n`,
  };
}

export const acceptsYaml = ({ headers }: FormatRequest): boolean => negotiateOutput(headers['accept']).errorOutput.format === 'yaml';

export async function createYamlStatusAnswer(status: Status): Promise<HttpAnswer> {
  const { headers } = createStatusAnswer(status, { headers: {}, query: new URLSearchParams() });
  return { code: status.code, headers: { ...headers, 'Content-Type': 'application/yaml' }, body: await writeYaml(JSON.stringify(status)) };
}

/** Sorts the fields of a Status like those of Go's struct. */
function toGoFieldOrder({ kind, apiVersion, metadata, status, message, reason, details, code }: Status): unknown {
  return { kind, apiVersion, metadata, status, message, reason, details, code };
}

/** Indented JSON, for everything that is not an API object. */
export const createIndentedAnswer = (value: unknown): HttpAnswer => ({
  code: 200,
  headers: jsonHeaders,
  body: JSON.stringify(value, undefined, 2),
});

/** A text error as Go's `http.Error` writes it. */
export const createTextError = (code: number, text: string, headers: HttpAnswer['headers'] = {}): HttpAnswer => ({
  code,
  headers: { ...headers, ...plainTextHeaders, 'X-Content-Type-Options': 'nosniff' },
  body: `${text}\n`,
});

export const createPageNotFoundAnswer = (): HttpAnswer => createTextError(404, '404 page not found');

export const createTooManyRequestsAnswer = (): HttpAnswer =>
  createTextError(429, 'Too many requests, please try again later.', { 'Retry-After': '1' });

export const createUnauthorizedError = (): ApiError => failure(401, 'Unauthorized', 'Unauthorized');

export const createTimeoutError = (): ApiError =>
  failure(504, 'Timeout', 'Timeout: request did not complete within the allotted timeout', {});

export const createShutdownError = (): ApiError =>
  failure(503, 'ServiceUnavailable', 'The apiserver is shutting down, please try again later.', { retryAfterSeconds: 1 });

/** The answer to an unexpected exception: a Status without details, like kube-apiserver's. */
export const createPanicError = (): ApiError =>
  failure(500, 'InternalError', 'This request caused apiserver to panic. Look in the logs for details.', {});

export const plainTextHeaders = { 'Content-Type': 'text/plain; charset=utf-8' } as const;

const jsonHeaders = { 'Content-Type': 'application/json' } as const;
