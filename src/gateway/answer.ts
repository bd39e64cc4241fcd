import { type Backend, resolveBackendRef, type Source, shareOut, toRouteBackend } from './backends.ts';
import type { Candidate } from './candidates.ts';
import { locationOf, rewriteRequest } from './filters.ts';
import type { RouteFilter } from './objects.ts';
import { gatewayReasons } from './reason-table.ts';
import { createReason, type GatewayReason, type GatewayReasonCode } from './reasons.ts';
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

export const verdictOf = (code: GatewayReasonCode): string => gatewayReasons[code].verdict;

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
  const status = request.scheme.startsWith('http') ? (request.isGrpc && object.kind === 'GRPCRoute' ? 503 : 500) : undefined;
  const forwarded = forward(candidate, request, prefix, status, world);
  const isFailed = forwarded.backends.every((each) => each.mirror || each.status !== undefined);
  const unresolved = forwarded.hasErrors ? [] : (candidate.attachment?.unresolved ?? []);
  return {
    ...(isFailed && status && { status }),
    via,
    backends: forwarded.backends,
    reasons: [...reasons, ...forwarded.reasons, ...unresolved],
  };
}

interface Forwarded {
  readonly backends: readonly RouteBackend[];
  readonly reasons: readonly GatewayReason[];
  readonly hasErrors: boolean;
}

function forward(candidate: Candidate, request: Request, prefix: string, status: number | undefined, world: World): Forwarded {
  const { rule, rulePath, info } = candidate;
  const filters = rule.filters ?? [];
  const sourceOf = (path: string): Source => ({ object: info.reference, path: `${rulePath}.${path}` });
  const refs = (rule.backendRefs ?? []).map((ref, i) => {
    const source = sourceOf(`backendRefs[${i}]`);
    return { source, weight: ref.weight ?? 1, filters: ref.filters ?? [], backend: resolveBackendRef(ref, source, world) };
  });
  const used = refs.filter(({ weight }) => weight > 0);
  const shares = shareOut(used, status).map((each, i) => {
    const rewrite = rewriteRequest([...filters, ...(used[i]?.filters ?? [])], request, prefix);
    return rewrite ? { ...each, rewrite } : each;
  });
  const mirrors = [
    ...mirrorsOf(filters, sourceOf('filters'), world),
    ...used.flatMap((each) => mirrorsOf(each.filters, { ...each.source, path: `${each.source.path}.filters` }, world)),
  ];
  const isEmpty = used.length === 0;
  return {
    backends: [...shares, ...mirrors.flatMap(({ mirror }) => mirror ?? [])],
    reasons: [
      ...used.flatMap(({ backend: { errors, others }, source, filters: own }) => [
        ...errors,
        ...others,
        ...findOpenFilters(own, request, source),
      ]),
      ...(isEmpty ? [createReason('NoBackend', {}, { object: info.reference, path: rulePath })] : []),
      ...refs.filter(({ weight }) => weight === 0).map(({ source }) => createReason('ZeroWeight', {}, source)),
      ...mirrors.flatMap(({ backend: { errors, others } }) => [...errors, ...others]),
    ],
    hasErrors: isEmpty || [...refs, ...mirrors].some(({ backend }) => backend.errors.length > 0),
  };
}

function mirrorsOf(
  filters: readonly RouteFilter[],
  { object, path }: Source,
  world: World,
): { readonly backend: Backend; readonly mirror?: RouteBackend }[] {
  return filters.flatMap(({ requestMirror }, i) => {
    if (!requestMirror?.backendRef) return [];
    const { percent, fraction } = requestMirror;
    const source = { object, path: `${path}[${i}].requestMirror.backendRef` };
    const backend = resolveBackendRef(requestMirror.backendRef, source, world);
    const share = fraction ? (fraction.numerator ?? 0) / (fraction.denominator ?? 100) : (percent ?? 100) / 100;
    const mirror = { ...toRouteBackend(backend, 0), share, mirror: true as const };
    return [mirror.status === undefined ? { backend, mirror } : { backend }];
  });
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
