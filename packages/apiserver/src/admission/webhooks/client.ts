import { posix } from 'node:path';
import { child, type Fields, has, number, text } from '../../resources/field/read.ts';

/** Where a connection goes to. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** A review on its way. */
export interface WebhookCall {
  /** The host and port that are meant, as in the URL. */
  readonly host: string;
  /** With the query. */
  readonly path: string;
  readonly body: string;
  /** Finds out where the server is. What it throws is why it cannot be reached. */
  locate(): Address | Promise<Address>;
  /** Whom the server's certificate has to name. */
  readonly serverName: string;
  /** PEM; absent: whom the machine believes. */
  readonly authorities?: string;
  /** Ends the call; the reason is an Error. */
  readonly signal: AbortSignal;
}

export interface WebhookAnswer {
  readonly code: number;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** Asks webhooks over HTTPS. It does not follow redirects. */
export interface WebhookClient {
  /** @throws CallBroken */
  post(call: WebhookCall): Promise<WebhookAnswer>;
  /** Ends the connections that are open. */
  close(): void;
}

/** A call that came to no answer. */
export class CallBroken extends Error {
  /** Where the call ended: before a connection could be tried, before there was an answer, or in the middle of it. */
  readonly where: 'setup' | 'call' | 'answer';

  constructor(where: CallBroken['where'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CallBroken';
    this.where = where;
  }
}

/** Where a webhook is, and whom to believe that it is the one. */
export interface ClientConfig {
  /** What stands between `https://` and the path: "10.0.0.1:8443", "hook.shop.svc:443". */
  readonly host: string;
  /** Cleaned, and encoded as it goes over the wire. */
  readonly path: string;
  /** Where it is a Service that is to be resolved. */
  readonly service?: ServiceReference;
  /** PEM; absent: whom the machine believes. */
  readonly authorities?: string;
}

export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** Mirrors hookClientConfig (1.36, apiserver/pkg/util/webhook/client.go). */
export function clientConfigOf(config: Fields): ClientConfig {
  const bundle = Buffer.from(text(config, 'caBundle'), 'base64').toString('utf8');
  const authorities = bundle === '' ? {} : { authorities: bundle };
  if (!has(config, 'service')) return { ...placeOf(text(config, 'url')), ...authorities };
  const { name, namespace, path, port } = referenceOf(child(config, 'service'));
  return { host: `${name}.${namespace}.svc:${port}`, path: cleaned(path), service: { namespace, name, port }, ...authorities };
}

const referenceOf = (service: Fields): ServiceReference & { readonly path: string } => ({
  name: text(service, 'name'),
  namespace: text(service, 'namespace'),
  path: text(service, 'path'),
  port: has(service, 'port') ? number(service, 'port') : 443,
});

function placeOf(url: string): { readonly host: string; readonly path: string } {
  const [, host = '', path = ''] = /^[^:]*:\/\/([^/]*)(.*)$/.exec(url) ?? [];
  return { host, path: cleaned(decodedPath(path)) };
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Mirrors path.Join and URL.EscapedPath: no dots, no doubled and no last slash. */
function cleaned(path: string): string {
  const joined = posix.join('/', path);
  const bare = joined.length > 1 ? joined.replace(/\/$/, '') : joined;
  return encodeURI(bare).replace(/[?#]/g, encodeURIComponent).replace(/%5B/g, '[').replace(/%5D/g, ']');
}
