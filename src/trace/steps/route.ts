import { type GatewayReason, gatewayReasons, type RouteBackend, type RouteResult, routeRequest } from '../../gateway/index.ts';
import { formatReference } from '../../gateway/reference.ts';
import { type Cluster, familyOf } from '../cluster.ts';
import { type Destination, selectPrimaryAddress } from '../destination.ts';
import { TraceError } from '../objects.ts';
import { createItem, createNote, removeFullStop } from '../reasons.ts';
import type { Target } from '../target.ts';
import { createStep, type StepResult, type TraceItem, type TraceNote, type TraceStep } from '../trace.ts';

/** A request that an Ingress or a Gateway receives: the step "route", and where it leads. */
export interface Route {
  readonly result: StepResult;
  /** The Services that get a share of the requests, largest share first, with their ports. */
  readonly backends: readonly RoutedBackend[];
  /** Set if the client is redirected. */
  readonly location?: string;
}

export interface RoutedBackend {
  readonly destination: Destination;
  readonly target: Target;
}

/** Routes the request of a target outside the cluster. Undefined if no Ingress and no Gateway is for its host. */
export function routeTarget(text: string, { host, port }: Target, cluster: Cluster): Route | undefined {
  const { routes, services, namespaces } = cluster.objects;
  if (!routes || Object.values(routes).every((list) => !list || [...list].length === 0)) return undefined;
  const [, scheme = port === '443' ? 'https' : 'http', path = '/'] = /^(?:([a-z]+):\/\/)?[^/?#]*([/?][^#]*)?/i.exec(text.trim()) ?? [];
  if (!isScheme(scheme.toLowerCase())) return undefined;
  const request = {
    scheme: scheme.toLowerCase() as Scheme,
    host,
    path: path.startsWith('/') ? path : `/${path}`,
    ...(port !== undefined && /^\d+$/.test(port) && { port: Number(port) }),
  };
  const result = route(request, { ...routes, services, namespaces: namespaces ?? [] }, cluster);
  if (result.outcome === 'error' && result.reasons[0]?.code === 'HostNotFound' && !mentionsHost(result)) return undefined;
  return createRoute(result, cluster);
}

type Scheme = 'http' | 'https';

const isScheme = (text: string): text is Scheme => text === 'http' || text === 'https';

/** Whether the host is probably a misspelt one of a rule. */
const mentionsHost = ({ reasons: [first] }: RouteResult): boolean => first?.message.includes('; ') === true;

function route(request: Parameters<typeof routeRequest>[0], objects: Parameters<typeof routeRequest>[1], cluster: Cluster): RouteResult {
  try {
    const { matchRegex } = cluster;
    return routeRequest(request, objects, matchRegex ? { matchRegex } : {});
  } catch (error) {
    if (error instanceof RangeError) throw new TraceError(error.message);
    throw error;
  }
}

function createRoute(result: RouteResult, cluster: Cluster): Route {
  const { outcome, location, via, reasons } = result;
  const backends = result.backends.filter(({ mirror }) => !mirror).toSorted((a, b) => b.share - a.share);
  const valid = backends.filter(({ status }) => status === undefined);
  const isPartial = outcome === 'backends' && valid.length < backends.length;
  const stepOutcome: TraceStep['outcome'] =
    outcome === 'unknown'
      ? 'unknown'
      : outcome === 'error' || valid.length + (location === undefined ? 0 : 1) === 0
        ? 'error'
        : isPartial
          ? 'warning'
          : 'ok';
  const redirect = location === undefined ? [] : [createNote('RedirectedTo', { location })];
  const [first] = reasons;
  const step = createStep('route', via ? titleOf(via) : 'No route', {
    outcome: stepOutcome,
    notes: [...reasons.map(toNote), ...redirect, ...result.backends.flatMap(describeRewrite)],
    chosen: [...valid, ...result.backends.filter(({ mirror }) => mirror)].map(toItem),
    leftOut: backends.filter(({ status }) => status !== undefined).map(toItem),
    cause: stepOutcome === 'ok' || !first ? undefined : removeFullStop(first.message),
  });
  return {
    result: step,
    backends: valid.flatMap((backend) => toRoutedBackend(backend, cluster) ?? []),
    ...(location !== undefined && { location }),
  };
}

/** "Ingress shop/web", "HTTPRoute shop/web through Gateway infra/public" */
const titleOf = ({ route: reference, gateway }: NonNullable<RouteResult['via']>): string =>
  gateway ? `${formatReference(reference)} through ${formatReference(gateway)}` : formatReference(reference);

function toNote({ code, message, object, path, remedy }: GatewayReason): TraceNote {
  const location = object && path !== undefined ? `${object.kind.toLowerCase()}.${path}` : undefined;
  const isProblem = ['error', 'unknown'].includes(gatewayReasons[code].verdict);
  return {
    code,
    message,
    ...(object && { object: formatReference(object) }),
    ...(location !== undefined && { path: location }),
    ...(isProblem && remedy !== undefined && { remedy }),
  };
}

const describeRewrite = ({ rewrite }: RouteBackend): TraceNote[] =>
  rewrite?.path === undefined && rewrite?.host === undefined
    ? []
    : [createNote('RequestRewritten', { host: rewrite.host ?? 'unchanged', path: rewrite.path ?? 'unchanged' })];

/** "shop/web:80, 90 %" */
function toItem({ namespace, name, port, share, status, mirror }: RouteBackend): TraceItem {
  const details = mirror ? 'mirror' : `${Math.round(share * 100)} %`;
  const failure = status === undefined ? '' : status === 0 ? ', connections are refused' : `, HTTP status ${status}`;
  return createItem(`service/${namespace}/${name}`, `${namespace}/${name}${port === undefined ? '' : `:${port}`}, ${details}${failure}`);
}

/** The destination of a proxy that reads the endpoints of a Service, and so translates the port even if the Service is headless. */
function toRoutedBackend({ namespace, name, port }: RouteBackend, cluster: Cluster): RoutedBackend | undefined {
  const service = cluster.findService(namespace, name);
  if (!service) return undefined;
  const host = `${name}.${namespace}`;
  const { clusterIP, clusterIPs, ports, type } = service.spec ?? {};
  const addresses = [...new Set([clusterIP, ...(clusterIPs ?? [])])].filter((ip): ip is string => !!ip && ip !== 'None');
  const address = selectPrimaryAddress(addresses, service);
  const number = port === undefined ? {} : { port: String(port) };
  if (address !== undefined)
    return { destination: { kind: 'service', service, address, role: 'cluster' }, target: { host, isAddress: false, ...number } };
  const portName = ports?.find((each) => each.port === port)?.name;
  const target: Target = { host, isAddress: false, ...(portName && { port: portName }) };
  if (type === 'ExternalName' || clusterIP !== 'None') return { destination: { kind: 'nowhere', service }, target };
  const endpointAddresses = cluster.slicesOf(service).flatMap(({ endpoints }) => (endpoints ?? []).flatMap((each) => each.addresses ?? []));
  const family = service.spec?.ipFamilies?.[0] === 'IPv6' ? 'IPv6' : 'IPv4';
  const ownAddresses = endpointAddresses.filter((each) => familyOf(each) === family);
  return { destination: { kind: 'endpoints', service, family, addresses: ownAddresses }, target };
}
