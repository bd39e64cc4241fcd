import type { Clock } from '../../store/index.ts';
import { type Address, type ClientConfig, type WebhookAnswer, type WebhookClient, WebhookConnectionError } from './client.ts';
import { Unreadable } from './response.ts';

/** The dependencies for calling a webhook. */
export interface CallContext {
  readonly client: WebhookClient;
  readonly clock: Clock;
  resolve(service: NonNullable<ClientConfig['service']>): Address | Promise<Address>;
}

/** Maximum number of retries if a webhook answers with Retry-After. */
const maxRetries = 10;

/**
 * Posts a review and returns the body of the answer.
 *
 * Mirrors Request.Do (1.36, client-go/rest), with a deadline.
 * @throws WebhookConnectionError if there is no answer; Unreadable if the answer is not a success
 */
export async function callWebhook(calling: CallContext, config: ClientConfig, body: string, milliseconds: number): Promise<string> {
  const timeout = new AbortController();
  const alarm = calling.clock.schedule(() => timeout.abort(new Error('context deadline exceeded')), milliseconds);
  const path = `${config.path}?timeout=${Math.ceil(milliseconds / 1000)}s`;
  try {
    for (let attempt = 0; ; attempt++) {
      const answer = await post(calling, config, path, body, timeout.signal);
      const wait = attempt < maxRetries ? waitingTime(answer) : undefined;
      if (wait === undefined) return textOf(answer);
      await passed(calling.clock, wait, timeout.signal);
    }
  } finally {
    alarm.cancel();
  }
}

async function post(calling: CallContext, config: ClientConfig, path: string, body: string, signal: AbortSignal): Promise<WebhookAnswer> {
  const { host, service, authorities } = config;
  const place = addressOf(host);
  try {
    return await calling.client.post({
      host,
      path,
      body,
      locate: () => (service ? calling.resolve(service) : place),
      serverName: service ? `${service.name}.${service.namespace}.svc` : place.host,
      ...(authorities !== undefined && { authorities }),
      signal,
    });
  } catch (error) {
    throw error instanceof WebhookConnectionError ? worded(error, `https://${host}${path}`) : error;
  }
}

/** Parses an authority such as "[::1]:8443" or "hook.example.com". */
function addressOf(authority: string): Address {
  const [, host = '', port = '443'] = /^(.*?)(?::(\d+))?$/.exec(authority) ?? [];
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}

function worded({ where, message, cause }: WebhookConnectionError, url: string): Error {
  if (where === 'setup') return new WebhookConnectionError('setup', `could not get REST client: ${message}`, { cause });
  const said =
    where === 'call'
      ? `Post ${JSON.stringify(url)}: ${message}`
      : `unexpected error when reading response body. Please retry. Original error: ${message}`;
  return new WebhookConnectionError(where, `failed to call webhook: ${said}`, { cause });
}

/** Milliseconds to wait before retrying; undefined if the answer is final. Mirrors checkWait. */
function waitingTime({ code, headers }: WebhookAnswer): number | undefined {
  const after = headers['retry-after'] ?? '';
  return (code === 429 || code >= 500) && /^[+-]?\d+$/.test(after) ? Math.max(Number(after), 0) * 1000 : undefined;
}

/** Waits. Resolves early if the deadline passes; the next attempt then fails. */
function passed(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds === 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const alarm = clock.schedule(done, milliseconds);
    signal.addEventListener('abort', done, { once: true });
    function done(): void {
      alarm.cancel();
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}

function textOf({ code, headers, body }: WebhookAnswer): string {
  const type = headers['content-type'] ?? '';
  const problem = type === '' ? undefined : mediaTypeProblem(type);
  if (problem !== undefined) throw new Unreadable(`Internal error occurred: ${problem}`);
  if (code < 200 || code > 206) throw new Unreadable(statusIn(body) ?? failureOf(code, serverMessage(type, body)));
  if (body === '') throw new Unreadable(`0-length response with status code: ${code} and content type: ${type || 'application/json'}`);
  return body;
}

/** Go's error for a malformed media type. Mirrors checkMediaTypeDisposition. */
function mediaTypeProblem(type: string): string | undefined {
  const [media = ''] = type.split(';');
  const [, main = '', slash = '', sub = '', rest = ''] = /^([\w!#$%&'*+.^`|~-]*)(\/?)([\w!#$%&'*+.^`|~-]*)(.*)$/s.exec(media.trim()) ?? [];
  if (main === '') return 'mime: no media type';
  if (slash === '') return rest === '' ? undefined : 'mime: expected slash after first token';
  if (sub === '') return 'mime: expected token after slash';
  return rest === '' ? undefined : 'mime: unexpected content after media subtype';
}

/** The message, if the body is a Status of a failure. Mirrors Result.Error. */
function statusIn(body: string): string | undefined {
  try {
    const { kind, apiVersion = 'v1', status, message } = JSON.parse(body) as Readonly<Record<string, unknown>>;
    return kind === 'Status' && apiVersion === 'v1' && status === 'Failure' && typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}

const maxServerMessage = 2048;

function serverMessage(type: string, body: string): string {
  const text = Buffer.from(body).subarray(0, maxServerMessage).toString('utf8').trim();
  return type === '' || /^\s*text\//i.test(type) ? text : 'unknown';
}

/** Mirrors NewGenericServerResponse (1.36, apimachinery/pkg/api/errors), for a POST. */
function failureOf(code: number, said: string): string {
  const known = Object.hasOwn(failures, code) ? failures[code] : undefined;
  if (known !== undefined) return known;
  if (code === 403 || code === 415) return said;
  if (code === 406)
    return said === '' || said === 'unknown' ? 'the server was unable to respond with a content type that the client supports' : said;
  if (code >= 500) return `an error on the server (${JSON.stringify(said)}) has prevented the request from succeeding`;
  return `the server responded with the status code ${code} but did not return more information`;
}

const failures: Readonly<Record<number, string>> = {
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
