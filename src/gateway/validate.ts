import { isDNS1123Subdomain, type LabelSelector, labelOperators } from '../apimachinery/index.ts';
import { routeLists } from './attach.ts';
import type { BackendRef, IngressBackend, Listener, NamedObject, RouteFilter, ValueMatch } from './objects.ts';
import { createReason, type GatewayReason } from './reasons.ts';
import { type GatewayKind, referenceTo } from './reference.ts';
import type { World } from './world.ts';

type Report = (path: string, problem: string) => void;
/** Objects are checked as untyped JSON, because they may not have their types. */
type Json = Readonly<Record<string, unknown>>;

/** Finds what an API server does not accept, and what routing cannot read. */
export const findInvalid = ({ lists }: World): GatewayReason[] => [
  ...check('Ingress', lists.ingresses, checkIngress),
  ...check('Gateway', lists.gateways, checkListeners),
  ...check('ListenerSet', lists.listenerSets, checkListeners),
  ...routeLists.flatMap(([list, kind]) => check(kind, lists[list], checkRoute)),
];

function check(kind: GatewayKind, list: readonly NamedObject[] = [], checkSpec: (spec: Json, report: Report) => void): GatewayReason[] {
  return list.flatMap((object) => {
    const found: GatewayReason[] = [];
    const report: Report = (path, problem) => found.push(createReason('Invalid', { problem }, { object: referenceTo(kind, object), path }));
    checkSpec((object as { readonly spec?: Json | null }).spec ?? {}, report);
    return found;
  });
}

const fail = (path: string, value: unknown, expected: string, report: Report): void =>
  report(path, `is ${value === undefined ? 'absent' : JSON.stringify(value)}, but has to be ${expected}`);

/** Calls a function for each item of a list, which may be absent. */
function each<Item>(value: unknown, path: string, report: Report, checkItem: (item: Item, path: string) => void): void {
  if (value === undefined || value === null) return;
  if (!Array.isArray(value)) fail(path, value, 'a list', report);
  for (const [i, item] of (Array.isArray(value) ? value : []).entries()) {
    if (typeof item === 'object' ? item === null : item === undefined) fail(`${path}[${i}]`, item, 'a value', report);
    else checkItem(item as Item, `${path}[${i}]`);
  }
}

function checkOneOf(value: unknown, allowed: readonly string[], path: string, report: Report): void {
  if (value !== undefined && value !== null && !allowed.includes(value as string))
    fail(path, value, `one of ${allowed.join(', ')}`, report);
}

function checkNumber(value: unknown, min: number, max: number, path: string, report: Report): void {
  if (value !== undefined && value !== null && !(Number.isInteger(value) && (value as number) >= min && (value as number) <= max))
    fail(path, value, `a number from ${min} to ${max}`, report);
}

const checkPort = (value: unknown, path: string, report: Report): void => checkNumber(value, 1, 65_535, path, report);

function checkName(value: unknown, path: string, report: Report): void {
  if (typeof value !== 'string' || value === '') fail(path, value, 'a name', report);
}

function checkHost(value: unknown, path: string, report: Report): void {
  if (value === undefined || value === null || value === '') return;
  const isHost = typeof value === 'string' && isDNS1123Subdomain(value.replace(/^\*\./, '')) && !/^[\d.]+$/.test(value);
  if (!isHost) fail(path, value, 'a DNS name in lower case, or "*." and one; not an IP address', report);
}

function checkPath(type: unknown, value: unknown, path: string, report: Report): void {
  const isAbsolute = typeof value === 'string' && value.startsWith('/');
  if (type !== 'RegularExpression' && type !== 'ImplementationSpecific' && !isAbsolute)
    fail(path, value, 'a path that starts with "/"', report);
}

function checkIngress({ rules, defaultBackend }: Json, report: Report): void {
  if (defaultBackend) checkIngressBackend(defaultBackend, 'spec.defaultBackend', report);
  each<Json>(rules, 'spec.rules', report, ({ host, http }, path) => {
    checkHost(host, `${path}.host`, report);
    each<Json>((http as Json | undefined)?.['paths'], `${path}.http.paths`, report, (item, itemPath) => {
      const types = ['Exact', 'Prefix', 'ImplementationSpecific'];
      checkOneOf(item['pathType'] ?? 'absent', types, `${itemPath}.pathType`, report);
      checkPath(item['pathType'], item['path'], `${itemPath}.path`, report);
      checkIngressBackend(item['backend'] ?? {}, `${itemPath}.backend`, report);
    });
  });
}

