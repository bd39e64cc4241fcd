import { nameOf, namespaceOf, requirementsOf, selectorMatches } from '../apimachinery/index.ts';
import { declare, hostsIntersect, nearest } from './hosts.ts';
import type { Gateway, GRPCRoute, HTTPRoute, Listener, ListenerSet, ParentRef, StreamRoute } from './objects.ts';
import { createReason, type GatewayReason } from './reasons.ts';
import { formatReference, type GatewayKind, type GatewayReference, referenceTo } from './reference.ts';
import { findUnready, namespaceNameLabel, type World } from './world.ts';

export type AnyRoute = HTTPRoute | GRPCRoute | StreamRoute;

export interface ListenerInfo {
  readonly gateway: Gateway;
  /** The Gateway or ListenerSet that has the listener. */
  readonly parent: GatewayReference;
  readonly parentObject: Gateway | ListenerSet;
  readonly listener: Listener;
  readonly path: string;
}

/** A listener that serves a route. */
export interface Attachment {
  readonly listener: ListenerInfo;
  /** Reasons why it may not. */
  readonly open: readonly GatewayReason[];
  /** The controller could not resolve references. */
  readonly unresolved: readonly GatewayReason[];
}

export interface RouteInfo {
  readonly reference: GatewayReference;
  readonly route: AnyRoute;
  readonly attachments: readonly Attachment[];
  /** Why parentRefs attach the route to no listener. */
  readonly failures: readonly GatewayReason[];
  /** Why listeners that parentRefs select do not serve the route. */
  readonly rejections: readonly Rejection[];
}

interface Rejection {
  readonly listener: Listener;
  readonly reason: GatewayReason;
}

/** The lists of routes with their kinds. */
export const routeLists = [
  ['httpRoutes', 'HTTPRoute'],
  ['grpcRoutes', 'GRPCRoute'],
  ['tlsRoutes', 'TLSRoute'],
  ['tcpRoutes', 'TCPRoute'],
  ['udpRoutes', 'UDPRoute'],
] as const;

/** All routes with the listeners that they are attached to. */
export const attachRoutes = (world: World): RouteInfo[] =>
  routeLists.flatMap(([list, kind]) => (world.lists[list] ?? []).map((route) => attachRoute(referenceTo(kind, route), route, world)));

function attachRoute(reference: GatewayReference, route: AnyRoute, world: World): RouteInfo {
  const refs = route.spec?.parentRefs ?? [];
  if (refs.length === 0)
    return {
      reference,
      route,
      attachments: [],
      failures: [createReason('NoParent', {}, { object: reference, path: 'spec.parentRefs' })],
      rejections: [],
    };
  const results = refs.map((ref, i) => attachToParent({ reference, route, ref, path: `spec.parentRefs[${i}]` }, world));
  return {
    reference,
    route,
    attachments: results.flatMap(({ attachments }) => attachments),
    failures: results.flatMap(({ failure }) => failure ?? []),
    rejections: results.flatMap(({ rejections }) => rejections ?? []),
  };
}

interface Reference {
  readonly reference: GatewayReference;
  readonly route: AnyRoute;
  readonly ref: ParentRef;
  readonly path: string;
}

interface ParentResult {
  readonly attachments: readonly Attachment[];
  readonly failure?: GatewayReason;
  readonly rejections?: readonly Rejection[];
}

