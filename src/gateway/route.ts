import { type Answer, createResult } from './answer.ts';
import { attachRoutes, type RouteInfo } from './attach.ts';
import { findCandidates } from './candidates.ts';
import type { Entry } from './entry.ts';
import { routeThroughGateway } from './gateway.ts';
import { compareHosts, nearest } from './hosts.ts';
import { groupIngresses, routeThroughIngresses } from './ingress.ts';
import type { GatewayObjects } from './objects.ts';
import { pickCandidate } from './pick.ts';
import { createReason } from './reasons.ts';
import { formatReference, referenceTo } from './reference.ts';
import { type Request, readRequest } from './request.ts';
import type { RouteOptions, RouteRequest, RouteResult } from './result.ts';
import { findInvalid } from './validate.ts';
import { createWorld, type World } from './world.ts';

/**
 * Routes a request through Ingresses and Gateways: docs/semantics/gateway.md.
 * @throws RangeError for an invalid request, and for an object that an API server does not accept (`findRouteProblems`)
 */
export function routeRequest(request: RouteRequest, objects: GatewayObjects, options: RouteOptions = {}): RouteResult {
  const read = readRequest(request);
  const world = createWorld(objects, options);
  const [problem] = findInvalid(world);
  if (problem) throw new RangeError(problem.message.replace(/\.$/, ''));
  const routes = attachRoutes(world);
  const entries = routeThroughEntries(request, read, routes, world);
  const level = Math.max(...entries.map((entry) => entry.level), 0);
  const unattached = findUnattached(routes, read, world);
  const best = entries.filter((entry) => entry.level === level).sort((a, b) => compareHosts(b.hostname, a.hostname));
  if (level === 3) return createResult(addCompetitors(best, unattached));
  const values = { host: JSON.stringify(read.host), nearest: nearest(read.host, knownHosts(world)) };
  const notFound = { backends: [], reasons: [createReason('HostNotFound', values)] };
  const known = best.map(({ answer }) => answer);
  const rejections = level > 0 ? known : [notFound, ...known];
  return createResult(
    mergeAnswers(level < 2 && unattached.length > 0 ? unattached.map(({ answer }) => answer) : rejections, level, entries),
  );
}

/** @throws RangeError if the request names a Gateway or a class that does not exist */
function routeThroughEntries(
  { gateway, ingressClass }: RouteRequest,
  request: Request,
  routes: readonly RouteInfo[],
  world: World,
): Entry[] {
  const isAny = gateway === undefined && ingressClass === undefined;
  const gateways = (world.lists.gateways ?? []).map((each) => ({ each, key: formatReference(referenceTo('Gateway', each)) }));
  const groups = request.scheme.startsWith('http') ? groupIngresses(world) : [];
  const chosen = gateways.filter(({ key }) => isAny || key === `Gateway ${gateway}`);
  const chosenGroups = groups.filter(({ className }) => isAny || (ingressClass !== undefined && className === ingressClass));
  if (gateway !== undefined && chosen.length === 0)
    throw new RangeError(`gateway is ${JSON.stringify(gateway)}, but has to be "namespace/name" of one of the Gateways`);
  if (ingressClass !== undefined && chosenGroups.length === 0)
    throw new RangeError(`ingressClass is ${JSON.stringify(ingressClass)}, but has to be the class of one of the Ingresses`);
  return [
    ...chosen.map(({ each }) => routeThroughGateway(each, request, routes, world)),
    ...chosenGroups.map((group) => routeThroughIngresses(group, request, world)),
  ];
}

interface Unattached {
  readonly hostname: string;
  readonly answer: Answer;
}

/** Routes that match the request, but have parentRefs that attach them to no listener. */
const findUnattached = (routes: readonly RouteInfo[], request: Request, world: World): Unattached[] =>
  routes
    .filter(({ failures }) => failures.length > 0)
    .flatMap((info) => {
      if (!schemesByKind[info.reference.kind]?.includes(request.scheme)) return [];
      const { winner } = pickCandidate(findCandidates([{ info }], request, world));
      return winner ? [{ hostname: winner.hostname, answer: { backends: [], reasons: info.failures } }] : [];
    })
    .sort((a, b) => compareHosts(b.hostname, a.hostname));

const schemesByKind: Readonly<Record<string, readonly string[]>> = {
  HTTPRoute: ['http', 'https'],
  GRPCRoute: ['http', 'https'],
  TLSRoute: ['https', 'tls'],
  TCPRoute: ['tcp', 'tls'],
  UDPRoute: ['udp'],
};

/** Adds other entries that answer, and routes for a more specific hostname that are not attached, to the best entry. */
function addCompetitors(best: readonly Entry[], unattached: readonly Unattached[]): Answer {
  const [{ answer, hostname }] = best as readonly [Entry, ...Entry[]];
  const several = best.length > 1 ? [createReason('SeveralGateways', { entries: best.map(({ name }) => name).join(', ') })] : [];
  const missed = unattached.filter((each) => compareHosts(each.hostname, hostname) > 0).flatMap((each) => each.answer.reasons);
  return { ...answer, reasons: [...several, ...answer.reasons, ...missed] };
}

/** The first answer with the reasons of all; if nothing is blocked, with the status of an entry that rejects the request. */
function mergeAnswers(answers: readonly Answer[], level: number, entries: readonly Entry[]): Answer {
  const status = level < 2 ? entries.find(({ answer }) => answer.status !== undefined)?.answer.status : undefined;
  return { ...(status !== undefined && { status }), ...(answers[0] as Answer), reasons: answers.flatMap(({ reasons }) => reasons) };
}

function* knownHosts({ lists }: World): Iterable<string> {
  for (const { spec } of lists.ingresses ?? []) for (const { host } of spec?.rules ?? []) yield host ?? '';
  for (const list of [lists.httpRoutes, lists.grpcRoutes, lists.tlsRoutes]) for (const { spec } of list ?? []) yield* spec?.hostnames ?? [];
  for (const list of [lists.gateways, lists.listenerSets])
    for (const { spec } of list ?? []) for (const { hostname } of spec?.listeners ?? []) yield hostname ?? '';
}
