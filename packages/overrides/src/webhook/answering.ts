import type { IncomingMessage, ServerResponse } from 'node:http';
import { hasSeveralHosts } from 'kube-endpoints/internal/apimachinery';
import type { WebhookMetrics } from './metrics.ts';
import { answerReview, type ReviewHost } from './reviewing.ts';

/** Answers any HTTP request. */
export function answerRequest(incoming: IncomingMessage, response: ServerResponse, host: ReviewHost & OperationalHost): void {
  if (hasSeveralHosts(incoming.rawHeaders)) {
    refuse(incoming, response, { ...createTextResponse(400, '400 Bad Request'), headers: { Connection: 'close' } }, host);
    return;
  }
  const path = (incoming.url ?? '/').split('?', 1)[0] as string;
  if (path === reviewPath || path === '/validate') {
    const refusal = findRefusal(incoming);
    if (refusal) refuse(incoming, response, refusal, host);
    else answerReview(incoming, response, host);
    return;
  }
  if (incoming.method !== 'GET' && incoming.method !== 'HEAD') {
    refuse(incoming, response, operationalPaths.includes(path) ? methodNotAllowedAnswer : notFoundAnswer, host);
    return;
  }
  const answer = answerOperationalRequest(path, host);
  if (!answer) {
    refuse(incoming, response, notFoundAnswer, host);
    return;
  }
  void Promise.resolve(answer).then(
    (completed) => send(incoming, response, completed, host),
    () => send(incoming, response, createTextResponse(500, 'internal error'), host),
  );
}

/** The path that API servers call. */
export const reviewPath = '/mutate';

/** Returns an error response if a request cannot be a review; otherwise undefined. */
function findRefusal({ method, headers }: IncomingMessage): HttpAnswer | undefined {
  if (method !== 'POST') return createTextResponse(405, 'send the review with POST', { Allow: 'POST' });
  const [type = ''] = (headers['content-type'] ?? 'application/json').split(';', 1);
  const encoding = headers['content-encoding'] ?? 'identity';
  if (type.trim().toLowerCase() !== 'application/json') return createTextResponse(415, 'send the review as application/json');
  return encoding === 'identity' ? undefined : createTextResponse(415, 'send the review without a Content-Encoding');
}

function refuse(incoming: IncomingMessage, response: ServerResponse, answer: HttpAnswer, host: ReviewHost): void {
  host.metrics.refused(answer.code);
  send(incoming, response, answer, host);
}

function send(
  incoming: IncomingMessage,
  response: ServerResponse,
  { code, body, contentType, headers }: HttpAnswer,
  { isClosing }: ReviewHost,
): void {
  if (response.destroyed) return;
  response.writeHead(code, {
    ...headers,
    'Content-Type': contentType,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...((isClosing() || !incoming.complete) && { Connection: 'close' }),
  });
  response.end(incoming.method === 'HEAD' ? undefined : body);
}

export interface HttpAnswer {
  readonly code: number;
  readonly body: string;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface OperationalHost {
  readonly metrics: Pick<WebhookMetrics, 'scrape' | 'contentType'>;
  readonly isReady: () => boolean;
}

/** The response for health and metrics paths; undefined for other paths. */
export function answerOperationalRequest(
  path: string,
  { metrics, isReady }: OperationalHost,
): HttpAnswer | Promise<HttpAnswer> | undefined {
  if (path === '/healthz' || path === '/livez') return createTextResponse(200, 'ok');
  if (path === '/readyz') return isReady() ? createTextResponse(200, 'ok') : createTextResponse(503, 'not ready');
  if (path !== '/metrics') return undefined;
  return metrics.scrape().then((body) => ({ code: 200, body, contentType: metrics.contentType }));
}

export const operationalPaths: readonly string[] = ['/healthz', '/livez', '/readyz', '/metrics'];

export const createTextResponse = (code: number, text: string, headers: Readonly<Record<string, string>> = {}): HttpAnswer => ({
  code,
  body: `${text}\n`,
  contentType: 'text/plain; charset=utf-8',
  headers,
});

const notFoundAnswer = createTextResponse(404, 'not found');
const methodNotAllowedAnswer = createTextResponse(405, 'method not allowed', { Allow: 'GET, HEAD' });
