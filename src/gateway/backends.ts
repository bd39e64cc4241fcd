import { nameOf, namespaceOf } from '../apimachinery/index.ts';
import { declare, nearest } from './hosts.ts';
import type { BackendRef, IngressBackend, RouteFilter, RouteRule } from './objects.ts';
import { createReason, type GatewayReason, type Location, verdictOf } from './reasons.ts';
import type { RouteBackend } from './result.ts';
import { isGranted, type World } from './world.ts';

/** A backend without its share, with what is wrong or open. */
export interface Backend extends Omit<RouteBackend, 'share'> {
  readonly reasons: readonly GatewayReason[];
}

/** The object and the field that refer to a backend. */
export type Source = Required<Location>;

/** The backends of a rule. */
export interface RuleBackends {
  /** Those with a weight above 0. */
  readonly used: readonly { readonly backend: Backend; readonly share: number; readonly filters: readonly RouteFilter[] }[];
  /** Those that are valid. */
  readonly mirrors: readonly RouteBackend[];
  readonly reasons: readonly GatewayReason[];
}

/** Resolves the backends and mirrors of a rule. @param status of requests to an invalid backend */
export function resolveRule({ filters, backendRefs }: RouteRule<object>, source: Source, status: number, world: World): RuleBackends {
  const refs = (backendRefs ?? []).map((ref, i) => {
    const own = { ...source, path: `${source.path}.backendRefs[${i}]` };
    return { own, weight: ref.weight ?? 1, filters: ref.filters ?? [], backend: resolveBackendRef(ref, own, status, world) };
  });
  const used = refs.filter(({ weight }) => weight > 0);
  const sum = used.reduce((total, { weight }) => total + weight, 0);
  const mirrors = [{ filters: filters ?? [], own: source }, ...used].flatMap((each) => resolveMirrors(each.filters, each.own, world));
  const isRedirect = (filters ?? []).some(({ requestRedirect }) => requestRedirect);
  return {
    used: used.map((each) => ({ ...each, share: each.weight / sum })),
    mirrors: mirrors.flatMap(({ reasons, ...mirror }) => (mirror.status === undefined ? [mirror] : [])),
    reasons: [
      ...used.flatMap(({ backend }) => backend.reasons),
      ...(used.length === 0 && !isRedirect ? [createReason('NoBackend', {}, source)] : []),
      ...refs.filter(({ weight }) => weight === 0).map(({ own }) => createReason('ZeroWeight', {}, own)),
      ...mirrors.flatMap(({ reasons }) => reasons),
    ],
  };
}

function resolveMirrors(filters: readonly RouteFilter[], source: Source, world: World): (Backend & { share: number; mirror: true })[] {
  return filters.flatMap(({ requestMirror }, i) => {
    if (!requestMirror?.backendRef) return [];
    const { backendRef, percent, fraction } = requestMirror;
    const path = `${source.path}.filters[${i}].requestMirror.backendRef`;
    const share = fraction ? (fraction.numerator ?? 0) / (fraction.denominator ?? 100) : (percent ?? 100) / 100;
    return [{ ...resolveBackendRef(backendRef, { ...source, path }, 0, world), share, mirror: true as const }];
  });
}

function resolveBackendRef(ref: BackendRef, source: Source, status: number, world: World): Backend {
  const from = { kind: source.object.kind, namespace: source.object.namespace ?? '' };
  const to = { group: ref.group ?? '', kind: ref.kind ?? 'Service', namespace: ref.namespace ?? from.namespace, name: ref.name ?? '' };
  const { group, kind, namespace, name } = to;
  const values = { namespace, kind: from.kind, from: from.namespace, target: `${kind} ${name}`, backend: `${kind} ${namespace}/${name}` };
  const granted = namespace === from.namespace || isGranted(from, to, world);
  if (granted === false) return createBackend(to, undefined, [createReason('ReferenceNotGranted', values, source)], source, status);
  const { port, reasons } =
    group === '' && kind === 'Service'
      ? resolveService(to, ref.port ?? undefined, source, world)
      : { reasons: [createReason('BackendKindUnknown', values, source)] };
  const open = granted ? [] : [createReason('ReferenceGrantsUnknown', values, source)];
  return createBackend(to, port, [...open, ...reasons], source, status);
}

/** Resolves the backend of an Ingress, which is in the namespace of the Ingress. */
export function resolveIngressBackend({ service, resource }: IngressBackend, source: Source, world: World): Backend {
  const to = { namespace: source.object.namespace ?? '', name: service?.name ?? resource?.name ?? '' };
  const values = { backend: `${resource?.kind} ${to.namespace}/${to.name}` };
  const { port, reasons } = service
    ? resolveService(to, service.port?.name || (service.port?.number ?? undefined), source, world)
    : { reasons: [createReason('BackendKindUnknown', values, source)] };
  return createBackend(to, port, reasons, source, 503);
}

interface Key {
  readonly namespace: string;
  readonly name: string;
}

function createBackend(
  { namespace, name }: Key,
  port: number | undefined,
  reasons: GatewayReason[],
  { path }: Source,
  status: number,
): Backend {
  const isInvalid = reasons.some(({ code }) => code === 'BackendKindUnknown' || verdictOf(code) === 'error');
  return { namespace, name, ...(port !== undefined && { port }), ...(isInvalid && { status }), path, reasons };
}

interface Resolved {
  readonly port?: number;
  readonly reasons: GatewayReason[];
}

function resolveService({ namespace, name }: Key, port: number | string | undefined, source: Source, { services }: World): Resolved {
  const service = `${namespace}/${name}`;
  if (!services) return { ...(typeof port === 'number' && { port }), reasons: [createReason('ServicesUnknown', { service }, source)] };
  const found = services.get(service);
  if (!found) {
    const names = [...services.values()].filter((each) => namespaceOf(each) === namespace).map(nameOf);
    return { reasons: [createReason('ServiceNotFound', { service, nearest: nearest(name, names) }, source)] };
  }
  const ports = found.spec?.ports ?? [];
  const match = ports.find((each) => (typeof port === 'string' ? each.name === port : each.port === port));
  const isExternal = found.spec?.type === 'ExternalName';
  if (match?.port) return { port: match.port, reasons: isExternal ? [createReason('ExternalNameService', { service }, source)] : [] };
  const declared = declare(ports.map((each) => (each.name ? `${each.port} (${each.name})` : String(each.port))));
  if (port === undefined || port === null) return { reasons: [createReason('BackendWithoutPort', { service, declared }, source)] };
  return { reasons: [createReason('ServicePortNotFound', { service, port: JSON.stringify(port), declared }, source)] };
}
