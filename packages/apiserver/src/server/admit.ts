import { parseDuration } from 'kube-endpoints/internal/apimachinery';
import { type Authorizer, allowAll, createForbiddenError, type Impersonator, readImpersonation } from '../authorization/index.ts';
import type { Classifier } from '../flow-control/index.ts';
import { createAccessAttributes, namespaceOf } from '../http/access.ts';
import type { HttpAnswer } from '../http/exchange.ts';
import type { User } from '../registry/index.ts';
import { badRequest } from '../store/index.ts';
import { createShutdownError, createTooManyRequestsAnswer, createUnauthorizedError } from './answers.ts';
import { type Authenticator, isAnonymous } from './authentication.ts';
import type { Exchange } from './exchange.ts';
import type { ServerState } from './state.ts';

export interface AdmitContext {
  readonly state: ServerState;
  readonly authenticate: Authenticator;
  readonly anonymous: boolean;
  readonly authorizer: Authorizer;
  readonly impersonate: Impersonator;
  /** Finds the FlowSchema and the priority level of a request, for headers of its answer. */
  readonly classifyFlow?: Classifier;
  /** The maximum duration of a request, except for watches. */
  readonly requestMs: number;
  readonly maxInFlight: number;
  readonly setDeadline: (exchange: Exchange, milliseconds: number) => void;
}

/**
 * Authenticates and authorizes a request, and applies the limits before routing, in the order of kube-apiserver's handler chain.
 * @returns an answer if the request must be retried later, otherwise undefined
 * @throws ApiError if the request is refused
 */
export function admit(exchange: Exchange, context: AdmitContext): HttpAnswer | undefined {
  const { state } = context;
  if (state.closing && !isServedWhileClosing(exchange.path)) throw createShutdownError();
  const { info } = exchange;
  exchange.isLongRunning = info.verb === 'watch';
  if (!exchange.isLongRunning) context.setDeadline(exchange, requestTimeoutMs(exchange, context.requestMs));
  exchange.user = authenticateUser(exchange, context);
  authorize(exchange, context);
  exchange.series = state.requests.begin(info, exchange.queryContains('dryRun='));
  if (exchange.isLongRunning) {
    exchange.series.openCount += 1;
    return undefined;
  }
  if (state.inFlight.mutating + state.inFlight.readOnly >= context.maxInFlight) return createTooManyRequestsAnswer();
  exchange.inFlightGroup = readOnlyVerbs.has(info.verb) ? 'readOnly' : 'mutating';
  state.inFlight[exchange.inFlightGroup] += 1;
  return undefined;
}

/** Undoes the counting of `admit` when a request ends, and records an answered request in the metrics. */
export function release(exchange: Exchange, state: ServerState, now: number): void {
  const { series, inFlightGroup } = exchange;
  if (inFlightGroup) state.inFlight[inFlightGroup] -= 1;
  if (!series) return;
  if (exchange.isLongRunning) series.openCount -= 1;
  if (exchange.isAnswered) state.requests.end(series, exchange.response.statusCode, now - exchange.startedAt);
}

function authenticateUser(exchange: Exchange, { authenticate, anonymous }: AdmitContext): User {
  const user = authenticate(exchange.headers['authorization'], exchange.incoming.socket);
  if (!user || (isAnonymous(user) && !anonymous && !publicPaths.has(exchange.path))) throw createUnauthorizedError();
  return user;
}

/** Replaces the user if the request asks to act as another user, and requires that the request is allowed. @throws ApiError */
function authorize(exchange: Exchange, { authorizer, classifyFlow, impersonate }: AdmitContext): void {
  // A malformed path is refused later.
  if (exchange.info.path === undefined) return;
  const wantedUser = hasImpersonation(exchange) ? readImpersonation(exchange.incoming.headersDistinct) : undefined;
  if (wantedUser) exchange.user = impersonate(wantedUser, createAccessAttributes(exchange));
  if (classifyFlow) classify(exchange, classifyFlow);
  if (authorizer === allowAll) return;
  const attributes = createAccessAttributes(exchange);
  const { isAllowed, reason } = authorizer.authorize(attributes);
  if (!isAllowed) throw createForbiddenError(attributes, reason);
}

/** As upstream, requests that stay open have no priority level, except watches. */
function classify(exchange: Exchange, classifyFlow: Classifier): void {
  const { info, user } = exchange;
  const { verb, group, resource, subresource, path = '' } = info;
  if (connectedSubresources.has(subresource)) return;
  const isForResource = info.scope !== '';
  exchange.flow = classifyFlow({
    user,
    verb,
    group,
    resource: isForResource ? resource : undefined,
    subresource,
    namespace: namespaceOf(info),
    path,
  });
}

const connectedSubresources: ReadonlySet<string> = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);

function hasImpersonation({ headers }: Exchange): boolean {
  for (const name in headers) if (name.startsWith('impersonate-')) return true;
  return false;
}

/** Milliseconds that a request may take: its `timeout` parameter, but at most `maxMs`. Mirrors WithRequestDeadline. */
function requestTimeoutMs(exchange: Exchange, maxMs: number): number {
  const text = exchange.queryContains('timeout=') ? exchange.query.get('timeout') : null;
  if (!text) return maxMs;
  let requestedMs: number;
  try {
    requestedMs = parseDuration(text);
  } catch (error) {
    throw badRequest(`invalid timeout specified in the request URL - ${(error as Error).message}`);
  }
  return requestedMs > 0 && requestedMs < maxMs ? requestedMs : maxMs;
}

/** Paths that monitoring needs while the server shuts down. */
const isServedWhileClosing = (path: string): boolean => monitoringPaths.some((prefix) => path.startsWith(prefix));

const monitoringPaths = ['/readyz', '/livez', '/healthz', '/metrics'];

/** The paths of `system:public-info-viewer`, open to anonymous requests. */
const publicPaths: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz', '/version', '/version/']);

const readOnlyVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch', 'head']);
