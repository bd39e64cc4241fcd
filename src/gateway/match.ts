import type { GRPCRouteMatch, HTTPRouteMatch, ValueMatch } from './objects.ts';
import type { Request } from './request.ts';
import type { RouteOptions } from './result.ts';

/** Whether the conditions of a rule hold. */
export interface Match {
  /** Whether they hold if every regular expression without an answer does not match. */
  readonly matches: boolean;
  /** The regular expression whose answer decides. */
  readonly pattern?: string;
  /** The first condition that does not hold; "path" for a path. */
  readonly failed?: string;
}

/** Whether a path starts with the elements of a prefix. A "/" at the end of the prefix is ignored. */
export function pathHasPrefix(path: string, prefix: string): boolean {
  const trimmed = trimSlash(prefix);
  return path === trimmed || path.startsWith(`${trimmed}/`);
}

export const trimSlash = (path: string): string => path.replace(/\/$/, '');

type MatchRegex = RouteOptions['matchRegex'];

export function matchHttp({ path, method, headers, queryParams }: HTTPRouteMatch, request: Request, matchRegex: MatchRegex): Match {
  return matchAll(
    [
      ['path', path?.type ?? 'PathPrefix', path?.value ?? '/', request.path],
      ...(method ? [[`method ${method}`, 'Exact', method, request.method] as const] : []),
      ...firstOfEachName(headers, (name) => name.toLowerCase()).map(
        ({ type, name, value }) =>
          [`header ${name}: ${value}`, type ?? 'Exact', value ?? '', request.headers.get((name ?? '').toLowerCase())] as const,
      ),
      ...firstOfEachName(queryParams, (name) => name).map(
        ({ type, name, value }) => [`query ${name}=${value}`, type ?? 'Exact', value ?? '', request.query.get(name ?? '')] as const,
      ),
    ],
    matchRegex,
  );
}

export function matchGrpc({ method, headers }: GRPCRouteMatch, request: Request, matchRegex: MatchRegex): Match {
  const [, service, name] = /^\/([^/]+)\/([^/]+)$/.exec(request.path) ?? [];
  const type = method?.type ?? 'Exact';
  const condition = matchAll(
    [
      ...(method?.service ? [['path', type, method.service, service] as const] : []),
      ...(method?.method ? [['path', type, method.method, name] as const] : []),
    ],
    matchRegex,
  );
  if (!condition.matches && condition.pattern === undefined) return condition;
  if (!request.isGrpc) return { matches: false, failed: 'header content-type: application/grpc' };
  return condition.matches ? matchHttp({ path: { value: '/' }, headers: headers ?? [] }, request, matchRegex) : condition;
}

/** A condition: its description, its type, the pattern and the text. */
type Condition = readonly [name: string, type: string, pattern: string, text: string | undefined];

function matchAll(conditions: readonly Condition[], matchRegex: MatchRegex): Match {
  let open: string | undefined;
  for (const [failed, type, pattern, text] of conditions) {
    const result = text !== undefined && matchText(type, pattern, text, matchRegex);
    if (result === false) return { matches: false, failed };
    if (result === undefined) open ??= pattern;
  }
  return open === undefined ? { matches: true } : { matches: false, pattern: open };
}

/** Undefined if unknown. */
function matchText(type: string, pattern: string, text: string, matchRegex: MatchRegex): boolean | undefined {
  if (type === 'RegularExpression') return matchRegex?.(pattern, text);
  return type === 'PathPrefix' ? pathHasPrefix(text, pattern) : pattern === text;
}

/** Later entries with an equivalent name are ignored. */
function firstOfEachName(matches: HTTPRouteMatch['headers'], normalize: (name: string) => string): ValueMatch[] {
  const names = (matches ?? []).map(({ name }) => normalize(name ?? ''));
  return (matches ?? []).filter((_, i) => names.indexOf(names[i] as string) === i);
}
