import { CelFailure, type CelPart } from '../library.ts';
import { unescapeUrl, urlParts } from './url-escapes.ts';
import { checkRequestUri, cut, escapedPath, type ParsedUrl, parseUrl, printUrl } from './url-parse.ts';

/** An absolute URL, or the absolute path of one. */
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
  types: [{ name: type, ctor: CelURL, same: (a: CelURL, b: CelURL) => a.valueOf() === b.valueOf() }],
  functions: [
    { signature: `url(string): ${type}`, run: read },
    { signature: 'isURL(string): bool', run: (text: string) => problemOfRequestUri(text) === undefined },
    { signature: `${type}.getScheme(): string`, run: ({ parts }: CelURL) => parts.scheme },
    { signature: `${type}.getHost(): string`, run: ({ parts }: CelURL) => parts.host },
    { signature: `${type}.getHostname(): string`, run: ({ parts }: CelURL) => splitHost(parts)[0] },
    { signature: `${type}.getPort(): string`, run: ({ parts }: CelURL) => splitHost(parts)[1] },
    { signature: `${type}.getEscapedPath(): string`, run: ({ parts }: CelURL) => escapedPath(parts.path) },
    { signature: `${type}.getQuery(): map<string, list<string>>`, run: ({ parts }: CelURL) => readQuery(parts.query ?? '') },
  ],
};

/** What is wrong with a text that should be an absolute URL or path. */
export function problemOfRequestUri(text: string): string | undefined {
  return problemOf(() => checkRequestUri(text));
}

function read(text: string): CelURL {
  let parts: ParsedUrl | undefined;
  const problem = problemOf(() => {
    checkRequestUri(text);
    parts = parseUrl(text);
  });
  if (problem !== undefined) throw new CelFailure(`URL parse error during conversion from string: ${problem}`);
  return new CelURL(parts as ParsedUrl);
}

function problemOf(check: () => void): string | undefined {
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

/** Mirrors URL.Query of net/url (Go 1.26): what cannot be read is left out. */
function readQuery(query: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  const settings = query.split('&');
  for (const setting of settings.length > mostSettings ? [] : settings) {
    if (setting === '' || setting.includes(';')) continue;
    const [key, value = ''] = cut(setting.replaceAll('+', ' '), '=');
    const problem = problemOf(() => {
      const name = unescapeUrl(key, urlParts.query);
      const text = unescapeUrl(value, urlParts.query);
      const known = values.get(name);
      if (known) known.push(text);
      else values.set(name, [text]);
    });
    if (problem !== undefined) continue;
  }
  return values;
}

const mostSettings = 10_000;
