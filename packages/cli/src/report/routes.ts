import type { GatewayObjects } from 'kube-endpoints/gateway';
import { findRouteProblems } from 'kube-endpoints/gateway';
import type { Inventory } from '../input/collection.ts';
import { type RelatedKind, routeKinds } from '../input/related-kinds.ts';

/** The list of each kind in `GatewayObjects`. */
const lists: Readonly<Partial<Record<RelatedKind, keyof GatewayObjects>>> = {
  Ingress: 'ingresses',
  IngressClass: 'ingressClasses',
  GatewayClass: 'gatewayClasses',
  Gateway: 'gateways',
  ListenerSet: 'listenerSets',
  HTTPRoute: 'httpRoutes',
  GRPCRoute: 'grpcRoutes',
  TLSRoute: 'tlsRoutes',
  TCPRoute: 'tcpRoutes',
  UDPRoute: 'udpRoutes',
  ReferenceGrant: 'referenceGrants',
  Secret: 'secrets',
};

/** The kinds that files may lack although they exist: an empty list of these counts as unknown. Secrets of a cluster are never read. */
const optionalKinds: readonly RelatedKind[] = ['IngressClass', 'GatewayClass', 'Gateway', 'ListenerSet', 'ReferenceGrant', 'Secret'];

export interface Routes {
  /** Without the objects that an API server does not accept. */
  readonly objects: GatewayObjects;
  /** What an API server does not accept: one message for each field. */
  readonly errors: readonly string[];
}

const entries = Object.entries(lists) as [RelatedKind, keyof GatewayObjects][];

/** The Ingresses, Gateways and routes of an input, and what they refer to. @param live whether absent objects do not exist */
export function toGatewayObjects({ related, unreadKinds, services, namespaces }: Inventory, live: boolean): GatewayObjects {
  const isKnown = (kind: RelatedKind): boolean =>
    !unreadKinds.has(kind) && ((live && routeKinds.includes(kind)) || related[kind].length > 0 || !optionalKinds.includes(kind));
  const known = entries.flatMap(([kind, list]) => (isKnown(kind) ? [[list, related[kind]]] : []));
  return { ...Object.fromEntries(known), services, namespaces };
}

/** The routes of an input for `traceTarget`. @param live whether absent objects do not exist */
export function toRoutes(inventory: Inventory, live: boolean): Routes {
  const all = toGatewayObjects(inventory, live);
  const invalid = findRouteProblems(all).filter(({ code }) => code === 'Invalid');
  const names = new Set(invalid.map(({ object }) => object && `${object.kind} ${object.namespace ?? ''}/${object.name}`));
  const valid = entries.flatMap(([kind, list]) => {
    const isValid = ({ metadata: { namespace = '', name } }: Inventory['related'][RelatedKind][number]): boolean =>
      !names.has(`${kind} ${namespace ?? ''}/${name}`);
    return all[list] ? [[list, inventory.related[kind].filter(isValid)]] : [];
  });
  return { objects: Object.fromEntries(valid) as GatewayObjects, errors: invalid.map(({ message }) => message) };
}

/** Loads RE2, as most proxies use it, if a route matches with a regular expression. */
export async function loadRegexMatcher(objects: GatewayObjects): Promise<((pattern: string, text: string) => boolean) | undefined> {
  if (!JSON.stringify(objects).includes('"RegularExpression"')) return undefined;
  const { compilePattern } = await import('@kube-endpoints/cel');
  return (pattern, text) => {
    const compiled = compilePattern(`^(?:${pattern})$`);
    return 'matches' in compiled && compiled.matches(text);
  };
}
