import type { Randomness } from '../registry/index.ts';
import type { Clock, Store } from '../store/index.ts';
import { type Address, type ClientConfig, type WebhookAnswer, type WebhookClient, WebhookConnectionError } from './client.ts';
import { createHttpsClient } from './https-client.ts';
import { type ResolveService, resolveInStore } from './resolve.ts';
import { UnreadableResponse } from './review.ts';

export interface CallContext {
  readonly client: WebhookClient;
  readonly clock: Clock;
  resolve(service: NonNullable<ClientConfig['service']>): Address | Promise<Address>;
}

export interface CallContextOptions extends Pick<CallContext, 'clock'> {
  /** Contains the Services and their endpoints. */
  readonly store: Pick<Store, 'get' | 'list'>;
  readonly randomness: Randomness;
  /** Resolves a Service to an address. Default: one of the Service's endpoints in the store. */
  readonly resolveService?: ResolveService;
  /** Default: node:https. */
  readonly client?: WebhookClient;
}

export const createCallContext = ({ store, clock, randomness, resolveService, client }: CallContextOptions): CallContext => ({
  client: client ?? createHttpsClient(),
  clock,
  resolve: async (service) => (await resolveService?.(service)) ?? resolveInStore(store, randomness, service),
});

/** Maximum number of retries if a webhook answers with Retry-After. */
const maxRetries = 10;

/**
 * Posts a review and returns the body of the answer. Repeats the call, at most `maxRetries` times, if the answer has Retry-After.
 *
 * Mirrors Request.Do (1.36, client-go/rest), with a deadline.
 * @throws WebhookConnectionError if there is no complete answer; UnreadableResponse if it is a failure, empty or has a malformed Content-Type
 */
export async function callWebhook(context: CallContext, config: ClientConfig, body: string, timeoutMs: number): Promise<string> {
  const timeout = new AbortController();
  const timer = context.clock.schedule(() => timeout.abort(new Error('context deadline exceeded')), timeoutMs);
  const path = `${config.path}?timeout=${Math.ceil(timeoutMs / 1000)}s`;
  try {
    for (let attempt = 0; ; attempt++) {
      const answer = await post(context, config, path, body, timeout.signal);
      const waitMs = attempt < maxRetries ? readRetryAfterMs(answer) : undefined;
      if (waitMs === undefined) return readBody(answer);
      await sleep(context.clock, waitMs, timeout.signal);
    }
  } finally {
    timer.cancel();
  }
}

async function post(context: CallContext, config: ClientConfig, path: string, body: string, signal: AbortSignal): Promise<WebhookAnswer> {
  const { host, service, authorities } = config;
  const address = parseAuthority(host);
  try {
    return await context.client.post({
      host,
      path,
      body,
      locate: () => (service ? context.resolve(service) : address),
      serverName: service ? `${service.name}.${service.namespace}.svc` : address.host,
      ...(authorities !== undefined && { authorities }),
      signal,
    });
  } catch (error) {
    throw error instanceof WebhookConnectionError ? toRequestError(error, `https://${host}${path}`) : error;
  }
}

/** Parses an authority such as "[::1]:8443" or "hook.example.com". */
function parseAuthority(authority: string): Address {
  const [, host = '', port = '443'] = /^(.*?)(?::(\d+))?$/.exec(authority) ?? [];
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}

function toRequestError({ phase, message, cause }: WebhookConnectionError, url: string): Error {
  if (phase === 'setup') return new WebhookConnectionError('setup', message, { cause });
  const text =
    phase === 'call'
      ? `Post ${JSON.stringify(url)}: ${message}`
      : `unexpected error when reading response body. Please retry. Original error: ${message}`;
  return new WebhookConnectionError(phase, text, { cause });
}

/** Returns the milliseconds to wait before a retry; undefined if the answer is final. Mirrors checkWait. */
function readRetryAfterMs({ code, headers }: WebhookAnswer): number | undefined {
  const retryAfter = headers['retry-after'] ?? '';
  return (code === 429 || code >= 500) && /^[+-]?\d+$/.test(retryAfter) ? Math.max(Number(retryAfter), 0) * 1000 : undefined;
}

/** Waits for `durationMs`, or until `signal` aborts; the next attempt then fails. */
function sleep(clock: Clock, durationMs: number, signal: AbortSignal): Promise<void> {
  if (durationMs === 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = clock.schedule(done, durationMs);
    signal.addEventListener('abort', done, { once: true });
    function done(): void {
      timer.cancel();
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}

function readBody({ code, headers, body }: WebhookAnswer): string {
  const type = headers['content-type'] ?? '';
  const problem = type === '' ? undefined : findMediaTypeProblem(type);
  if (problem !== undefined) throw new UnreadableResponse(`Internal error occurred: ${problem}`);
  if (code < 200 || code > 206)
    throw new UnreadableResponse(readFailureMessage(body) ?? describeStatusCode(code, readErrorText(type, body)));
  if (body === '')
    throw new UnreadableResponse(`0-length response with status code: ${code} and content type: ${type || 'application/json'}`);
  return body;
}

/** Returns Go's error for a malformed media type; undefined if the media type is well-formed. Mirrors checkMediaTypeDisposition. */
function findMediaTypeProblem(type: string): string | undefined {
  const [media = ''] = type.split(';');
  const [, mainType = '', slash = '', subtype = '', rest = ''] =
    /^([\w!#$%&'*+.^`|~-]*)(\/?)([\w!#$%&'*+.^`|~-]*)(.*)$/s.exec(media.trim()) ?? [];
  if (mainType === '') return 'mime: no media type';
  if (slash === '') return rest === '' ? undefined : 'mime: expected slash after first token';
  if (subtype === '') return 'mime: expected token after slash';
  return rest === '' ? undefined : 'mime: unexpected content after media subtype';
}

/** Returns the message of a body that is a Status of a failure; undefined for any other body. Mirrors Result.Error. */
function readFailureMessage(body: string): string | undefined {
  try {
    const { kind, apiVersion = 'v1', status, message } = JSON.parse(body) as Readonly<Record<string, unknown>>;
    return kind === 'Status' && apiVersion === 'v1' && status === 'Failure' && typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}

const maxServerMessageBytes = 2048;

function readErrorText(type: string, body: string): string {
  const text = Buffer.from(body).subarray(0, maxServerMessageBytes).toString('utf8').trim();
  return type === '' || /^\s*text\//i.test(type) ? text : 'unknown';
}

/** Mirrors NewGenericServerResponse (1.36, apimachinery/pkg/api/errors), for a POST. */
function describeStatusCode(code: number, serverText: string): string {
  const fixedMessage = Object.hasOwn(messagesByCode, code) ? messagesByCode[code] : undefined;
  if (fixedMessage !== undefined) return fixedMessage;
  if (code === 403 || code === 415) return serverText;
  if (code === 406)
    return serverText === '' || serverText === 'unknown'
      ? 'the server was unable to respond with a content type that the client supports'
      : serverText;
  if (code >= 500) return `an error on the server (${JSON.stringify(serverText)}) has prevented the request from succeeding`;
  return `the server responded with the status code ${code} but did not return more information`;
}

const messagesByCode: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  409: 'the server reported a conflict',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};
