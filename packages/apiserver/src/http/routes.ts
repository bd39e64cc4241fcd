import { ApiError } from 'kube-endpoints/port';
import { type Authorizer, allowAll } from '../authorization/index.ts';
import { managerOf } from '../patch/index.ts';
import { createProtobufEncoder } from '../protobuf/index.ts';
import type { Catalog } from '../registry/catalog.ts';
import { noSuchResource, type Randomness, type Registry, type ServiceAccountTokens, systemRandomness } from '../registry/index.ts';
import { type Clock, systemClock } from '../store/index.ts';
import { createPlainAnswer, createResultAnswer, createStatusAnswer } from './answers.ts';
import { type Call, createJsonEncoder, type HandlerContext } from './call.ts';
import type { HttpAnswer, HttpRequest, Route } from './exchange.ts';
import { handlerOf } from './handlers.ts';
import { isCustom } from './kinds.ts';
import {
  createNoAcceptableOutputError,
  createUnknownRepresentationError,
  mediaTypeOf,
  mediaTypes,
  type NegotiationResult,
  negotiateOutput,
  type Output,
  wantsIndentation,
} from './negotiation.ts';
import { requirePatchType } from './patches.ts';
import { findTarget, type Target } from './targets.ts';
import { createWarnings, type Warnings } from './warnings.ts';
import { createYamlReader } from './yaml.ts';

export interface ResourceRouteOptions {
  readonly registry: Registry;
  readonly catalog: Catalog;
  /** Decides whether an update may create an object. Default: all requests are allowed. */
  readonly authorizer?: Authorizer;
  /** Returns the user of a token, for TokenReviews; default: all tokens are invalid. */
  readonly findUser?: HandlerContext['findUser'];
  readonly serviceAccountTokens?: ServiceAccountTokens;
  /** Default: the system clock. */
  readonly clock?: Clock;
  readonly randomness?: Randomness;
  /** Default: 3 MiB. */
  readonly maxBodyBytes?: number;
}

/** Serves requests for resources: /api/VERSION/... and /apis/GROUP/VERSION/..., of all groups in the catalog. */
export function createResourceRoute(options: ResourceRouteOptions): Route {
  const context = createHandlerContext(options);
  return (request) => {
    const { path, apiPrefix } = request.info;
    if (path === undefined) return request.path.startsWith('/api') ? createPlainAnswer(400, '400 Bad Request') : undefined;
    return apiPrefix === '' ? undefined : answerRequest(context, request);
  };
}

function createHandlerContext({
  registry,
  catalog,
  authorizer = allowAll,
  findUser = () => undefined,
  serviceAccountTokens,
  clock = systemClock,
  randomness = systemRandomness,
  maxBodyBytes = 3 * 2 ** 20,
}: ResourceRouteOptions): HandlerContext {
  return {
    registry,
    catalog,
    authorizer,
    findUser,
    serviceAccountTokens,
    clock,
    randomness,
    maxBodyBytes,
    jsonEncoder: createJsonEncoder(),
    protobufEncoder: createProtobufEncoder(),
    readYaml: createYamlReader(),
    negotiateOutput: memoizeByHeader(negotiateOutput),
    mediaTypeOf: memoizeByHeader((contentType) => mediaTypeOf(contentType || (mediaTypes[0] as string))),
    managerOf: memoizeByHeader((userAgent) => managerOf(undefined, userAgent ?? '') || undefined),
    waitForFlush: createFlushCoalescer(),
  };
}

/** Returns undefined synchronously if the path is unknown. */
function answerRequest(context: HandlerContext, request: HttpRequest): Promise<HttpAnswer> | undefined {
  const negotiationResult = context.negotiateOutput(request.headers['accept']);
  const warnings = createWarnings();
  let target: Target | undefined;
  try {
    target = findTarget(context.catalog, request.info, request.method);
  } catch (error) {
    return answerFailure(request, negotiationResult, warnings, error);
  }
  if (!target) return undefined;
  const onError = (error: unknown): Promise<HttpAnswer> => answerFailure(request, negotiationResult, warnings, error);
  return serveTarget(context, request, { target, negotiationResult, warnings }).catch(onError);
}

