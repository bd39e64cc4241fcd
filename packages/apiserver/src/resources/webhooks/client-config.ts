import { dns1123Subdomain, portNumber } from '../../formats/names.ts';
import type { Causes } from '../field/causes.ts';
import { child, type Fields, has, number, text } from '../field/read.ts';

/** Mirrors the end of validateMutatingWebhook (pkg/apis/admissionregistration/validation, 1.36). */
export function validateClientConfig(config: Fields, field: string, causes: Causes): void {
  if (has(config, 'url') === has(config, 'service')) causes.required(field, 'exactly one of url or service is required');
  else if (has(config, 'url')) validateUrl(text(config, 'url'), `${field}.url`, causes);
  else validateService(child(config, 'service'), `${field}.service`, causes);
}

const desiredForm = '; desired format: https://host[/path]';

/** Mirrors ValidateWebhookURL (apiserver/pkg/util/webhook, 1.36). */
function validateUrl(url: string, field: string, causes: Causes): void {
  const parsed = parseUrl(url);
  if (typeof parsed === 'string') {
    causes.required(field, `url must be a valid URL: ${parsed}${desiredForm}`);
    return;
  }
  const { scheme, host, user, fragment, query } = parsed;
  if (scheme !== 'https') causes.invalid(field, scheme, `'https' is the only allowed URL scheme${desiredForm}`);
  if (host === '') causes.invalid(field, host, `host must be specified${desiredForm}`);
  if (user !== undefined) causes.invalid(field, user, 'user information is not permitted in the URL');
  if (fragment !== '') causes.invalid(field, fragment, 'fragments are not permitted in the URL');
  if (query !== '') causes.invalid(field, query, 'query parameters are not permitted in the URL');
}

interface Url {
  readonly scheme: string;
  readonly host: string;
  readonly user: string | undefined;
  readonly fragment: string;
  readonly query: string;
}

/** The parts of a URL that are validated, or the error of Go's url.Parse. */
function parseUrl(url: string): Url | string {
  const formatError = (detail: string): string => `parse ${JSON.stringify(url)}: ${detail}`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for control characters
  if (/[\u0000-\u001f\u007f]/.test(url)) return formatError('net/url: invalid control character in URL');
  const [rest = '', fragment = ''] = split(url, '#');
  if (rest.startsWith(':')) return formatError('missing protocol scheme');
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(rest)?.[1];
  const [path = '', query = ''] = split(scheme === undefined ? rest : rest.slice(scheme.length + 1), '?');
  if (scheme === undefined && /^[^/]*:/.test(path)) return formatError('first path segment in URL cannot contain colon');
  const badEscape = /%(?![0-9a-fA-F]{2}).{0,2}/.exec(path);
  if (badEscape) return formatError(`invalid URL escape ${JSON.stringify(badEscape[0])}`);
  const authority = /^\/\/([^/]*)/.exec(path)?.[1] ?? '';
  const atSign = authority.lastIndexOf('@');
  const host = authority.slice(atSign + 1);
  if (/ /.test(host)) return formatError('invalid character " " in host name');
  const port = /:([^\]]*)$/.exec(host)?.[1];
  if (port !== undefined && !/^\d*$/.test(port)) return formatError(`invalid port ${JSON.stringify(`:${port}`)} after host`);
  return { scheme: (scheme ?? '').toLowerCase(), host, user: atSign < 0 ? undefined : authority.slice(0, atSign), fragment, query };
}

function split(text: string, separator: string): readonly [string, string] {
  const index = text.indexOf(separator);
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)];
}

/** Mirrors ValidateWebhookService; upstream swaps name and namespace in field paths. */
function validateService(service: Fields, field: string, causes: Causes): void {
  if (text(service, 'namespace') === '') causes.required(`${field}.name`);
  if (text(service, 'name') === '') causes.required(`${field}.namespace`);
  const port = number(service, 'port');
  const messages = portNumber(port);
  if (messages.length > 0) causes.invalid(`${field}.port`, port, `port is not valid: ${messages.join(', ')}`);
  if (has(service, 'path')) validatePath(text(service, 'path'), `${field}.path`, causes);
}

function validatePath(path: string, field: string, causes: Causes): void {
  if (path === '' || path === '/') return;
  if (path === '//') {
    causes.invalid(field, path, 'segment[0] may not be empty');
    return;
  }
  if (!path.startsWith('/')) causes.invalid(field, path, "must start with a '/'");
  for (const [i, segment] of path.slice(1).replace(/\/$/, '').split('/').entries()) {
    if (segment === '') causes.invalid(field, path, `segment[${i}] may not be empty`);
    else for (const message of dns1123Subdomain(segment)) causes.invalid(field, path, `segment[${i}]: ${message}`);
  }
}
