import { isDeepStrictEqual } from 'node:util';
import { createMirror, createReconciler, type SlicePlan, type SliceReason } from 'kube-endpoints';
import { mirroringController, sliceController, sliceManagedByLabel, triggerTimeAnnotation, zoneLabel } from 'kube-endpoints/internal';
import { nameOf, namespaceOf, objectKey } from 'kube-endpoints/internal/apimachinery';
import type { EndpointSlice, EndpointSliceInput, EndpointsInput, Node, Pod, Service } from 'kube-endpoints/types';
import type { Scope } from '../input/scope.ts';
import { sliceName } from '../print/slices.ts';

/** The comparison of one Service's slices with the input. */
export interface SlicesComparison {
  readonly namespace: string;
  readonly name: string;
  /** The controller that manages the slices: the EndpointSlice controller ("pods"), or the mirroring controller ("endpoints"). */
  readonly from: 'pods' | 'endpoints';
  /**
   * "differs" if the controller would write; "missing" if it would create the first slices; "retried" if it writes nothing and retries;
   * "leftOver" if the Service does not exist, so that its slices are garbage-collected; "unmanaged" if other writers manage them.
   */
  readonly state: 'equal' | 'differs' | 'missing' | 'retried' | 'leftOver' | 'unmanaged';
  readonly reasons: readonly SliceReason[];
  /** The writes; empty if there are none. */
  readonly changes: readonly SliceChange[];
  /** The number of slices of the Service that others manage; they are not changed. */
  readonly foreign: number;
}

/** One write. `found` is absent for a slice to create, `computed` for one to delete. */
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

export type SlicesComparer = (service: Service) => SlicesComparison;

/** Creates a function that compares the input's slices of a Service with those that a release's EndpointSlice controller would write. */
export function createSlicesComparer(scope: Scope, { version, maxEndpointsPerSlice }: CompareSlicesOptions): SlicesComparer {
  const { reconcileSlices } = createReconciler({ version, ...(maxEndpointsPerSlice !== undefined && { maxEndpointsPerSlice }) });
  const inferredNodes = new Map<string, readonly Node[]>();
  return (service) => {
    const key = objectKey(service);
    const current = scope.slicesOf(key);
    const pods = scope.podsOf(namespaceOf(service));
    const nodes = scope.nodes ?? inferredNodes.get(namespaceOf(service)) ?? inferNodes(undefined, pods, scope.slices);
    inferredNodes.set(namespaceOf(service), nodes);
    const plan = reconcileSlices({ key, service: withInferredUid(service, current), pods, nodes, current });
    return toComparison(plan, service, current, 'pods');
  };
}

/** Gives a Service without a uid, as in a manifest, the uid that its slices in the cluster refer to. */
function withInferredUid(service: Service, current: readonly EndpointSliceInput[]): Service {
  if (service.metadata?.uid) return service;
  const owners = current.filter((slice) => managedBy(slice) === sliceController).flatMap(({ metadata }) => metadata?.ownerReferences ?? []);
  const uid = owners.find(({ kind }) => kind === 'Service')?.uid;
  return uid ? { ...service, metadata: { ...service.metadata, uid } } : service;
}

/**
 * Compares the slices of every Service in scope, and slices without a Service, with what the release's two controllers would write.
 * @param invalidObjects kinds and names of invalid objects; Services that they affect are left out
 */
export function compareAllSlices(scope: Scope, options: CompareSlicesOptions, invalidObjects: ReadonlySet<string>): SlicesComparison[] {
  const compare = createSlicesComparer(scope, options);
  const isComparable = (key: string): boolean =>
    !invalidObjects.has(`Service ${key}`) && ![...invalidObjects].some((name) => mayBeSliceOf(name, key));
  const services = scope.services.filter((service) => isComparable(objectKey(service)));
  const serviceKeys = new Set(scope.services.map(objectKey));
  const orphans = scope.labelledServices
    .filter((key) => !serviceKeys.has(key) && isComparable(key))
    .flatMap((key) => compareLeftOver(key, scope.slicesOf(key)));
  const mirroredComparisons = compareMirroredSlices(scope, options.version, invalidObjects, isComparable);
  const mirroredKeys = new Set(mirroredComparisons.map(({ namespace, name }) => `${namespace}/${name}`));
  const managed = services
    .map(compare)
    .filter(({ namespace, name, state }) => state !== 'unmanaged' || !mirroredKeys.has(`${namespace}/${name}`));
  return [...managed, ...orphans, ...mirroredComparisons];
}

/** Only the name of an invalid slice is available; it usually begins with the Service's name. */
const mayBeSliceOf = (invalidName: string, key: string): boolean => invalidName.startsWith(`EndpointSlice ${key}-`);

const managedBy = ({ metadata }: EndpointSliceInput): string | undefined => metadata?.labels?.[sliceManagedByLabel];

