import { compareText, type Labels, nameOf, namespaceOf, objectKey } from '../apimachinery/index.ts';
import type { Optional, Service } from '../types/index.ts';
import { nearest } from './hosts.ts';
import type { Condition, Gateway, GatewayObjects, Ingress, NamedObject, ObjectRef, ReferenceGrant } from './objects.ts';
import type { GatewayReasonCode } from './reason-table.ts';
import { createReason, type GatewayReason, type Location } from './reasons.ts';
import { referenceTo } from './reference.ts';
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

const defaultClassAnnotation = 'ingressclass.kubernetes.io/is-default-class';

/** The class of an Ingress, and why it may not be served. */
export interface IngressClassResult {
  readonly name?: string;
  readonly reasons: readonly GatewayReason[];
}

/** The class of an Ingress. If it is open whether something serves the class, an address in the status proves that. */
export function findIngressClass(ingress: Ingress, { lists: { ingressClasses } }: World): IngressClassResult {
  const { spec, status, metadata } = ingress;
  const named = spec?.ingressClassName || metadata?.annotations?.['kubernetes.io/ingress.class'];
  const isServed = (status?.loadBalancer?.ingress ?? []).length > 0;
  const names = (ingressClasses ?? []).map(nameOf);
  const path = named && !spec?.ingressClassName ? 'metadata.annotations' : 'spec.ingressClassName';
  const create = (code: GatewayReasonCode, name = '', near = ''): GatewayReason =>
    createReason(code, { class: JSON.stringify(name), nearest: near }, { object: referenceTo('Ingress', ingress), path });
  if (!named) {
    const name = findDefaultClass(ingressClasses);
    if (isServed) return { reasons: [] };
    return name === undefined ? { reasons: [create('IngressClassMissing')] } : { name, reasons: [create('IngressClassDefault', name)] };
  }
  const isDeleted = spec?.ingressClassName && ingressClasses;
  if (names.includes(named) || (isServed && !isDeleted)) return { name: named, reasons: [] };
  if (!spec?.ingressClassName) return { name: named, reasons: [create('IngressClassAnnotated', named)] };
  const code = ingressClasses ? 'IngressClassNotFound' : 'IngressClassUnknown';
  return { name: named, reasons: [create(code, named, nearest(named, names))] };
}

/** Mirrors getDefaultClass (1.37, plugin/pkg/admission/network/defaultingressclass): the newest class, then the first name. */
function findDefaultClass(classes: readonly NamedObject[] = []): string | undefined {
  const [first] = classes
    .filter(({ metadata }) => metadata?.annotations?.[defaultClassAnnotation] === 'true')
    .sort((a, b) => createdAt(b) - createdAt(a) || compareText(nameOf(a), nameOf(b)));
  return first && nameOf(first);
}

/** The time of creation in milliseconds; 0 if absent. */
export function createdAt({ metadata }: NamedObject): number {
  const time = metadata?.creationTimestamp;
  return time ? new Date(time).getTime() || 0 : 0;
}

/** Why a Gateway may not serve requests: its class, its status. */
export function checkGateway(gateway: Gateway, { lists: { gatewayClasses } }: World): GatewayReason[] {
  const object = referenceTo('Gateway', gateway);
  const { spec, status } = gateway;
  const name = spec?.gatewayClassName ?? '';
  const found = gatewayClasses?.find((each) => nameOf(each) === name);
  const isAccepted = status?.conditions?.some(({ type, status: value }) => type === 'Accepted' && value === 'True');
  if (!found && !isAccepted) {
    const values = { class: JSON.stringify(name), nearest: nearest(name, (gatewayClasses ?? []).map(nameOf)) };
    const code = gatewayClasses ? 'GatewayClassNotFound' : 'GatewayClassUnknown';
    return [createReason(code, values, { object, path: 'spec.gatewayClassName' })];
  }
  const reasons = [
    ...(found ? findUnready(found, ['Accepted'], 'GatewayClassNotAccepted', { object: referenceTo('GatewayClass', found) }) : []),
    ...findUnready(gateway, ['Accepted', 'Programmed'], 'GatewayNotReady', { object }),
  ];
  const hasAddress = !status?.conditions || (status.addresses ?? []).length > 0;
  return reasons.length > 0 || hasAddress ? reasons : [createReason('GatewayHasNoAddress', {}, { object, path: 'status.addresses' })];
}

interface WithStatus extends NamedObject {
  readonly status?: Optional<{ readonly conditions?: Optional<readonly Condition[]> }>;
}

/** A reason for the first condition that is not "True". Conditions of an earlier generation are ignored. */
export function findUnready(
  { metadata, status }: WithStatus,
  types: readonly string[],
  code: GatewayReasonCode,
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
