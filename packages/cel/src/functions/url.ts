import { parseAddr, quote } from 'kube-endpoints/internal/apimachinery';
import { CelFailure, type CelPart } from '../library.ts';
import { checkEscapes, ensureEscapedUrl, escapeUrl, reescapeUrl, unescapeUrl, urlParts } from './url-escapes.ts';

/** An absolute URL or absolute path. */
export class CelURL {
  readonly parts: ParsedUrl;
  constructor(parts: ParsedUrl) {
    this.parts = parts;
  }
  valueOf(): string {
    return printUrl(this.parts);
  }
}

const type = 'kubernetes.URL';

/** Mirrors apiserver/pkg/cel/library/urls.go (1.36). */
export const urlFunctions: CelPart = {
  types: [{ name: type, ctor: CelURL, equals: (a: CelURL, b: CelURL) => a.valueOf() === b.valueOf() }],
  functions: [
    { signature: `url(string): ${type}`, run: parseCelUrl },
    { signature: 'isURL(string): bool', run: (text: string) => problemOfRequestUri(text) === undefined },
    { signature: `${type}.getScheme(): string`, run: ({ parts }: CelURL) => parts.scheme },
    { signature: `${type}.getHost(): string`, run: ({ parts }: CelURL) => parts.host },
    { signature: `${type}.getHostname(): string`, run: ({ parts }: CelURL) => splitHost(parts)[0] },
    { signature: `${type}.getPort(): string`, run: ({ parts }: CelURL) => splitHost(parts)[1] },
    { signature: `${type}.getEscapedPath(): string`, run: ({ parts }: CelURL) => ensureEscapedPath(parts.path) },
    { signature: `${type}.getQuery(): map<string, list<string>>`, run: ({ parts }: CelURL) => parseQuery(parts.query ?? '') },
  ],
};

/** Returns an error message if the text is not an absolute URL or path; otherwise undefined. */
export function problemOfRequestUri(text: string): string | undefined {
  return catchProblem(() => checkRequestUri(text));
}

function parseCelUrl(text: string): CelURL {
  let parts: ParsedUrl | undefined;
  const problem = catchProblem(() => {
    checkRequestUri(text);
    parts = parseUrl(text);
  });
  if (problem !== undefined) throw new CelFailure(`URL parse error during conversion from string: ${problem}`);
  return new CelURL(parts as ParsedUrl);
}

function catchProblem(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof CelFailure) return error.message;
    throw error;
  }
}

function splitHost({ host }: ParsedUrl): readonly [name: string, port: string] {
  const port = /:\d*$/.exec(host.slice(Math.max(host.lastIndexOf(':'), 0)))?.[0] ?? '';
  const name = host.slice(0, host.length - port.length);
  return [name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name, port.slice(1)];
}

/** Mirrors URL.Query of net/url (Go 1.26): skips invalid parameters, and returns an empty map if there are more than `maxQueryParameters`. */
function parseQuery(query: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  const parameters = query.split('&');
  for (const parameter of parameters.length > maxQueryParameters ? [] : parameters) {
    if (parameter === '' || parameter.includes(';')) continue;
    const [key, value = ''] = cut(parameter.replaceAll('+', ' '), '=');
    catchProblem(() => {
      const name = unescapeUrl(key, urlParts.query);
      const text = unescapeUrl(value, urlParts.query);
      const existing = values.get(name);
      if (existing) existing.push(text);
      else values.set(name, [text]);
    });
  }
  return values;
}

const maxQueryParameters = 10_000;

/** The parts of a URL as written, except that the scheme is in lowercase and the host is unescaped. */
export interface ParsedUrl {
  readonly scheme: string;
  /** The text after the scheme if it is not a path. */
  readonly opaque: string;
  readonly user: string | undefined;
  /** Unescaped. */
  readonly host: string;
  /** True if a path follows the scheme directly, without "//". */
  readonly omitsHost: boolean;
  readonly path: string;
  readonly query: string | undefined;
  readonly fragment: string;
}

/**
 * Mirrors Parse of net/url (Go 1.26).
 * @throws CelFailure with Go's message
 */
export function parseUrl(text: string): ParsedUrl {
  const [rest, fragment = ''] = cut(text, '#');
  const parsed = withUrlInError(rest, () => parseWithoutFragment(rest, false));
  withUrlInError(text, () => checkEscapes(fragment, urlParts.fragment));
  return { ...parsed, fragment };
}

/** Mirrors ParseRequestURI, which does not treat a fragment specially. */
export function checkRequestUri(text: string): void {
  withUrlInError(text, () => parseWithoutFragment(text, true));
}

