import { type Answer, applyRule } from './answer.ts';
import { type Attachment, allListeners, type ListenerInfo, type RouteInfo } from './attach.ts';
import { type Candidate, findCandidates } from './candidates.ts';
import { createEntry, createPathNotFound, type Entry } from './entry.ts';
import { compareHosts, declare, hostMatches } from './hosts.ts';
import type { Gateway } from './objects.ts';
import { pickCandidate } from './pick.ts';
import { createReason, type GatewayReason } from './reasons.ts';
import { formatReference, referenceTo } from './reference.ts';
import type { Request } from './request.ts';
import type { RouteVia } from './result.ts';
import { checkGateway, findUnready, isGranted, type World } from './world.ts';

/** The protocols of listeners that serve a scheme. */
const protocols: Readonly<Record<Request['scheme'], readonly string[]>> = {
  http: ['HTTP'],
  https: ['HTTPS', 'TLS'],
  tls: ['TLS'],
  tcp: ['TCP'],
  udp: ['UDP'],
};

export function routeThroughGateway(gateway: Gateway, request: Request, routes: readonly RouteInfo[], world: World): Entry {
  const { scheme, host, sni, port } = request;
  const name = formatReference(referenceTo('Gateway', gateway));
  const all = allListeners(gateway, world);
  const onPort = all.filter(
    ({ listener }) => protocols[scheme].includes(listener.protocol ?? '') && (port === undefined || listener.port === port),
  );
  const attached = routes.flatMap((info) =>
    info.attachments.filter(({ listener }) => listener.gateway === gateway).map((attachment) => ({ info, attachment })),
  );
  if (onPort.length === 0) {
    const declared = declare(all.map(({ listener }) => `${listener.protocol} ${listener.port} (${listener.name})`));
    const reason = createReason(
      'PortNotFound',
      { scheme, port: String(port ?? ''), declared },
      { object: referenceTo('Gateway', gateway) },
    );
    const isKnown = findCandidates(attached, request, world).some(({ match }) => match.matches);
    return { level: isKnown ? 1 : 0, name, hostname: '', answer: { backends: [], reasons: [reason] } };
  }
  const listener = findListener(onPort, scheme === 'http' ? host : sni);
  if (!listener) {
    const reasons = findRejections(routes, onPort, request, world);
    return { level: reasons.length > 0 ? 1 : 0, name, hostname: '', answer: reject(scheme === 'http' ? request : undefined, reasons) };
  }
  const other = listener.listener.protocol === 'HTTPS' ? findListener(onPort.filter(isHttps), host) : listener;
  if (other && other !== listener) {
    const values = { sni, host, listener: listener.listener.name ?? '', other: other.listener.name ?? '' };
    const reason = createReason('Misdirected', values, { object: listener.parent, path: listener.path });
    return { level: 2, name, hostname: '', answer: { status: 421, backends: [], reasons: [reason] } };
  }
  return routeThroughListener({ name, gateway, listener, routes, attached: other ? attached : [] }, request, world);
}

const isHttps = ({ listener }: ListenerInfo): boolean => listener.protocol === 'HTTPS';

/** The listener with the most specific hostname. */
const findListener = (listeners: readonly ListenerInfo[], host: string): ListenerInfo | undefined =>
  listeners
    .filter(({ listener }) => hostMatches(listener.hostname ?? '', host))
    .sort((a, b) => compareHosts(b.listener.hostname ?? '', a.listener.hostname ?? ''))[0];

/** The answer if no rule matches. Only HTTP has a status. */
const reject = (request: Request | undefined, reasons: readonly GatewayReason[]): Answer => ({
  ...(request?.scheme.startsWith('http') && { status: 404 }),
  backends: [],
  reasons,
});

interface Arrival {
  readonly name: string;
  readonly gateway: Gateway;
  /** The listener that the request arrives at. */
  readonly listener: ListenerInfo;
  readonly routes: readonly RouteInfo[];
  /** The routes of all listeners of the Gateway. */
  readonly attached: readonly { readonly info: RouteInfo; readonly attachment: Attachment }[];
}

