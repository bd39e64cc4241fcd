import { resolveRule, type Source } from './backends.ts';
import type { Candidate } from './candidates.ts';
import { locationOf, rewriteRequest } from './filters.ts';
import type { RouteFilter } from './objects.ts';
import { createReason, type GatewayReason, verdictOf } from './reasons.ts';
import type { Request } from './request.ts';
import type { RouteBackend, RouteResult, RouteVia } from './result.ts';
import type { World } from './world.ts';

/** What answers a request, before its outcome is known. */
export interface Answer extends Omit<RouteResult, 'outcome'> {
  readonly isRedirect?: boolean;
}

/** The outcome: unknown if a question is open, otherwise what the answer has. */
export function createResult({ isRedirect, ...answer }: Answer): RouteResult {
  const isUnknown = answer.reasons.some(({ code }) => verdictOf(code) === 'unknown');
  const isAnswered = answer.backends.some(({ mirror, status }) => !mirror && status === undefined);
  const outcome = isUnknown ? 'unknown' : isRedirect ? 'redirect' : isAnswered ? 'backends' : 'error';
  return { outcome, ...answer, reasons: sortReasons(answer.reasons, outcome) };
}

/** The verdicts of reasons in their order, by outcome. */
const verdictOrders = {
  backends: 'ok error unknown note',
  redirect: 'ok error unknown note',
  error: 'error unknown ok note',
  unknown: 'unknown error ok note',
};

/** Sorts by verdict and leaves out repeated reasons. */
export function sortReasons(reasons: readonly GatewayReason[], outcome: RouteResult['outcome']): GatewayReason[] {
  const rankOf = ({ code }: GatewayReason): number => verdictOrders[outcome].indexOf(verdictOf(code));
  return [...new Map(reasons.map((reason) => [reason.message, reason])).values()].sort((a, b) => rankOf(a) - rankOf(b));
}

/** Applies the rule of a candidate: its redirect, or its filters and backends. */
export function applyRule(candidate: Candidate, via: RouteVia, request: Request, world: World): Answer {
  const { rule, rulePath, path, info, text } = candidate;
  const filters = rule.filters ?? [];
  const object = info.reference;
  const location = { object, path };
  const reasons = [
    createReason('RuleMatches', { match: text }, location),
    ...findOpenFilters(filters, request, { object, path: rulePath }),
  ];
  const prefix = candidate.http?.type === 'PathPrefix' ? candidate.http.value : '/';
  const redirect = filters.find(({ requestRedirect }) => requestRedirect)?.requestRedirect;
  const listenerPort = candidate.attachment?.listener.listener.port ?? request.port ?? 0;
  if (redirect)
    return {
      isRedirect: true,
      status: redirect.statusCode ?? 302,
      location: locationOf(redirect, request, listenerPort, prefix),
      via,
      backends: [],
      reasons,
    };
  const status = request.scheme.startsWith('http') ? (object.kind === 'GRPCRoute' ? 503 : 500) : 0;
  const source = { object, path: rulePath };
  const { used, mirrors, reasons: found } = resolveRule(rule, source, status, world);
  const backends = used.map(({ backend: { reasons: _, ...backend }, share, filters: own }): RouteBackend => {
    const rewrite = rewriteRequest([...filters, ...own], request, prefix);
    return { ...backend, share, ...(rewrite && { rewrite }) };
  });
  const open = used.flatMap(({ backend: { path: backendPath }, filters: own }) =>
    findOpenFilters(own, request, { object, path: backendPath }),
  );
  const isFailed = backends.every((each) => each.status !== undefined);
  const isExplained = found.some(({ code }) => verdictOf(code) === 'error');
  const unresolved = isExplained ? [] : (candidate.attachment?.unresolved ?? []);
  return {
    ...(isFailed && status > 0 && { status }),
    via,
    backends: [...backends, ...mirrors],
    reasons: [...reasons, ...found, ...open, ...unresolved],
  };
}

/** Filters without effect on where a request goes. */
const plainFilters = ['RequestHeaderModifier', 'ResponseHeaderModifier', 'RequestMirror', 'RequestRedirect', 'URLRewrite'];

/** Filters that may answer or change a request in ways that are not modelled. A CORS filter answers only preflight requests. */
function findOpenFilters(filters: readonly RouteFilter[], { method, headers }: Request, { object, path }: Source): GatewayReason[] {
  const isPreflight = method === 'OPTIONS' && headers.has('origin') && headers.has('access-control-request-method');
  return filters.flatMap(({ type }, i) => {
    if (plainFilters.includes(type ?? '') || (type === 'CORS' && !isPreflight)) return [];
    return [createReason('FilterUnknown', { type: type ?? '' }, { object, path: `${path}.filters[${i}]` })];
  });
}
