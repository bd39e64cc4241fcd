import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Identity } from './certificates.ts';

export type Review = Readonly<Record<string, unknown>> & { readonly request: Readonly<Record<string, unknown>> & { readonly uid: string } };

/** Writes the answer of a test webhook. @param callCount number of earlier calls of the same URL */
export type Behaviour = (review: Review, answer: ServerResponse, callCount: number) => void;

/** A request that a webhook received. */
export interface ReceivedReview {
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly review: Review;
}

export interface WebhookServer {
  readonly port: number;
  readonly received: readonly ReceivedReview[];
  /** The number of accepted connections. */
  readonly connections: number;
  /** Clears `received`. */
  clearReceived(): void;
  /** Closes all open connections. */
  dropConnections(): void;
  close(): Promise<void>;
}

/** Starts an HTTPS server on loopback that answers each path with its behaviour, or 404. */
export async function startWebhooks(identity: Identity, behaviours: Readonly<Record<string, Behaviour>>): Promise<WebhookServer> {
  const received: ReceivedReview[] = [];
  let connections = 0;
  const server = createServer({ cert: identity.certificate, key: identity.key }, async (request, answer) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const url = request.url ?? '';
    const name = url.replace(/\?.*/, '').slice(1);
    const callCount = received.filter((each) => each.url === url).length;
    const review = (text === '' ? { request: { uid: '' } } : JSON.parse(text)) as Review;
    received.push({ url, headers: request.headers, review });
    const behave = Object.hasOwn(behaviours, name) ? behaviours[name] : undefined;
    if (behave) behave(review, answer, callCount);
    else answer.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found\n');
  });
  server.on('secureConnection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    received,
    get connections() {
      return connections;
    },
    clearReceived: () => void received.splice(0),
    dropConnections: () => server.closeAllConnections(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