function routeThroughListener({ name, gateway, listener, routes, attached }: Arrival, request: Request, world: World): Entry {
  const isHere = ({ attachment }: Arrival['attached'][number]): boolean => attachment.listener.listener === listener.listener;
  const candidates = findCandidates(attached.filter(isHere), request, world);
  const { winner, open } = pickCandidate(candidates);
  const checks = [...open, ...checkGateway(gateway, world), ...checkListener(listener, world)];
  if (winner) {
    const answer = applyRule(winner, createVia(winner, listener), request, world);
    return createEntry(name, winner.hostname || (listener.listener.hostname ?? ''), answer, checks);
  }
  if (open.length > 0) return createEntry(name, '', { backends: [], reasons: [] }, checks);
  const rejections = findRejections(routes, [listener], request, world);
  const isForHost = ({ attachment }: Arrival['attached'][number]): boolean =>
    hostMatches(attachment.listener.listener.hostname ?? '', request.host);
  const others = rejections.length > 0 ? [] : findCandidates(attached.filter(isForHost), request, world);
  const elsewhere = others.find(({ match }) => match.matches);
  const reasons = [...rejections, ...explain(candidates, request), ...(elsewhere ? [explainOther(elsewhere, listener)] : [])];
  return { level: reasons.length > 0 ? 1 : 0, name, hostname: '', answer: reject(request, reasons) };
}

/** Why listeners do not serve the routes that match a request. */
const findRejections = (
  routes: readonly RouteInfo[],
  listeners: readonly ListenerInfo[],
  request: Request,
  world: World,
): GatewayReason[] =>
  routes.flatMap((info) => {
    const own = info.rejections.filter(({ listener }) => listeners.some((each) => each.listener === listener));
    const matches = own.length > 0 && findCandidates([{ info }], request, world).some(({ match }) => match.matches);
    return matches ? own.map(({ reason }) => reason) : [];
  });

const createVia = ({ info, path }: Candidate, { gateway, parent, listener }: ListenerInfo): RouteVia => ({
  route: info.reference,
  path,
  gateway: referenceTo('Gateway', gateway),
  parent,
  listener: listener.name ?? '',
});

/** Why no candidate matches: the first one whose path does, or the nearest path. */
function explain(candidates: readonly Candidate[], request: Request): GatewayReason[] {
  if (candidates.length === 0) return [];
  const almost = candidates.find(({ match }) => match.failed !== 'path');
  if (!almost)
    return [
      createPathNotFound(
        request,
        candidates.map(({ http, text }) => http?.value ?? `/${text}`),
      ),
    ];
  return [
    createReason('RequestNotMatched', { condition: almost.match.failed ?? '' }, { object: almost.info.reference, path: almost.path }),
  ];
}

function explainOther({ info, path, attachment }: Candidate, { listener }: ListenerInfo): GatewayReason {
  const others = `listener ${attachment?.listener.listener.name}`;
  return createReason('OtherListener', { others, listener: `listener ${listener.name}` }, { object: info.reference, path });
}

/** Why a listener may not serve requests: its status, its certificates. */
export function checkListener({ parent, parentObject, listener, path }: ListenerInfo, world: World): GatewayReason[] {
  const status = (parentObject.status?.listeners ?? []).find(({ name }) => name === listener.name);
  const location = { object: parent, path };
  const unready = findUnready({ metadata: parentObject.metadata, status }, ['Accepted', 'Programmed'], 'ListenerNotReady', location);
  const refs = listener.tls?.mode === 'Passthrough' ? [] : (listener.tls?.certificateRefs ?? []);
  const own = parent.namespace ?? '';
  const certificates = refs.flatMap((ref, i) => {
    if ((ref.kind ?? 'Secret') !== 'Secret') return [];
    const certificate = { object: parent, path: `${path}.tls.certificateRefs[${i}]` };
    const to = { group: '', kind: 'Secret', namespace: ref.namespace ?? own, name: ref.name ?? '' };
    const isForeign = to.namespace !== own && !isGranted({ kind: parent.kind, namespace: own }, to, world);
    return [
      ...(isForeign ? [createReason('CertificateNotGranted', { namespace: to.namespace, from: own }, certificate)] : []),
      ...findSecret(`${to.namespace}/${to.name}`, certificate, world),
    ];
  });
  return [...unready, ...certificates];
}

export function findSecret(secret: string, location: Parameters<typeof createReason>[2], { secrets }: World): GatewayReason[] {
  if (secrets?.has(secret)) return [];
  return [createReason(secrets ? 'SecretNotFound' : 'SecretsUnknown', { secret }, location)];
}
