import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import type { Status } from 'kube-endpoints/port';
import { onTestFinished } from 'vitest';
import { createRawConnection, formatRequestHead, type RawConnection } from '../../../../test/support/raw-connection.ts';
import type { HttpAnswer, Route } from '../../src/http/exchange.ts';
import { type Listening, type ListenOptions, listen } from '../../src/server/index.ts';

/** A server over plain HTTP that accepts the token "secret" and closes after the test. */
export async function serve(route: Route, options: ListenOptions = {}): Promise<Listening> {
  const server = await listen(route, { tls: false, tokens: [{ token: 'secret' }], ...options });
  onTestFinished(() => server.close({ drainMs: 0 }));
  return server;
}

export const text = (body: HttpAnswer['body'], code = 200): HttpAnswer => ({ code, headers: { 'Content-Type': 'text/plain' }, body });

export interface Reply {
  readonly code: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface SendOptions {
  readonly method?: string;
  /** Replaces the server's own token; undefined sends no token. */
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request over a new connection. */
export function sendRequest({ url, ca, token }: Listening, path: string, options: SendOptions = {}): Promise<Reply> {
  const bearer = 'token' in options ? options.token : token;
  const headers = { ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }), ...options.headers };
  return new Promise((resolve, reject) => {
    const request = url.startsWith('https') ? httpsRequest : httpRequest;
    const clientRequest = request(
      url + path,
      { method: options.method ?? 'GET', headers, agent: false, ...(ca !== undefined && { ca }) },
      (answer) => {
        let body = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          body += chunk;
        });
        answer.on('end', () => resolve({ code: answer.statusCode ?? 0, headers: answer.headers, body })).on('error', reject);
      },
    );
    clientRequest.on('error', reject).end(options.body);
  });
}

export const parseStatus = ({ body }: Reply): Status => JSON.parse(body) as Status;

export const connectTo = ({ port }: Listening): RawConnection =>
  createRawConnection(connect({ port, host: '127.0.0.1', allowHalfOpen: true }));

/** The head of an authenticated request, followed by its body. */
export const head = (line: string, headers: Readonly<Record<string, string>> = {}, rest = ''): string =>
  formatRequestHead(line, { Authorization: 'Bearer secret', ...headers }, rest);

/** A promise with its resolve and reject. */
export const deferred = <Value = void>(): PromiseWithResolvers<Value> => Promise.withResolvers<Value>();