function checkIngressBackend({ service, resource }: IngressBackend, path: string, report: Report): void {
  if (Boolean(service) === Boolean(resource)) report(path, 'has to have one of the fields service and resource');
  if (!service) return;
  checkName(service.name, `${path}.service.name`, report);
  checkPort(service.port?.number || undefined, `${path}.service.port.number`, report);
  if (Boolean(service.port?.name) === Boolean(service.port?.number))
    report(`${path}.service.port`, 'has to have one of the fields name and number');
}

function checkListeners({ listeners }: Json, report: Report): void {
  const names: unknown[] = [];
  each<Listener>(listeners, 'spec.listeners', report, ({ name, port, protocol, hostname, allowedRoutes, tls }, path) => {
    checkName(name, `${path}.name`, report);
    if (names.includes(name)) report(`${path}.name`, `is ${JSON.stringify(name)}, which another listener has`);
    names.push(name);
    checkPort(port ?? 0, `${path}.port`, report);
    checkName(protocol, `${path}.protocol`, report);
    checkHost(hostname, `${path}.hostname`, report);
    checkOneOf(tls?.mode, ['Terminate', 'Passthrough'], `${path}.tls.mode`, report);
    const { from, selector } = allowedRoutes?.namespaces ?? {};
    checkOneOf(from, ['All', 'Same', 'Selector', 'None'], `${path}.allowedRoutes.namespaces.from`, report);
    checkSelector(selector ?? {}, `${path}.allowedRoutes.namespaces.selector`, report);
  });
}

function checkSelector({ matchExpressions }: LabelSelector, path: string, report: Report): void {
  each<{ readonly operator?: unknown }>(matchExpressions, `${path}.matchExpressions`, report, ({ operator }, itemPath) =>
    checkOneOf(operator ?? 'absent', Object.keys(labelOperators), `${itemPath}.operator`, report),
  );
}

function checkRoute({ hostnames, parentRefs, rules }: Json, report: Report): void {
  each(hostnames, 'spec.hostnames', report, (hostname, path) => checkHost(hostname, path, report));
  each<BackendRef>(parentRefs, 'spec.parentRefs', report, ({ name, port }, path) => {
    checkName(name, `${path}.name`, report);
    checkPort(port, `${path}.port`, report);
  });
  each<Json>(rules, 'spec.rules', report, ({ matches, filters, backendRefs }, path) => {
    each<Json>(matches, `${path}.matches`, report, (match, itemPath) => checkMatch(match, itemPath, report));
    each<RouteFilter>(filters, `${path}.filters`, report, (filter, itemPath) => checkFilter(filter, itemPath, report));
    each<BackendRef>(backendRefs, `${path}.backendRefs`, report, (ref, itemPath) => {
      checkName(ref.name, `${itemPath}.name`, report);
      checkPort(ref.port, `${itemPath}.port`, report);
      checkNumber(ref.weight, 0, 1_000_000, `${itemPath}.weight`, report);
      each<RouteFilter>(ref.filters, `${itemPath}.filters`, report, (filter, filterPath) => checkFilter(filter, filterPath, report));
    });
  });
}

const valueTypes = ['Exact', 'RegularExpression'];
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH'];

function checkMatch({ path: match, method, ...lists }: Json, path: string, report: Report): void {
  const { type, value } = (match ?? {}) as ValueMatch;
  checkOneOf(type, ['Exact', 'PathPrefix', 'RegularExpression'], `${path}.path.type`, report);
  checkPath(type, value ?? '/', `${path}.path.value`, report);
  if (typeof method === 'object') checkOneOf((method as Json | null)?.['type'], valueTypes, `${path}.method.type`, report);
  else checkOneOf(method, methods, `${path}.method`, report);
  for (const field of ['headers', 'queryParams'])
    each<ValueMatch>(lists[field], `${path}.${field}`, report, (item, itemPath) => {
      checkOneOf(item.type, valueTypes, `${itemPath}.type`, report);
      checkName(item.name, `${itemPath}.name`, report);
    });
}

function checkFilter({ type, requestRedirect }: RouteFilter, path: string, report: Report): void {
  checkName(type, `${path}.type`, report);
  const { statusCode, port } = requestRedirect ?? {};
  checkOneOf(statusCode && String(statusCode), ['301', '302', '303', '307', '308'], `${path}.requestRedirect.statusCode`, report);
  checkPort(port, `${path}.requestRedirect.port`, report);
}