interface ResolvedRequest {
  readonly target: Target;
  readonly negotiationResult: NegotiationResult;
  readonly warnings: Warnings;
}

async function serveTarget(
  context: HandlerContext,
  request: HttpRequest,
  { target, negotiationResult, warnings }: ResolvedRequest,
): Promise<HttpAnswer> {
  const { servedResource, subresource, verb } = target;
  if (servedResource.deprecation !== undefined) warnings.add(servedResource.deprecation);
  if (verb === 'patch') requirePatchType(request.headers['content-type'], isCustom(servedResource));
  if (!negotiationResult.isKnown && !isCustom(servedResource)) throw createUnknownRepresentationError(verb === 'list');
  const output = isCustom(servedResource) ? negotiationResult.customOutput : negotiationResult.output;
  if (!output) throw createNoAcceptableOutputError();
  const call: Call = {
    context,
    request,
    servedResource,
    subresource,
    verb,
    namespace: request.info.namespace,
    name: request.info.name,
    isWatchPath: request.info.isWatchPath,
    output: applyPretty(request, output),
    warn: warnings.add,
  };
  const handler = handlerOf(call);
  if (!handler) throw noSuchResource();
  return createResultAnswer(call, await handler(call), warnings.headers);
}

async function answerFailure(
  request: HttpRequest,
  { errorOutput }: NegotiationResult,
  warnings: Warnings,
  error: unknown,
): Promise<HttpAnswer> {
  if (!(error instanceof ApiError)) throw error;
  return createStatusAnswer(error, applyPretty(request, errorOutput), warnings.headers);
}

/** Indents for interactive clients such as curl, or if the query asks for it. */
function applyPretty({ query, headers }: HttpRequest, output: Output): Output {
  return output.pretty || !wantsIndentation(query, headers['user-agent']) ? output : { ...output, pretty: true };
}

/** Caches the results of parsing up to 100 distinct header values. */
function memoizeByHeader<T>(parse: (header: string | undefined) => T): (header: string | undefined) => T {
  const cache = new Map<string | undefined, T>();
  return (header) => {
    const cachedValue = cache.get(header);
    if (cachedValue !== undefined || cache.has(header)) return cachedValue as T;
    const value = parse(header);
    if (cache.size < 100) cache.set(header, value);
    return value;
  };
}

/**
 * Creates a function that resolves for all its callers at the same time, in a flush. The flush happens after one turn of the event loop, or
 * if the previous flush was very recent, after a delay that grows with the number of callers of the previous flush.
 *
 * So a single event is sent at once, and events in quick succession are sent to each watch in few chunks. Writing to 100 connections costs
 * more than encoding the events; the delay leaves about half of the CPU time for writes to the API.
 *
 * Uses the system time, because the delays depend on the load of this process and do not affect any answer.
 */
export function createFlushCoalescer(): () => Promise<void> {
  let pendingFlush: Promise<void> | undefined;
  let lastFlushMs = Number.NEGATIVE_INFINITY;
  let waitingCount = 0;
  let delayMs = minFlushDelayMs;
  return () => {
    waitingCount++;
    pendingFlush ??= new Promise((resolve) => {
      const completeFlush = (): void => {
        delayMs = Math.min(Math.max(minFlushDelayMs, Math.round(waitingCount * flushDelayMsPerWatch)), maxFlushDelayMs);
        waitingCount = 0;
        pendingFlush = undefined;
        lastFlushMs = performance.now();
        resolve();
      };
      // Timers that are due run before an immediate, even if the immediate was set first.
      if (performance.now() - lastFlushMs < 2 * delayMs) setTimeout(() => setImmediate(completeFlush), delayMs);
      else setImmediate(completeFlush);
    });
    return pendingFlush;
  };
}

/** Milliseconds for which a watch may be delayed to collect more events while they arrive in quick succession. */
const minFlushDelayMs = 1;
const maxFlushDelayMs = 20;
/** Milliseconds of pause per waiting watch: several times the cost of writing to one connection. */
const flushDelayMsPerWatch = 0.1;
