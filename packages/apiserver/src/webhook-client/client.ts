import { posix } from 'node:path';
import { child, type Fields, has, number, text } from '../resources/field/read.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface WebhookCall {
  /** Host and port as in the URL. */
  readonly host: string;
  /** Including the query. */
  readonly path: string;
  readonly body: string;
  /** Resolves the address of the server. An error becomes the reason why the call failed. */
  locate(): Address | Promise<Address>;
  /** The name that the server's certificate must have. */
  readonly serverName: string;
  /** Certificate authorities in PEM. Default: those of Node.js. */
  readonly authorities?: string;
  /** Aborts the call; the reason must be an Error. */
  readonly signal: AbortSignal;
}

export interface WebhookAnswer {
  readonly code: number;
  /** Keys are in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** Calls webhooks over HTTPS, without following redirects. */
export interface WebhookClient {
  /** @throws WebhookConnectionError if there is no complete answer */
  post(call: WebhookCall): Promise<WebhookAnswer>;
  close(): void;
}

/** A call that got no complete answer. */
export class WebhookConnectionError extends Error {
  /** The phase that failed: before connecting, before the answer, or while reading it. */
  readonly phase: 'setup' | 'call' | 'answer';

  constructor(phase: WebhookConnectionError['phase'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'WebhookConnectionError';
    this.phase = phase;
  }
}

/** The address of a webhook and the authorities that verify it. */
export interface ClientConfig {
  /** The authority of the URL: "10.0.0.1:8443", "hook.shop.svc:443". */
  readonly host: string;
  /** Normalized and percent-encoded. */
  readonly path: string;
  /** The Service of the webhook; absent if the webhook is configured by a URL. */
  readonly service?: ServiceReference;
  /** Certificate authorities in PEM. Default: those of Node.js. */
  readonly authorities?: string;
}

export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** Reads the clientConfig of a webhook. Mirrors hookClientConfig (1.36, apiserver/pkg/util/webhook/client.go). */
export function readClientConfig(config: Fields): ClientConfig {
  const caBundle = Buffer.from(text(config, 'caBundle'), 'base64').toString('utf8');
  const authorities = caBundle === '' ? {} : { authorities: caBundle };
  if (!has(config, 'service')) return { ...parseWebhookUrl(text(config, 'url')), ...authorities };
  const { name, namespace, path, port } = readServiceReference(child(config, 'service'));
  return { host: `${name}.${namespace}.svc:${port}`, path: normalizePath(path), service: { namespace, name, port }, ...authorities };
}

const readServiceReference = (service: Fields): ServiceReference & { readonly path: string } => ({
  name: text(service, 'name'),
  namespace: text(service, 'namespace'),
  path: text(service, 'path'),
  port: has(service, 'port') ? number(service, 'port') : 443,
});

function parseWebhookUrl(url: string): { readonly host: string; readonly path: string } {
  const [, host = '', path = ''] = /^[^:]*:\/\/([^/]*)(.*)$/.exec(url) ?? [];
  return { host, path: normalizePath(decodePath(path)) };
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Mirrors path.Join and URL.EscapedPath: removes dot segments, repeated slashes and a trailing slash. */
function normalizePath(path: string): string {
  const joinedPath = posix.join('/', path);
  const trimmedPath = joinedPath.length > 1 ? joinedPath.replace(/\/$/, '') : joinedPath;
  return encodeURI(trimmedPath).replace(/[?#]/g, encodeURIComponent).replace(/%5B/g, '[').replace(/%5D/g, ']');
}