function attachToParent(source: Reference, world: World): ParentResult {
  const { reference, route, ref, path } = source;
  const location = { object: reference, path };
  const parent = { kind: (ref.kind ?? 'Gateway') as GatewayKind, namespace: ref.namespace ?? namespaceOf(route), name: ref.name ?? '' };
  const values = { parent: formatReference(parent) };
  // Routes of Services are for requests inside the cluster.
  if (ref.kind === 'Service') return { attachments: [] };
  const list = { Gateway: world.lists.gateways, ListenerSet: world.lists.listenerSets }[parent.kind as string];
  if (!list || (ref.group ?? 'gateway.networking.k8s.io') !== 'gateway.networking.k8s.io')
    return { attachments: [], failure: createReason('ParentUnknown', values, location) };
  const object = list.find((each) => namespaceOf(each) === parent.namespace && nameOf(each) === parent.name);
  const names = list.map((each) => formatReference({ ...parent, namespace: namespaceOf(each), name: nameOf(each) }));
  if (!object)
    return { attachments: [], failure: createReason('ParentNotFound', { ...values, nearest: nearest(values.parent, names) }, location) };
  const { listeners, failure } =
    parent.kind === 'Gateway' ? { listeners: listenersOf(object, parent, object) } : findSet(object, parent, world);
  if (failure) return { attachments: [], failure };
  const selected = listeners.filter(
    ({ listener }) => (!ref.sectionName || ref.sectionName === listener.name) && (!ref.port || ref.port === listener.port),
  );
  const declared = declare(listeners.map(({ listener }) => `${listener.name} (${listener.protocol} ${listener.port})`));
  const wanted = [ref.sectionName && `sectionName ${ref.sectionName}`, ref.port && `port ${ref.port}`].filter(Boolean).join(', ');
  if (selected.length === 0)
    return { attachments: [], failure: createReason('SectionNotFound', { ...values, wanted, declared }, location) };
  return attachToListeners(selected, source, world);
}

function attachToListeners(listeners: readonly ListenerInfo[], source: Reference, world: World): ParentResult {
  const { reference, route, ref, path } = source;
  const own = (route.status?.parents ?? []).find(({ parentRef }) => isSameParent(parentRef ?? {}, ref, namespaceOf(route)));
  const status = { metadata: route.metadata, status: own };
  const location = { object: reference, path };
  const results = listeners.map((listener) => checkListener(listener, source, world));
  const attachments = results.flatMap(({ attachment }) => attachment ?? []);
  const rejections = results.flatMap(({ failure }, i) =>
    failure ? [{ listener: (listeners[i] as ListenerInfo).listener, reason: failure }] : [],
  );
  const closest = [...results].sort((a, b) => b.progress - a.progress)[0]?.failure;
  if (attachments.length === 0) return { attachments, ...(closest && { failure: closest }), rejections };
  const parent = formatReference((listeners[0] as ListenerInfo).parent);
  const [failure] = findUnready(status, ['Accepted'], 'RouteNotAccepted', location, { parent });
  if (failure) return { attachments: [], failure };
  const unresolved = findUnready(status, ['ResolvedRefs'], 'RefsNotResolved', location);
  return { attachments: attachments.map((each) => ({ ...each, unresolved })), rejections };
}

const isSameParent = (a: ParentRef, b: ParentRef, namespace: string): boolean =>
  (['kind', 'name', 'sectionName', 'port'] as const).every((field) => (a[field] ?? defaults[field]) === (b[field] ?? defaults[field])) &&
  (a.namespace ?? namespace) === (b.namespace ?? namespace);

const defaults: Readonly<Record<string, string | undefined>> = { kind: 'Gateway' };

interface ListenerResult {
  /** The number of checks that pass. */
  readonly progress: number;
  readonly failure?: GatewayReason;
  readonly attachment?: Omit<Attachment, 'unresolved'> & { readonly unresolved: readonly [] };
}

function checkListener(info: ListenerInfo, { reference, route, path }: Reference, world: World): ListenerResult {
  const { listener, parent } = info;
  const values = { listener: listener.name ?? '', parent: formatReference(parent) };
  const location = { object: reference, path };
  const kinds = kindsOf(listener);
  const namespace = namespaceOf(route);
  const { from = 'Same', selector } = listener.allowedRoutes?.namespaces ?? {};
  if (!kinds.includes(reference.kind))
    return { progress: 0, failure: createReason('KindNotAllowed', { ...values, kinds: kinds.join(', ') || 'none' }, location) };
  const isAllowed = isNamespaceAllowed({ from, selector }, namespace, parent.namespace ?? '', world);
  if (isAllowed === false) {
    const rule =
      from === 'Same' ? `, but only those of namespace ${parent.namespace}` : from === 'Selector' ? ', whose labels do not match' : '';
    return { progress: 1, failure: createReason('NamespaceNotAllowed', { ...values, namespace, from: rule }, location) };
  }
  const hostnames = route.spec?.hostnames ?? [];
  const hostname = listener.hostname ?? '';
  const hasHostnames = hostnames.length > 0 && hostname !== '';
  if (hasHostnames && !hostnames.some((each) => hostsIntersect(each, hostname)))
    return { progress: 2, failure: createReason('HostnameNotAllowed', { ...values, hostname: JSON.stringify(hostname) }, location) };
  const open = isAllowed === undefined ? [createReason('NamespaceUnknown', { ...values, namespace }, location)] : [];
  return { progress: 3, attachment: { listener: info, open, unresolved: [] } };
}

