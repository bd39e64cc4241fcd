import { compareText, type Labels, nameOf, namespaceOf, objectKey } from '../apimachinery/index.ts';
import type { Optional, Service } from '../types/index.ts';
import { nearest } from './hosts.ts';
import type { Condition, Gateway, GatewayObjects, Ingress, NamedObject, ObjectRef, ReferenceGrant } from './objects.ts';
import { createReason, type GatewayReason, type Location } from './reasons.ts';
import { type GatewayReference, referenceTo } from './reference.ts';
import type { RouteOptions } from './result.ts';

type List<Name extends keyof GatewayObjects> = readonly (NonNullable<GatewayObjects[Name]> extends Iterable<infer Item> ? Item : never)[];

/** The objects, each list copied once, because it may be a generator; and indexes. Undefined if unknown. */
export interface World {
  readonly lists: { readonly [Name in keyof GatewayObjects]: List<Name> };
  readonly services: ReadonlyMap<string, Service> | undefined;
  /** The labels of namespaces by name, with the label that an API server sets. */
  readonly namespaces: ReadonlyMap<string, Labels>;
  readonly secrets: ReadonlySet<string> | undefined;
  readonly matchRegex: RouteOptions['matchRegex'];
}

/** The label with its name, which an API server sets on every namespace. */
export const namespaceNameLabel = 'kubernetes.io/metadata.name';

export function createWorld(objects: GatewayObjects, { matchRegex }: RouteOptions): World {
  const entries = Object.entries(objects).flatMap(([name, list]) => (list ? [[name, [...list]] as const] : []));
  const lists: World['lists'] = Object.fromEntries(entries);
  const { services, secrets, namespaces = [] } = lists;
  return {
    lists,
    services: services && new Map(services.map((each) => [objectKey(each), each])),
    namespaces: new Map(namespaces.map((each) => [nameOf(each), { ...each.metadata?.labels, [namespaceNameLabel]: nameOf(each) }])),
    secrets: secrets && new Set(secrets.map(objectKey)),
    matchRegex,
  };
}

/** Problems, and questions that are open. */
export interface Findings {
  /** Each prevents that the object has an effect. */
  readonly errors: readonly GatewayReason[];
  /** Unknown reasons and notes. */
  readonly others: readonly GatewayReason[];
  /** The class, if it is known. */
  readonly name?: string;
}

const defaultClassAnnotation = 'ingressclass.kubernetes.io/is-default-class';

/** The class of an Ingress, and whether something serves it. An address in its status proves that. */
export function findIngressClass(ingress: Ingress, { lists: { ingressClasses } }: World): Findings {
  const object = referenceTo('Ingress', ingress);
  const { spec, status, metadata } = ingress;
  const annotated = metadata?.annotations?.['kubernetes.io/ingress.class'];
  const named = spec?.ingressClassName || annotated;
  const isServed = (status?.loadBalancer?.ingress ?? []).length > 0;
  const names = (ingressClasses ?? []).map(nameOf);
  if (!named) return findDefaultClass(object, isServed, ingressClasses);
  const result = { errors: [], others: [], name: named };
  if (isServed || names.includes(named)) return result;
  const values = { class: JSON.stringify(named), nearest: nearest(named, names) };
  const location = { object, path: spec?.ingressClassName ? 'spec.ingressClassName' : 'metadata.annotations' };
  if (!spec?.ingressClassName) return { ...result, others: [createReason('IngressClassAnnotated', values, location)] };
  if (!ingressClasses) return { ...result, others: [createReason('IngressClassUnknown', values, location)] };
  return { ...result, errors: [createReason('IngressClassNotFound', values, location)] };
}

