import { describe, expect, it } from 'vitest';
import { createApiError, createRequestError, createTimeoutError, createUnreadableError } from '../../src/client-node/failures.ts';
import { notFound } from './support.ts';

const requestLine = { method: 'GET', path: '/api/v1/pods?labelSelector=a' };
const errorPage = '<html><head><style>p { color: red }</style><title>502</title></head><body><h1>Bad\nGateway</h1></body></html>';

describe('createApiError', () => {
  it('uses the Status of the response', () => {
    const error = createApiError(requestLine, { code: 404, retryAfter: undefined, body: JSON.stringify(notFound) });
    expect(error.status).toEqual(notFound);
  });

  it.each([
    [502, errorPage, 'InternalError', 'GET /api/v1/pods: 502 Bad Gateway (502 Bad Gateway)'],
    [504, '', 'Timeout', 'GET /api/v1/pods: 504 Gateway Timeout (an empty answer)'],
    [400, '{"kind":"Sta', 'BadRequest', 'GET /api/v1/pods: 400 Bad Request ({"kind":"Sta)'],
    [403, '{"error":"no"}', 'Forbidden', 'GET /api/v1/pods: 403 Forbidden ({"error":"no"})'],
    [503, 'null', 'ServiceUnavailable', 'GET /api/v1/pods: 503 Service Unavailable (null)'],
    [418, '  ', 'Unknown', "GET /api/v1/pods: 418 I'm a Teapot"],
    [599, 'x'.repeat(300), 'InternalError', `GET /api/v1/pods: 599 (${'x'.repeat(200)}…)`],
  ])('generates a Status if the response has none: %i %j', (code, body, reason, message) => {
    const error = createApiError(requestLine, { code, retryAfter: undefined, body });
    expect(error).toMatchObject({ name: 'ApiError', code, reason, message });
    expect(error.status).toMatchObject({ kind: 'Status', status: 'Failure' });
  });

  it('distinguishes AlreadyExists from Conflict by the method', () => {
    const answer = { code: 409, retryAfter: undefined, body: '' };
    expect(createApiError({ ...requestLine, method: 'POST' }, answer).reason).toBe('AlreadyExists');
    expect(createApiError({ ...requestLine, method: 'PUT' }, answer).reason).toBe('Conflict');
  });

  it('uses the HTTP code if the Status has no code', () => {
    const { code: _, ...status } = notFound;
    expect(createApiError(requestLine, { code: 404, retryAfter: undefined, body: JSON.stringify(status) }).code).toBe(404);
  });

  it('reads retryAfterSeconds from the Status, else from the Retry-After header', () => {
    const secondsOf = (retryAfter: string, body = ''): number | undefined =>
      createApiError(requestLine, { code: 429, retryAfter, body }).status.details?.retryAfterSeconds;
    expect(secondsOf('7')).toBe(7);
    expect(secondsOf('Wed, 21 Oct 2026 07:28:00 GMT')).toBeUndefined();
    expect(secondsOf('7', JSON.stringify({ ...notFound, details: { retryAfterSeconds: 3 } }))).toBe(3);
    const error = createApiError(requestLine, { code: 404, retryAfter: '7', body: JSON.stringify(notFound) });
    expect(error.status.details).toEqual({ ...notFound.details, retryAfterSeconds: 7 });
  });
});

describe('the error of a request without a response', () => {
  it('contains the request, the code and the cause', () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    const error = createRequestError(requestLine, cause);
    expect(error).toMatchObject({ message: 'GET /api/v1/pods: connect ECONNREFUSED 127.0.0.1:1', code: 'ECONNREFUSED', cause });
  });

  it('lists the failures of several addresses', () => {
    const cause = Object.assign(new AggregateError([new Error('connect ::1'), new Error('connect 127.0.0.1')]), { code: 'ECONNREFUSED' });
    expect(createRequestError(requestLine, cause).message).toBe('GET /api/v1/pods: connect ::1; connect 127.0.0.1');
  });

  it('names the timeout', () => {
    expect(createTimeoutError(requestLine, 'no answer', 1500)).toMatchObject({
      message: 'GET /api/v1/pods: no answer within 1.5 s',
      code: 'ETIMEDOUT',
    });
  });
});

it('an unreadable response becomes an error with an excerpt', () => {
  const error = createUnreadableError(requestLine, 200, errorPage, new SyntaxError('Unexpected token'));
  expect(error.message).toBe('GET /api/v1/pods: the answer with 200 cannot be read: Unexpected token (502 Bad Gateway)');
});