/** Slices of a Service that does not exist: the garbage collector deletes them. */
function compareLeftOver(key: string, current: readonly EndpointSliceInput[]): SlicesComparison[] {
  const managed = current.filter((slice) => managedBy(slice) === sliceController);
  if (managed.length === 0) return [];
  const [slice] = managed as [EndpointSliceInput];
  const { reasons } = createReconciler().reconcileSlices({ key, pods: [], current });
  const changes = managed.map((found): SliceChange => ({ action: 'delete', name: nameOf(found), found }));
  const name = key.slice(namespaceOf(slice).length + 1);
  return [{ namespace: namespaceOf(slice), name, from: 'pods', state: 'leftOver', reasons, changes, foreign: 0 }];
}

/** Compares mirrored slices, unless the input holds no Endpoints at all. */
function compareMirroredSlices(
  scope: Scope,
  version: string,
  invalidObjects: ReadonlySet<string>,
  isComparable: (key: string) => boolean,
): SlicesComparison[] {
  if (scope.endpoints.length === 0) return [];
  const { mirror } = createMirror({ version });
  const services = new Map(scope.services.map((service) => [objectKey(service), service]));
  const endpoints = new Map<string, EndpointsInput>(scope.endpoints.map((object) => [objectKey(object), object]));
  const keys = [...new Set([...endpoints.keys(), ...scope.labelledServices])].filter(
    (key) => isComparable(key) && !invalidObjects.has(`Endpoints ${key}`),
  );
  return keys.sort().flatMap((key) => {
    const current = scope.slicesOf(key);
    const service = services.get(key);
    const plan = mirror({ key, service, endpoints: endpoints.get(key), current });
    const isMirrored = current.some((slice) => managedBy(slice) === mirroringController);
    if (!isMirrored && plan.create.length === 0) return [];
    return [toComparison(plan, service ?? { metadata: nameFrom(key) }, current, 'endpoints')];
  });
}

const nameFrom = (key: string): { namespace: string; name: string } => {
  const [namespace = '', name = ''] = key.split('/');
  return { namespace, name };
};

/** Turns a plan into changes; drops updates that change nothing but the trigger time. */
function toComparison(
  plan: SlicePlan,
  service: Service,
  current: readonly EndpointSliceInput[],
  from: SlicesComparison['from'],
): SlicesComparison {
  const existing = new Map(current.map((slice) => [nameOf(slice), slice]));
  const updates = plan.update.filter((slice) => !changesOnlyTriggerTime(slice, existing.get(slice.metadata.name ?? '')));
  const changes: SliceChange[] = [
    ...plan.create.map((computed): SliceChange => ({ action: 'create', name: sliceName(computed), computed })),
    ...updates.map((computed): SliceChange => changeOf('update', computed.metadata.name ?? '', existing, computed)),
    ...plan.delete.map(({ metadata }): SliceChange => changeOf('delete', metadata.name, existing)),
  ];
  const controller = from === 'pods' ? sliceController : mirroringController;
  const ownCount = current.filter((slice) => managedBy(slice) === controller).length;
  const isForeign = (slice: EndpointSliceInput): boolean => ![sliceController, mirroringController].includes(managedBy(slice) ?? '');
  return {
    namespace: namespaceOf(service),
    name: nameOf(service),
    from,
    state: stateOf(plan, changes, ownCount),
    reasons: plan.reasons,
    changes,
    foreign: current.filter(isForeign).length,
  };
}

function changeOf(
  action: 'update' | 'delete',
  name: string,
  existing: ReadonlyMap<string, EndpointSliceInput>,
  computed?: EndpointSlice,
): SliceChange {
  const existingSlice = existing.get(name);
  return { action, name, ...(existingSlice && { found: existingSlice }), ...(computed && { computed }) };
}

function stateOf({ reasons, retry }: SlicePlan, changes: readonly SliceChange[], ownCount: number): SlicesComparison['state'] {
  if (changes.length > 0) return ownCount === 0 ? 'missing' : 'differs';
  if (retry) return 'retried';
  return reasons.some(({ code }) => code === 'ServiceHasNoSelector' || code === 'ServiceIsExternalName') ? 'unmanaged' : 'equal';
}

const changesOnlyTriggerTime = (slice: EndpointSlice, current: EndpointSliceInput | undefined): boolean =>
  current !== undefined && isDeepStrictEqual(comparable(slice), comparable(current));

function comparable({ metadata, addressType, endpoints, ports }: EndpointSliceInput): unknown {
  const annotations = Object.entries(metadata?.annotations ?? {}).filter(([key]) => key !== triggerTimeAnnotation);
  const owners = (metadata?.ownerReferences ?? []).map(({ uid }) => uid ?? '');
  const labels = Object.entries(metadata?.labels ?? {}).sort();
  // JSON drops prototypes and undefined fields, which do not count.
  return JSON.parse(JSON.stringify([labels, annotations.sort(), owners, addressType, endpoints ?? [], ports ?? []]));
}

/** The nodes for the comparison. If the input holds none, every pod's node is assumed to exist, with the zone that slices give for it. */
export function inferNodes(
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
