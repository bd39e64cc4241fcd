import { pathHasPrefix, trimSlash } from './match.ts';
import type { PathModifier, RouteFilter } from './objects.ts';
import type { Request } from './request.ts';
import type { RouteRewrite } from './result.ts';

type Filters = readonly RouteFilter[];

/** The filters that change the request: RequestHeaderModifier and URLRewrite. Undefined if nothing changes. */
export function rewriteRequest(filters: Filters, request: Request, prefix: string): RouteRewrite | undefined {
  const headers = new Map<string, string | undefined>();
  const current = (name: string): string | undefined => (headers.has(name) ? headers.get(name) : request.headers.get(name));
  let [host, path]: (string | undefined)[] = [];
  for (const { requestHeaderModifier, urlRewrite } of filters) {
    const { set, add, remove } = requestHeaderModifier ?? {};
    for (const { name, value } of set ?? []) headers.set((name ?? '').toLowerCase(), value ?? '');
    for (const { name, value } of add ?? []) {
      const key = (name ?? '').toLowerCase();
      headers.set(key, [current(key), value].filter((text) => text !== undefined).join(','));
    }
    for (const name of remove ?? []) headers.set(name.toLowerCase(), undefined);
    host = urlRewrite?.hostname ?? host;
    if (urlRewrite?.path) path = modifyPath(urlRewrite.path, request.path, prefix) + request.search;
  }
  const changed = [...headers].sort(([a], [b]) => (a < b ? -1 : 1));
  const removed = changed.filter(([, value]) => value === undefined).map(([name]) => name);
  const values = Object.fromEntries(changed.filter(([, value]) => value !== undefined)) as Record<string, string>;
  const rewrite = {
    ...(host !== undefined && { host }),
    ...(path !== undefined && { path }),
    ...(Object.keys(values).length > 0 && { headers: values }),
    ...(removed.length > 0 && { removedHeaders: removed }),
  };
  return Object.keys(rewrite).length > 0 ? rewrite : undefined;
}

/** @param prefix of the path match */
export function modifyPath({ type, replaceFullPath, replacePrefixMatch }: PathModifier, path: string, prefix: string): string {
  if (type === 'ReplaceFullPath') return replaceFullPath || '/';
  const rest = pathHasPrefix(path, prefix) ? path.slice(trimSlash(prefix).length) : path;
  return trimSlash(replacePrefixMatch ?? '') + rest || '/';
}

type Redirect = NonNullable<RouteFilter['requestRedirect']>;

const wellKnownPorts: Readonly<Record<string, number | undefined>> = { http: 80, https: 443 };

/** The Location of a redirect. A port that the scheme implies is left out. */
export function locationOf(redirect: Redirect, request: Request, listenerPort: number, prefix: string): string {
  const scheme = redirect.scheme || request.scheme;
  const port = redirect.port ?? (redirect.scheme ? (wellKnownPorts[redirect.scheme] ?? listenerPort) : listenerPort);
  const path = redirect.path ? modifyPath(redirect.path, request.path, prefix) : request.path;
  const authority = `${redirect.hostname || request.host}${port === wellKnownPorts[scheme] ? '' : `:${port}`}`;
  return `${scheme}://${authority}${path}${request.search}`;
}
