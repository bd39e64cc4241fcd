import { isDeepStrictEqual } from 'node:util';
import { createMirror, createReconciler, type SlicePlan, type SliceReason } from 'kube-endpoints';
import {
  mirroringController,
  nameOf,
  namespaceOf,
  objectKey,
  sliceController,
  sliceManagedByLabel,
  triggerTimeAnnotation,
  zoneLabel,
} from 'kube-endpoints/internal';
import type { EndpointSlice, EndpointSliceInput, EndpointsInput, Node, Pod, Service } from 'kube-endpoints/types';
import type { Scope } from '../input/scope.ts';
import { sliceName } from '../print/slices.ts';

/** What comparing the slices of one Service with those found came to. */
export interface ComparedSlices {
  readonly namespace: string;
  readonly name: string;
  /** Which controller keeps them: that of the Service's pods, or the one that mirrors its Endpoints. */
  readonly from: 'pods' | 'endpoints';
  /**
   * "equal"; "differs": the controller would write; "missing": there are none, it would create them; "retried": it writes
   * nothing and tries again; "leftOver": there is no Service, they go with it; "unmanaged": it leaves them to others.
   */
  readonly state: 'equal' | 'differs' | 'missing' | 'retried' | 'leftOver' | 'unmanaged';
  readonly reasons: readonly SliceReason[];
  /** What would be written; empty where nothing would. */
  readonly changes: readonly SliceChange[];
  /** How many slices name the Service and are kept by others, so that they are left alone. */
  readonly foreign: number;
}

/** One write: a slice to create has no `found`, one to delete no `computed`. */
export interface SliceChange {
  readonly action: 'create' | 'update' | 'delete';
  readonly name: string;
  readonly found?: EndpointSliceInput;
  readonly computed?: EndpointSlice;
}

export interface CompareSlicesOptions {
  /** 1.21 or later. */
  readonly version: string;
  readonly maxEndpointsPerSlice?: number | undefined;
}

export type SliceComparison = (service: Service) => ComparedSlices;

/** Tells of one Service after the other what the slice controller of a release would do about its slices in the input. */
export function createSliceComparison(scope: Scope, { version, maxEndpointsPerSlice }: CompareSlicesOptions): SliceComparison {
  const { reconcileSlices } = createReconciler({ version, ...(maxEndpointsPerSlice !== undefined && { maxEndpointsPerSlice }) });
  const nodesIn = new Map<string, readonly Node[]>();
  return (service) => {
    const key = objectKey(service);
    const current = scope.slicesOf(key);
    const pods = scope.podsOf(namespaceOf(service));
    const nodes = scope.nodes ?? nodesIn.get(namespaceOf(service)) ?? nodesBehind(undefined, pods, scope.slices);
    nodesIn.set(namespaceOf(service), nodes);
    const plan = reconcileSlices({ key, service: adopted(service, current), pods, nodes, current });
    return comparedBy(plan, service, current, 'pods');
  };
}

/** A Service as a manifest has no uid yet; the slices of a cluster name the one that it has there. */
function adopted(service: Service, current: readonly EndpointSliceInput[]): Service {
  if (service.metadata?.uid) return service;
  const owners = current.filter((slice) => managedBy(slice) === sliceController).flatMap(({ metadata }) => metadata?.ownerReferences ?? []);
  const uid = owners.find(({ kind }) => kind === 'Service')?.uid;
  return uid ? { ...service, metadata: { ...service.metadata, uid } } : service;
}

/**
 * What the release's two controllers would do about the slices of every Service in scope, and about those of none.
 * @param refused objects of the input that could not be used: where one is concerned, nothing is told
 */
export function compareAllSlices(scope: Scope, options: CompareSlicesOptions, refused: ReadonlySet<string>): ComparedSlices[] {
  const compare = createSliceComparison(scope, options);
  const isKnown = (key: string): boolean => !refused.has(`Service ${key}`) && ![...refused].some((name) => mayBeSliceOf(name, key));
  const services = scope.services.filter((service) => isKnown(objectKey(service)));
  const served = new Set(scope.services.map(objectKey));
  const alone = scope.sliced.filter((key) => !served.has(key) && isKnown(key)).flatMap((key) => leftOver(key, scope.slicesOf(key)));
  const mirrored = compareMirrored(scope, options.version, refused, isKnown);
  const isMirrored = new Set(mirrored.map(({ namespace, name }) => `${namespace}/${name}`));
  const kept = services
    .map(compare)
    .filter(({ namespace, name, state }) => state !== 'unmanaged' || !isMirrored.has(`${namespace}/${name}`));
  return [...kept, ...alone, ...mirrored];
}

/** A slice that was refused is known by its name alone, which begins with that of its Service as a rule. */
const mayBeSliceOf = (refused: string, key: string): boolean => refused.startsWith(`EndpointSlice ${key}-`);

const managedBy = ({ metadata }: EndpointSliceInput): string | undefined => metadata?.labels?.[sliceManagedByLabel];

