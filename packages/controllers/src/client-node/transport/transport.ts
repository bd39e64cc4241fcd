import type { IncomingMessage } from 'node:http';
import { gunzip } from 'node:zlib';
import { ApiError } from 'kube-endpoints/port';
import { createApiError, createError, createUnreadableError, type RequestLine } from '../failures.ts';
import type { Settings } from '../options.ts';
import type { AbortCallbacks } from './aborts.ts';
import type { Agents } from './agents.ts';
import type { CredentialSource, Credentials } from './credentials.ts';
import { type ExchangeContext, type OutgoingRequest, type ServerAddress, startExchange } from './exchange.ts';

/** A request before credentials are added. */
export interface Call extends RequestLine {
  readonly signal?: AbortSignal | undefined;
  readonly body?: unknown;
  readonly contentType?: string;
  /** Whether to accept a compressed response. */
  readonly gzip?: boolean;
}

/** Sends authenticated requests to the server. */
export interface Transport {
  /** Resolves to the parsed response. @throws ApiError, Error, the signal's reason */
  send(call: Call): Promise<unknown>;
  /**
   * Resolves to a response to be read as a stream until the signal is aborted. `onError` receives errors after the start.
   * @throws ApiError, Error, the signal's reason
   */
  stream(call: Call & { readonly signal: AbortSignal }, onError: (error: unknown) => void): Promise<IncomingMessage>;
  close(): void;
}

export interface TransportOptions {
  readonly server: ServerAddress;
  readonly source: CredentialSource;
  readonly abortCallbacks: AbortCallbacks;
  readonly settings: Settings;
}

export function createTransport({ source, ...options }: TransportOptions): Transport {
  const context: ExchangeContext = { ...options, exchanges: new Set() };
  let isClosed = false;
  const sendWithCredentials = async <T>(call: Call, sendOnce: (credentials: Credentials) => Promise<T>): Promise<T> => {
    call.signal?.throwIfAborted();
    if (isClosed) throw createClosedError(call);
    const loaded = source.getCurrent();
    const credentials = loaded instanceof Promise ? await rejectOnAbort(context.abortCallbacks, loaded, call.signal) : loaded;
    if (isClosed) throw createClosedError(call);
    try {
      return await sendOnce(credentials);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 401) throw error;
      const replacement = await rejectOnAbort(context.abortCallbacks, replaceCredentials(source, credentials, error), call.signal);
      if (replacement === credentials) throw error;
      return sendOnce(replacement);
    }
  };
  return {
    send: (call) => sendWithCredentials(call, (credentials) => sendCall(context, call, credentials)),
    stream: (call, onError) =>
      sendWithCredentials(call, (credentials) => openStream(context, createOutgoingRequest(call, credentials, 'unpooled'), onError)),
    close() {
      isClosed = true;
      for (const exchange of [...context.exchanges]) exchange.fail(new Error('the client port was closed'));
      source.destroy();
    },
  };
}

const createClosedError = (call: Call): Error => createError(call, 'the client port is closed');

/** Rereads the credentials. @throws the server's refusal if that fails, with the reason as its cause */
async function replaceCredentials(source: CredentialSource, refused: Credentials, refusal: ApiError): Promise<Credentials> {
  try {
    return await source.getReplacement(refused);
  } catch (cause) {
    throw new ApiError(refusal.status, { cause });
  }
}

/** Sends a call. If its pooled connection is stale, repeats a GET on a new connection; a write may have reached the server. */
async function sendCall(context: ExchangeContext, call: Call, credentials: Credentials): Promise<unknown> {
  try {
    return await exchangeJson(context, createOutgoingRequest(call, credentials, 'pooled'));
  } catch (error) {
    if (!(error instanceof StaleConnectionError)) throw error;
    if (call.method !== 'GET') throw error.cause;
    return exchangeJson(context, createOutgoingRequest(call, credentials, 'unpooled'));
  }
}

/** Carries the error of a request that was sent on a connection the server had closed. */
class StaleConnectionError extends Error {}

function exchangeJson(context: ExchangeContext, request: OutgoingRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    startExchange(context, request, {
      onResponse(response, exchange) {
        readText(response, (error, text) => {
          exchange.end();
          const code = response.statusCode ?? 0;
          if (error) return reject(createUnreadableError(request, code, '', error));
          if (code < 200 || code > 299) return reject(createResponseError(request, response, text));
          try {
            resolve(JSON.parse(text));
          } catch (cause) {
            reject(createUnreadableError(request, code, text, cause));
          }
        });
      },
      onFailure: (cause, isStale) => reject(isStale ? new StaleConnectionError('', { cause }) : cause),
    });
  });
}

function openStream(context: ExchangeContext, request: OutgoingRequest, onError: (error: unknown) => void): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    startExchange(context, request, {
      onResponse(response, exchange) {
        const code = response.statusCode ?? 0;
        if (code >= 200 && code <= 299) {
          response.setTimeout(0);
          return resolve(response);
        }
        readText(response, (error, text) => {
          exchange.end();
          reject(error ? createUnreadableError(request, code, '', error) : createResponseError(request, response, text));
        });
      },
      onFailure(error) {
        reject(error);
        onError(error);
      },
    });
  });
}

const createResponseError = (request: RequestLine, { statusCode = 0, headers }: IncomingMessage, body: string): ApiError =>
  createApiError(request, { code: statusCode, retryAfter: headers['retry-after'], body });

function createOutgoingRequest(
  call: Call,
  { headers, agents }: Credentials,
  agent: keyof Pick<Agents, 'pooled' | 'unpooled'>,
): OutgoingRequest {
  const { method, path, signal } = call;
  const common = { method, path, signal, agent: agents[agent] };
  if (call.body === undefined) return { ...common, headers: call.gzip ? [...headers, 'Accept-Encoding', 'gzip'] : headers };
  const body = JSON.stringify(call.body);
  const length = String(Buffer.byteLength(body));
  return { ...common, body, headers: [...headers, 'Content-Type', call.contentType ?? 'application/json', 'Content-Length', length] };
}

/** Settles like the promise, or rejects as soon as the signal is aborted. */
function rejectOnAbort<T>(abortCallbacks: AbortCallbacks, promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const removeAbortListener = abortCallbacks.onAbort(signal, () => reject(signal.reason));
    promise.then(resolve, reject).finally(removeAbortListener);
  });
}

/** Reads a whole body as text. Errors of the response itself are reported by the sender of the request. */
export function readText(response: IncomingMessage, onText: (error: Error | undefined, text: string) => void): void {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.on('end', () => {
    const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    if (response.headers['content-encoding'] !== 'gzip') return decodeBody(bytes, onText);
    gunzip(bytes, (error, decompressed) => (error ? onText(error, '') : decodeBody(decompressed, onText)));
  });
}

function decodeBody(bytes: Buffer, onText: (error: Error | undefined, text: string) => void): void {
  let text: string;
  try {
    text = bytes.toString('utf8');
  } catch (error) {
    // The text exceeds the maximum length of a string.
    onText(error as Error, '');
    return;
  }
  onText(undefined, text);
}
