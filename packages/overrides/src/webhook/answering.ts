import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Operational, operationalAnswer, operationalPaths, type PlainAnswer, plain } from './operational.ts';
import { answerReview, type Reviewing } from './reviewing.ts';

/** Answers a request, whatever it is. */
export function answerRequest(incoming: IncomingMessage, response: ServerResponse, host: Reviewing & Operational): void {
  const path = (incoming.url ?? '/').split('?', 1)[0] as string;
  if (path === reviewPath || path === '/validate') {
    const refusal = refusalOf(incoming);
    if (refusal) refuse(incoming, response, refusal, host);
    else answerReview(incoming, response, host);
    return;
  }
  if (incoming.method !== 'GET' && incoming.method !== 'HEAD') {
    refuse(incoming, response, operationalPaths.includes(path) ? onlyGet : notFound, host);
    return;
  }
  const answer = operationalAnswer(path, host);
  if (!answer) {
    refuse(incoming, response, notFound, host);
    return;
  }
  void Promise.resolve(answer).then(
    (settled) => send(incoming, response, settled, host),
    () => send(incoming, response, plain(500, 'internal error'), host),
  );
}

/** Where an API server asks. */
export const reviewPath = '/mutate';

/** Why a request to review something is none; undefined where it may be one. */
function refusalOf({ method, headers }: IncomingMessage): PlainAnswer | undefined {
  if (method !== 'POST') return plain(405, 'give a review by POST', { Allow: 'POST' });
  const [type = ''] = (headers['content-type'] ?? 'application/json').split(';', 1);
  const encoding = headers['content-encoding'] ?? 'identity';
  if (type.trim().toLowerCase() !== 'application/json') return plain(415, 'give a review as application/json');
  return encoding === 'identity' ? undefined : plain(415, 'give a review as it is, without a Content-Encoding');
}

const notFound = plain(404, 'not found');
const onlyGet = plain(405, 'method not allowed', { Allow: 'GET, HEAD' });

function refuse(incoming: IncomingMessage, response: ServerResponse, answer: PlainAnswer, host: Reviewing): void {
  host.metrics.refused(answer.code);
  send(incoming, response, answer, host);
}

function send(
  incoming: IncomingMessage,
  response: ServerResponse,
  { code, body, contentType, headers }: PlainAnswer,
  { lastOnConnection }: Reviewing,
): void {
  if (response.destroyed) return;
  response.writeHead(code, {
    ...headers,
    'Content-Type': contentType,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...((lastOnConnection() || !incoming.complete) && { Connection: 'close' }),
  });
  response.end(incoming.method === 'HEAD' ? undefined : body);
}