/** Mirrors getDefaultClass (1.37, plugin/pkg/admission/network/defaultingressclass): the newest class, then the first name. */
function findDefaultClass(object: GatewayReference, isServed: boolean, classes: readonly NamedObject[] = []): Findings {
  const [first] = classes
    .filter(({ metadata }) => metadata?.annotations?.[defaultClassAnnotation] === 'true')
    .sort((a, b) => createdAt(b) - createdAt(a) || compareText(nameOf(a), nameOf(b)));
  if (isServed) return { errors: [], others: [] };
  const location = { object, path: 'spec.ingressClassName' };
  if (!first) return { errors: [], others: [createReason('IngressClassMissing', {}, location)] };
  const note = createReason('IngressClassDefault', { class: JSON.stringify(nameOf(first)) }, location);
  return { errors: [], others: [note], name: nameOf(first) };
}

/** The time of creation in milliseconds; 0 if absent. */
export function createdAt({ metadata }: NamedObject): number {
  const time = metadata?.creationTimestamp;
  return time ? new Date(time).getTime() || 0 : 0;
}

/** Whether the class and the status of a Gateway let it serve requests. */
export function checkGateway(gateway: Gateway, { lists: { gatewayClasses } }: World): Findings {
  const object = referenceTo('Gateway', gateway);
  const { spec, status } = gateway;
  const name = spec?.gatewayClassName ?? '';
  const location = { object, path: 'spec.gatewayClassName' };
  const values = { class: JSON.stringify(name) };
  const found = gatewayClasses?.find((each) => nameOf(each) === name);
  if (gatewayClasses && !found)
    return {
      errors: [createReason('GatewayClassNotFound', { ...values, nearest: nearest(name, gatewayClasses.map(nameOf)) }, location)],
      others: [],
    };
  const errors = [
    ...(found ? findUnready(found, ['Accepted'], 'GatewayClassNotAccepted', { object: referenceTo('GatewayClass', found) }) : []),
    ...findUnready(gateway, ['Accepted', 'Programmed'], 'GatewayNotReady', { object }),
  ];
  const isAccepted = status?.conditions?.some(({ type, status: value }) => type === 'Accepted' && value === 'True');
  if (errors.length === 0 && status?.conditions && (status.addresses ?? []).length === 0)
    errors.push(createReason('GatewayHasNoAddress', {}, { object, path: 'status.addresses' }));
  return { errors, others: gatewayClasses || isAccepted ? [] : [createReason('GatewayClassUnknown', values, location)] };
}

interface WithStatus extends NamedObject {
  readonly status?: Optional<{ readonly conditions?: Optional<readonly Condition[]> }>;
}

/** A reason for the first condition that is not "True". Conditions of an earlier generation are ignored. */
export function findUnready(
  { metadata, status }: WithStatus,
  types: readonly string[],
  code: 'GatewayClassNotAccepted' | 'GatewayNotReady' | 'ListenerNotReady' | 'RouteNotAccepted' | 'RefsNotResolved',
  location: Location,
  values: Readonly<Record<string, string>> = {},
): GatewayReason[] {
  const condition = (status?.conditions ?? []).find(
    (each) =>
      types.includes(each.type ?? '') && each.status !== 'True' && (each.observedGeneration ?? Infinity) >= (metadata?.generation ?? 0),
  );
  if (!condition) return [];
  const { type, status: value, reason, message } = condition;
  return [createReason(code, { ...values, status: `: ${type} is ${value} (${reason}): ${message?.replace(/\.$/, '')}` }, location)];
}

/** Whether a ReferenceGrant in the namespace of the target allows a reference. Undefined if the grants are unknown. */
export function isGranted(
  from: { readonly kind: string; readonly namespace: string },
  to: Required<ObjectRef>,
  world: World,
): boolean | undefined {
  const matches = ({ spec, ...grant }: ReferenceGrant): boolean =>
    namespaceOf(grant) === to.namespace &&
    (spec?.from ?? []).some(
      (each) => each.group === 'gateway.networking.k8s.io' && each.kind === from.kind && each.namespace === from.namespace,
    ) &&
    (spec?.to ?? []).some((each) => (each.group ?? '') === to.group && each.kind === to.kind && (!each.name || each.name === to.name));
  return world.lists.referenceGrants?.some(matches);
}