const kindsByProtocol: Readonly<Record<string, readonly GatewayKind[]>> = {
  HTTP: ['HTTPRoute', 'GRPCRoute'],
  HTTPS: ['HTTPRoute', 'GRPCRoute'],
  TLS: ['TLSRoute'],
  TCP: ['TCPRoute'],
  UDP: ['UDPRoute'],
};

/** The kinds of routes that a listener allows. TLS listeners in the mode Terminate also serve TCPRoutes. */
function kindsOf({ protocol, tls, allowedRoutes }: Listener): string[] {
  const isTerminated = protocol === 'TLS' && tls?.mode !== 'Passthrough';
  const supported: readonly string[] = [...(kindsByProtocol[protocol ?? ''] ?? []), ...(isTerminated ? ['TCPRoute'] : [])];
  const allowed = (allowedRoutes?.kinds ?? []).flatMap(({ kind }) => kind ?? []);
  if (allowed.length === 0) return [...supported];
  return supported.length === 0 ? allowed : allowed.filter((kind) => supported.includes(kind));
}

type AllowedNamespaces = NonNullable<NonNullable<Listener['allowedRoutes']>['namespaces']>;

/** Undefined if the labels of the namespace are unknown. */
function isNamespaceAllowed({ from, selector }: AllowedNamespaces, namespace: string, own: string, world: World): boolean | undefined {
  if (from !== 'Selector') return from === 'All' || (from === 'Same' && namespace === own);
  const labels = world.namespaces.get(namespace);
  const isNameOnly = requirementsOf(selector ?? {}).every(({ key }) => key === namespaceNameLabel);
  return labels || isNameOnly ? selectorMatches(selector ?? {}, labels ?? { [namespaceNameLabel]: namespace }) : undefined;
}

const listenersOf = (gateway: Gateway, parent: GatewayReference, parentObject: Gateway | ListenerSet): ListenerInfo[] =>
  (parentObject.spec?.listeners ?? []).map((listener, i) => ({ gateway, parent, parentObject, listener, path: `spec.listeners[${i}]` }));

/** The listeners of a ListenerSet, or why its Gateway does not serve them. */
function findSet(
  set: ListenerSet,
  parent: GatewayReference,
  world: World,
): { readonly listeners: ListenerInfo[]; readonly failure?: GatewayReason } {
  const ref = set.spec?.parentRef ?? {};
  const gatewayReference = { kind: 'Gateway' as const, namespace: ref.namespace ?? namespaceOf(set), name: ref.name ?? '' };
  const { namespace, name } = gatewayReference;
  const gateway = world.lists.gateways?.find((each) => namespaceOf(each) === namespace && nameOf(each) === name);
  const values = { parent: formatReference(gatewayReference), nearest: '' };
  const location = { object: parent, path: 'spec.parentRef' };
  if (!gateway) return { listeners: [], failure: createReason('ParentNotFound', values, location) };
  const { from = 'None', selector } = gateway.spec?.allowedListeners?.namespaces ?? {};
  if (isNamespaceAllowed({ from, selector }, namespaceOf(set), namespace, world) === false)
    return { listeners: [], failure: createReason('ListenerSetNotAllowed', values, location) };
  return { listeners: listenersOf(gateway, parent, set) };
}

/** The listeners of a Gateway and of the ListenerSets that it allows. */
export function allListeners(gateway: Gateway, world: World): ListenerInfo[] {
  const sets = (world.lists.listenerSets ?? []).flatMap((set) => findSet(set, referenceTo('ListenerSet', set), world).listeners);
  return [...listenersOf(gateway, referenceTo('Gateway', gateway), gateway), ...sets.filter((each) => each.gateway === gateway)];
}

/** Why each ListenerSet that is not attached is not. */
export const findSetFailures = (world: World): GatewayReason[] =>
  (world.lists.listenerSets ?? []).flatMap((set) => findSet(set, referenceTo('ListenerSet', set), world).failure ?? []);