/** Slices of a Service that is not there: the garbage collector deletes them. */
function leftOver(key: string, current: readonly EndpointSliceInput[]): ComparedSlices[] {
  const own = current.filter((slice) => managedBy(slice) === sliceController);
  if (own.length === 0) return [];
  const [slice] = own as [EndpointSliceInput];
  const { reasons } = createReconciler().reconcileSlices({ key, pods: [], current });
  const changes = own.map((found): SliceChange => ({ action: 'delete', name: nameOf(found), found }));
  const name = key.slice(namespaceOf(slice).length + 1);
  return [{ namespace: namespaceOf(slice), name, from: 'pods', state: 'leftOver', reasons, changes, foreign: 0 }];
}

/** The mirrored slices; without any Endpoints in the input nothing can be said of them. */
function compareMirrored(scope: Scope, version: string, refused: ReadonlySet<string>, isKnown: (key: string) => boolean): ComparedSlices[] {
  if (scope.endpoints.length === 0) return [];
  const { mirror } = createMirror({ version });
  const services = new Map(scope.services.map((service) => [objectKey(service), service]));
  const endpoints = new Map<string, EndpointsInput>(scope.endpoints.map((object) => [objectKey(object), object]));
  const keys = [...new Set([...endpoints.keys(), ...scope.sliced])].filter((key) => isKnown(key) && !refused.has(`Endpoints ${key}`));
  return keys.sort().flatMap((key) => {
    const current = scope.slicesOf(key);
    const service = services.get(key);
    const plan = mirror({ key, service, endpoints: endpoints.get(key), current });
    const isMirrored = current.some((slice) => managedBy(slice) === mirroringController);
    if (!isMirrored && plan.create.length === 0) return [];
    return [comparedBy(plan, service ?? { metadata: nameFrom(key) }, current, 'endpoints')];
  });
}

const nameFrom = (key: string): { namespace: string; name: string } => {
  const [namespace = '', name = ''] = key.split('/');
  return { namespace, name };
};

/** A plan as differences from what is there; writes that change nothing but the trigger time are none. */
function comparedBy(
  plan: SlicePlan,
  service: Service,
  current: readonly EndpointSliceInput[],
  from: ComparedSlices['from'],
): ComparedSlices {
  const there = new Map(current.map((slice) => [nameOf(slice), slice]));
  const updates = plan.update.filter((slice) => !isRewrite(slice, there.get(slice.metadata.name ?? '')));
  const changes: SliceChange[] = [
    ...plan.create.map((computed): SliceChange => ({ action: 'create', name: sliceName(computed), computed })),
    ...updates.map((computed): SliceChange => changeOf('update', computed.metadata.name ?? '', there, computed)),
    ...plan.delete.map(({ metadata }): SliceChange => changeOf('delete', metadata.name, there)),
  ];
  const controller = from === 'pods' ? sliceController : mirroringController;
  const own = current.filter((slice) => managedBy(slice) === controller).length;
  const isOthers = (slice: EndpointSliceInput): boolean => ![sliceController, mirroringController].includes(managedBy(slice) ?? '');
  return {
    namespace: namespaceOf(service),
    name: nameOf(service),
    from,
    state: stateOf(plan, changes, own),
    reasons: plan.reasons,
    changes,
    foreign: current.filter(isOthers).length,
  };
}

function changeOf(
  action: 'update' | 'delete',
  name: string,
  there: ReadonlyMap<string, EndpointSliceInput>,
  computed?: EndpointSlice,
): SliceChange {
  const found = there.get(name);
  return { action, name, ...(found && { found }), ...(computed && { computed }) };
}

function stateOf({ reasons, retry }: SlicePlan, changes: readonly SliceChange[], own: number): ComparedSlices['state'] {
  if (changes.length > 0) return own === 0 ? 'missing' : 'differs';
  if (retry) return 'retried';
  return reasons.some(({ code }) => code === 'ServiceHasNoSelector' || code === 'ServiceIsExternalName') ? 'unmanaged' : 'equal';
}

const isRewrite = (slice: EndpointSlice, found: EndpointSliceInput | undefined): boolean =>
  found !== undefined && isDeepStrictEqual(comparable(slice), comparable(found));

function comparable({ metadata, addressType, endpoints, ports }: EndpointSliceInput): unknown {
  const annotations = Object.entries(metadata?.annotations ?? {}).filter(([key]) => key !== triggerTimeAnnotation);
  const owners = (metadata?.ownerReferences ?? []).map(({ uid }) => uid ?? '');
  const labels = Object.entries(metadata?.labels ?? {}).sort();
  // through JSON, because prototypes and absent fields do not count
  return JSON.parse(JSON.stringify([labels, annotations.sort(), owners, addressType, endpoints ?? [], ports ?? []]));
}

/**
 * The nodes that slices of the input are compared under. Where the input holds none, nothing can be said against the node
 * of any pod, and its zone is taken from the slices that name the node.
 */
export function nodesBehind(
  nodes: readonly Node[] | undefined,
  pods: readonly Pod[],
  slices: readonly EndpointSliceInput[],
): readonly Node[] {
  if (nodes) return nodes;
  const zones = new Map<string, string | undefined>(pods.map(({ spec }) => [spec?.nodeName ?? '', undefined]));
  for (const { endpoints } of slices) {
    for (const { nodeName, zone } of endpoints ?? []) if (nodeName && zone) zones.set(nodeName, zone);
  }
  return [...zones].map(([name, zone]) => ({ metadata: { name, ...(zone !== undefined && { labels: { [zoneLabel]: zone } }) } }));
}
