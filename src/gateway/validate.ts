import { isDNS1123Subdomain, labelOperators } from '../apimachinery/index.ts';
import { routeLists } from './attach.ts';
import type { NamedObject } from './objects.ts';
import { createReason, type GatewayReason } from './reasons.ts';
import { type GatewayKind, referenceTo } from './reference.ts';
import type { World } from './world.ts';

/** Finds what an API server does not accept, and what routing cannot read. */
export const findInvalid = ({ lists }: World): GatewayReason[] => [
  ...checkList('Ingress', lists.ingresses, ingressSchema),
  ...checkList('Gateway', lists.gateways, listenersSchema),
  ...checkList('ListenerSet', lists.listenerSets, listenersSchema),
  ...routeLists.flatMap(([list, kind]) => checkList(kind, lists[list], routeSchema)),
];

function checkList(kind: GatewayKind, list: readonly NamedObject[] = [], schema: Schema): GatewayReason[] {
  return list.flatMap((object) => {
    const found: GatewayReason[] = [];
    const report: Report = (path, problem) => found.push(createReason('Invalid', { problem }, { object: referenceTo(kind, object), path }));
    walk(schema, (object as { readonly spec?: unknown }).spec, 'spec', {}, report);
    return found;
  });
}

type Report = (path: string, problem: string) => void;
type Json = Readonly<Record<string, unknown>>;
/** Returns what a value has to be, if it is something else. */
type Check = (value: unknown, parent: Json) => string | undefined;
/** A list of values, an object with checked fields, or a check. Absent lists and objects are not checked. */
type Schema = Check | readonly [item: Schema] | { readonly [field: string]: Schema };

function walk(schema: Schema, value: unknown, path: string, parent: Json, report: Report): void {
  const fail = (expected: string): void =>
    report(path, `is ${value === undefined ? 'absent' : JSON.stringify(value)}, but has to be ${expected}`);
  if (typeof schema === 'function') {
    const expected = schema(value, parent);
    if (expected !== undefined) fail(expected);
  } else if (value === undefined || value === null) return;
  else if (Array.isArray(schema)) {
    if (!Array.isArray(value)) fail('a list');
    else
      for (const [i, item] of value.entries()) {
        if (item === null || item === undefined) report(`${path}[${i}]`, 'is null, but has to be set');
        else walk(schema[0] as Schema, item, `${path}[${i}]`, parent, report);
      }
  } else if (typeof value !== 'object' || Array.isArray(value)) fail('an object');
  else
    for (const [field, each] of Object.entries(schema))
      walk(each as Schema, (value as Json)[field], `${path}.${field}`, value as Json, report);
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === '';

/** If absent, a field has its default. */
const optional =
  (check: Check): Check =>
  (value, parent) =>
    isAbsent(value) ? undefined : check(value, parent);

const oneOf =
  (...allowed: readonly (string | number)[]): Check =>
  (value) =>
    allowed.includes(value as string) ? undefined : `one of ${allowed.join(', ')}`;

const numberFrom =
  (min: number, max: number): Check =>
  (value) =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max ? undefined : `a number from ${min} to ${max}`;

const port = numberFrom(1, 65_535);
const text: Check = (value) => (typeof value === 'string' && value !== '' ? undefined : 'a text that is not empty');
const host = optional((value) =>
  typeof value === 'string' && isDNS1123Subdomain(value.replace(/^\*\./, '')) && !/^[\d.]+$/.test(value)
    ? undefined
    : 'a DNS name in lower case, or "*." and one; not an IP address',
);
const pathOf =
  (typeField: string): Check =>
  (value, parent) =>
    /^(RegularExpression|ImplementationSpecific)$/.test(String(parent[typeField])) || (typeof value === 'string' && value.startsWith('/'))
      ? undefined
      : 'a path that starts with "/"';

/** Exactly one of two fields is set. */
const unless =
  (other: string): Check =>
  (value, parent) => {
    if (Boolean(value) !== Boolean(parent[other])) return undefined;
    return value ? `absent, because ${other} is set` : `set, or ${other}`;
  };

const ingressBackend: Schema = {
  service: { name: text, port: { name: unless('number'), number: optional(port) } },
  resource: unless('service'),
};
const ingressPath: Schema = {
  path: pathOf('pathType'),
  pathType: oneOf('Exact', 'Prefix', 'ImplementationSpecific'),
  backend: ingressBackend,
};
const ingressSchema: Schema = { defaultBackend: ingressBackend, rules: [{ host, http: { paths: [ingressPath] } }] };

const namespaces: Schema = {
  from: optional(oneOf('All', 'Same', 'Selector', 'None')),
  selector: { matchExpressions: [{ operator: oneOf(...Object.keys(labelOperators)) }] },
};
const listenersSchema: Schema = {
  allowedListeners: { namespaces },
  listeners: [
    {
      name: text,
      port,
      protocol: text,
      hostname: host,
      allowedRoutes: { namespaces, kinds: [{ kind: text }] },
      tls: { mode: optional(oneOf('Terminate', 'Passthrough')), certificateRefs: [{ name: text }] },
    },
  ],
};

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH'];
const valueType = optional(oneOf('Exact', 'RegularExpression'));
const values: Schema = [{ type: valueType, name: text, value: text }];
const match: Schema = {
  path: { type: optional(oneOf('Exact', 'PathPrefix', 'RegularExpression')), value: optional(pathOf('type')) },
  headers: values,
  queryParams: values,
  method: optional((value, parent) =>
    typeof value === 'string' ? oneOf(...methods)(value, parent) : valueType((value as Json)['type'], parent),
  ),
};
const backend = { name: text, port: optional(port) };
const filters: Schema = [
  {
    type: text,
    requestMirror: { backendRef: backend },
    requestRedirect: { statusCode: optional(oneOf(301, 302, 303, 307, 308)), port: optional(port) },
  },
];
const routeSchema: Schema = {
  hostnames: [host],
  parentRefs: [backend],
  rules: [{ matches: [match], filters, backendRefs: [{ ...backend, weight: optional(numberFrom(0, 1_000_000)), filters }] }],
};
