import { nameOf, namespaceOf } from '../apimachinery/index.ts';
import { declare, nearest } from './hosts.ts';
import type { BackendRef, IngressBackend } from './objects.ts';
import { createReason, type GatewayReason } from './reasons.ts';
import type { GatewayReference } from './reference.ts';
import type { RouteBackend } from './result.ts';
import { isGranted, type World } from './world.ts';

/** A reference to a backend, with its problems. */
export interface Backend {
  readonly namespace: string;
  readonly name: string;
  readonly port?: number;
  /** Each makes the backend invalid. */
  readonly errors: readonly GatewayReason[];
  readonly others: readonly GatewayReason[];
  readonly path: string;
}

/** The object and the field that refer to a backend. */
export interface Source {
  readonly object: GatewayReference;
  readonly path: string;
}

/** Resolves a backendRef of a route. */
export function resolveBackendRef(ref: BackendRef, source: Source, world: World): Backend {
  const { object, path } = source;
  const from = { kind: object.kind, namespace: object.namespace ?? '' };
  const to = { group: ref.group ?? '', kind: ref.kind ?? 'Service', namespace: ref.namespace ?? from.namespace, name: ref.name ?? '' };
  const { namespace, name } = to;
  const values = { namespace, kind: from.kind, from: from.namespace, target: `${to.kind} ${name}` };
  const granted = namespace === from.namespace || isGranted(from, to, world);
  if (granted === false) return { namespace, name, path, errors: [createReason('ReferenceNotGranted', values, source)], others: [] };
  const others = granted ? [] : [createReason('ReferenceGrantsUnknown', values, source)];
  if (to.group !== '' || to.kind !== 'Service') {
    const backend = `${to.kind} ${to.group} ${namespace}/${name}`;
    return { namespace, name, path, errors: [], others: [createReason('BackendKindUnknown', { backend }, source)] };
  }
  const resolved = resolveService({ namespace, name }, ref.port ?? undefined, source, world);
  return { namespace, name, path, ...resolved, others: [...others, ...resolved.others] };
}

/** Resolves the backend of an Ingress, which is in the namespace of the Ingress. */
export function resolveIngressBackend({ service, resource }: IngressBackend, source: Source, world: World): Backend {
  const namespace = source.object.namespace ?? '';
  const name = service?.name ?? resource?.name ?? '';
  const backend = `${resource?.kind} ${namespace}/${name}`;
  if (!service)
    return { namespace, name, path: source.path, errors: [], others: [createReason('BackendKindUnknown', { backend }, source)] };
  const port = service.port?.name || (service.port?.number ?? undefined);
  return { namespace, name, path: source.path, ...resolveService({ namespace, name }, port, source, world) };
}

type Resolved = Pick<Backend, 'port' | 'errors' | 'others'>;

function resolveService(
  key: { readonly namespace: string; readonly name: string },
  port: number | string | undefined,
  source: Source,
  { services }: World,
): Resolved {
  const service = `${key.namespace}/${key.name}`;
  const own = typeof port === 'number' ? { port } : {};
  if (!services) return { ...own, errors: [], others: [createReason('ServicesUnknown', { service }, source)] };
  const found = services.get(service);
  if (!found) {
    const names = [...services.values()].filter((each) => namespaceOf(each) === key.namespace).map(nameOf);
    return { errors: [createReason('ServiceNotFound', { service, nearest: nearest(key.name, names) }, source)], others: [] };
  }
  const ports = found.spec?.ports ?? [];
  const match = ports.find((each) => (typeof port === 'string' ? each.name === port : each.port === port));
  if (match?.port !== undefined && match.port !== null)
    return {
      port: match.port,
      errors: [],
      others: found.spec?.type === 'ExternalName' ? [createReason('ExternalNameService', { service }, source)] : [],
    };
  const declared = declare(ports.map((each) => [each.port, each.name && `(${each.name})`].filter(Boolean).join(' ')));
  return { errors: [createReason('ServicePortNotFound', { service, port: describePort(port), declared }, source)], others: [] };
}

const describePort = (port: number | string | undefined): string => (port === undefined ? '(none)' : JSON.stringify(port));

/** Splits the requests by weight. Backends of weight 0 get none. */
export function shareOut(
  backends: readonly { readonly backend: Backend; readonly weight: number }[],
  status: number | undefined,
): RouteBackend[] {
  const sum = backends.reduce((total, { weight }) => total + weight, 0);
  return backends
    .filter(({ weight }) => weight > 0)
    .map(({ backend, weight }) => ({ ...toRouteBackend(backend, status), share: weight / sum }));
}

export const toRouteBackend = (backend: Backend, status: number | undefined): RouteBackend => {
  const { namespace, name, port, path, errors, others } = backend;
  const isInvalid = errors.length > 0 || others.some(({ code }) => code === 'BackendKindUnknown');
  return { namespace, name, ...(port !== undefined && { port }), share: 1, ...(isInvalid && { status: status ?? 0 }), path };
};
