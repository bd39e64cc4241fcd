import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Identity } from './certificates.ts';

export type Review = Readonly<Record<string, unknown>> & { readonly request: Readonly<Record<string, unknown>> & { readonly uid: string } };

/** Writes the answer of a test webhook. @param earlierCallCount number of earlier calls of this URL */
export type Behaviour = (review: Review, answer: ServerResponse, earlierCallCount: number) => void;

/** A request that a webhook received. */
export interface ReceivedReview {
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly review: Review;
}

export interface WebhookServer {
  readonly port: number;
  readonly receivedReviews: readonly ReceivedReview[];
  /** The number of accepted connections. */
  readonly connectionCount: number;
  /** Clears `receivedReviews`. */
  clearReceivedReviews(): void;
  /** Closes all open connections. */
  dropConnections(): void;
  close(): Promise<void>;
}

/** Starts an HTTPS server on loopback that answers each path with its behaviour, or 404. */
export async function startWebhookServer(identity: Identity, behaviours: Readonly<Record<string, Behaviour>>): Promise<WebhookServer> {
  const receivedReviews: ReceivedReview[] = [];
  let connectionCount = 0;
  const server = createServer({ cert: identity.certificate, key: identity.key }, async (request, answer) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const url = request.url ?? '';
    const name = url.replace(/\?.*/, '').slice(1);
    const earlierCallCount = receivedReviews.filter((each) => each.url === url).length;
    const review = (text === '' ? { request: { uid: '' } } : JSON.parse(text)) as Review;
    receivedReviews.push({ url, headers: request.headers, review });
    const behave = Object.hasOwn(behaviours, name) ? behaviours[name] : undefined;
    if (behave) behave(review, answer, earlierCallCount);
    else answer.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found\n');
  });
  server.on('secureConnection', () => {
    connectionCount += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    receivedReviews,
    get connectionCount() {
      return connectionCount;
    },
    clearReceivedReviews: () => void receivedReviews.splice(0),
    dropConnections: () => server.closeAllConnections(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