/** Mirrors URL.String. */
export function printUrl({ scheme, opaque, user, host, omitsHost, path, query, fragment }: ParsedUrl): string {
  const hasAuthority = user !== undefined || host !== '' || (scheme !== '' && !omitsHost && path !== '');
  const login = user === undefined ? '' : `${printUser(user)}@`;
  const authority = hasAuthority ? `//${login}${escapeUrl(host, urlParts.host)}` : '';
  const schemePrefix = scheme === '' ? '' : `${scheme}:`;
  const fragmentSuffix = fragment === '' ? '' : `#${ensureEscapedUrl(fragment, urlParts.fragment)}`;
  return `${schemePrefix}${opaque || authority + ensureEscapedPath(path)}${query === undefined ? '' : `?${query}`}${fragmentSuffix}`;
}

/** Mirrors URL.EscapedPath. */
export const ensureEscapedPath = (path: string): string => (path === '*' ? path : ensureEscapedUrl(path, urlParts.path));

export function cut(text: string, separator: string): readonly [string, string | undefined] {
  const index = text.indexOf(separator);
  return index < 0 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
}

function printUser(user: string): string {
  const [name, password] = cut(user, ':');
  return `${reescapeUrl(name, urlParts.user)}${password === undefined ? '' : `:${reescapeUrl(password, urlParts.user)}`}`;
}

function withUrlInError<T>(text: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof CelFailure) throw new CelFailure(`parse ${quote(text)}: ${error.message}`);
    throw error;
  }
}

const emptyUrl = { scheme: '', opaque: '', user: undefined, host: '', omitsHost: false, path: '', query: undefined, fragment: '' };

function parseWithoutFragment(text: string, isRequestUri: boolean): ParsedUrl {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
  if (/[\u0000-\u001f\u007f]/.test(text)) throw new CelFailure('net/url: invalid control character in URL');
  if (text === '' && isRequestUri) throw new CelFailure('empty url');
  if (text === '*') return { ...emptyUrl, path: '*' };
  if (text.startsWith(':')) throw new CelFailure('missing protocol scheme');
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text)?.[1] ?? '';
  const [rest, query] = cut(scheme === '' ? text : text.slice(scheme.length + 1), '?');
  const partialUrl = { ...emptyUrl, scheme: scheme.toLowerCase(), query };
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...partialUrl, opaque: rest };
    // parseUrl never reaches this line: its input has passed checkRequestUri, so it has a scheme or begins with a slash.
    throw new CelFailure('invalid URI for request');
  }
  const isAuthority = rest.startsWith('//') && (scheme !== '' || !(isRequestUri || rest.startsWith('///')));
  const slash = isAuthority ? rest.indexOf('/', 2) : 0;
  const path = slash < 0 ? '' : rest.slice(slash);
  const authority = isAuthority ? parseAuthority(partialUrl.scheme, rest.slice(2, slash < 0 ? undefined : slash)) : undefined;
  checkEscapes(path, urlParts.path);
  return { ...partialUrl, omitsHost: scheme !== '' && !isAuthority, ...authority, path };
}

function parseAuthority(scheme: string, authority: string): Pick<ParsedUrl, 'user' | 'host'> {
  const atSign = authority.lastIndexOf('@');
  const host = parseHost(scheme, authority.slice(atSign + 1));
  if (atSign < 0) return { user: undefined, host };
  const user = authority.slice(0, atSign);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) throw new CelFailure('net/url: invalid userinfo');
  checkEscapes(user, urlParts.user);
  return { user, host };
}

function parseHost(scheme: string, host: string): string {
  const bracket = host.lastIndexOf('[');
  if (bracket > 0) throw new CelFailure('invalid IP-literal');
  if (bracket === 0) return parseIPLiteral(host);
  // In URLs of http and https, the port begins at the first colon, so that a host with several colons is invalid.
  const colon = scheme === 'http' || scheme === 'https' ? host.indexOf(':') : host.lastIndexOf(':');
  if (colon >= 0) checkPort(host.slice(colon));
  return unescapeUrl(host, urlParts.host);
}

/** Parses an IPv6 address in brackets, and a port. */
function parseIPLiteral(host: string): string {
  const end = host.lastIndexOf(']');
  if (end < 0) throw new CelFailure("missing ']' in host");
  const port = host.slice(end + 1);
  checkPort(port);
  const name = host.slice(1, end);
  const zoneStart = name.indexOf('%25');
  const addressText = unescapeUrl(zoneStart < 0 ? name : name.slice(0, zoneStart), urlParts.host);
  const unescapedName = zoneStart < 0 ? addressText : addressText + unescapeUrl(name.slice(zoneStart), urlParts.zone);
  const address = parseAddr(unescapedName);
  if (typeof address === 'string') throw new CelFailure(`invalid host: ${address}`);
  if (address.family === 'IPv4') throw new CelFailure('invalid IP-literal');
  return `[${unescapedName}]${port}`;
}

function checkPort(port: string): void {
  if (!/^(?::\d*)?$/.test(port)) throw new CelFailure(`invalid port ${quote(port)} after host`);
}
