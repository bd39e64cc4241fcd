import { compareText, objectKey } from '../apimachinery/index.ts';
import type { Attachment, RouteInfo } from './attach.ts';
import { compareHosts, hostMatches } from './hosts.ts';
import { type Match, matchGrpc, matchHttp } from './match.ts';
import type { GRPCRouteMatch, HTTPRouteMatch, RouteRule } from './objects.ts';
import type { Request } from './request.ts';
import { createdAt, type World } from './world.ts';

/** A match of a rule, for a request whose host the route is for. */
export interface Candidate {
  readonly info: RouteInfo;
  readonly attachment: Attachment | undefined;
  readonly rule: RouteRule<object>;
  readonly rulePath: string;
  /** Of the match, or of the rule without matches. */
  readonly path: string;
  /** The hostname of the route that matches; empty if it has none. */
  readonly hostname: string;
  /** The path of the match and its type. Absent for streams and gRPC. */
  readonly http?: { readonly type: string; readonly value: string };
  /** What the match requires. */
  readonly text: string;
  /** Compared from the first number on: larger ones take precedence. */
  readonly rank: readonly number[];
  readonly match: Match;
}

/**
 * The matches of routes for a request, in the order of their precedence.
 * @param routes with the listener that the request arrives at; a route without one is evaluated alone
 */
export const findCandidates = (
  routes: readonly { readonly info: RouteInfo; readonly attachment?: Attachment }[],
  request: Request,
  world: World,
): Candidate[] =>
  routes
    .flatMap(({ info, attachment }) => candidatesOf(info, attachment, request, world))
    .sort(
      (a, b) =>
        compareHosts(b.hostname, a.hostname) ||
        compareRanks(b.rank, a.rank) ||
        createdAt(a.info.route) - createdAt(b.info.route) ||
        compareText(objectKey(a.info.route), objectKey(b.info.route)),
    );

const compareRanks = (a: readonly number[], b: readonly number[]): number => {
  const i = a.findIndex((value, index) => value !== b[index]);
  return i < 0 ? 0 : (a[i] as number) - (b[i] ?? 0);
};

function candidatesOf(info: RouteInfo, attachment: Attachment | undefined, request: Request, world: World): Candidate[] {
  const { route, reference } = info;
  const hostname = findHostname(info, request);
  if (hostname === undefined) return [];
  return (route.spec?.rules ?? [{}]).flatMap((rule: RouteRule<object>, i) => {
    const rulePath = `spec.rules[${i}]`;
    const matches = rule.matches ?? [];
    return (matches.length > 0 ? matches : [{}]).map((match, j) => ({
      info,
      attachment,
      rule,
      rulePath,
      path: matches.length > 0 ? `${rulePath}.matches[${j}]` : rulePath,
      hostname,
      ...evaluators[reference.kind]?.(match, request, world),
    }));
  }) as Candidate[];
}

/** The most specific hostname of a route that matches the request. Undefined if none does. */
function findHostname({ route, reference }: RouteInfo, request: Request): string | undefined {
  const hostnames = route.spec?.hostnames ?? [];
  if (hostnames.length === 0) return '';
  const host = reference.kind === 'TLSRoute' ? request.sni : request.host;
  return hostnames.filter((each) => hostMatches(each, host)).sort((a, b) => compareHosts(b, a))[0];
}

type Evaluated = Pick<Candidate, 'http' | 'text' | 'rank' | 'match'>;
const matchStream = (): Evaluated => ({ text: 'every connection', rank: [], match: { matches: true } });

const evaluators: Readonly<Record<string, (match: object, request: Request, world: World) => Evaluated>> = {
  HTTPRoute: (match: HTTPRouteMatch, request, { matchRegex }) => {
    const { path, method, headers, queryParams } = match;
    const http = { type: path?.type ?? 'PathPrefix', value: path?.value ?? '/' };
    const counts = [headers?.length ?? 0, queryParams?.length ?? 0];
    const rank = [http.type === 'Exact' ? 1 : 0, http.type === 'Exact' ? 0 : http.value.length, method ? 1 : 0, ...counts];
    const parts = [`${http.type} ${http.value}`, method, ...[...(headers ?? []), ...(queryParams ?? [])].map(({ name }) => name)];
    return { http, text: parts.filter(Boolean).join(', '), rank, match: matchHttp(match, request, matchRegex) };
  },
  GRPCRoute: (match: GRPCRouteMatch, request, { matchRegex }) => {
    const { method, headers } = match;
    const rank = [method?.service?.length ?? 0, method?.method?.length ?? 0, headers?.length ?? 0];
    const text = method ? `${method.service || '*'}/${method.method || '*'}` : 'every method';
    return { text, rank, match: matchGrpc(match, request, matchRegex) };
  },
  TLSRoute: matchStream,
  TCPRoute: matchStream,
  UDPRoute: matchStream,
};
