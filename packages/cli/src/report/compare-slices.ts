import { isDeepStrictEqual } from 'node:util';
import { createMirror, createReconciler, type SlicePlan, type SliceReason } from 'kube-endpoints';
import {
  mirroringController,
  serveSlice,
  sliceController,
  sliceManagedByLabel,
  triggerTimeAnnotation,
  zoneLabel,
} from 'kube-endpoints/internal';
import { nameOf, namespaceOf, objectKey } from 'kube-endpoints/internal/apimachinery';
import type { EndpointSlice, EndpointSliceInput, EndpointsInput, Node, Pod, Service } from 'kube-endpoints/types';
import { profileFor } from 'kube-endpoints/versions';
import type { Release } from '../flags/common.ts';
import type { Scope } from '../input/scope.ts';
import { formatSliceName } from '../print/slices.ts';

/** The comparison of one Service's slices with the input. */
export interface SlicesComparison {
  readonly namespace: string;
  readonly name: string;
  /** The controller that manages the slices: the EndpointSlice controller ("pods"), or the mirroring controller ("endpoints"). */
  readonly from: 'pods' | 'endpoints';
  /**
   * "differs" if the controller would write; "missing" if it would create the first slices; "retried" if it writes nothing and retries;
   * "leftOver" if the Service does not exist, so that its slices are garbage-collected; "unmanaged" if no controller manages the slices.
   */
  readonly state: 'equal' | 'differs' | 'missing' | 'retried' | 'leftOver' | 'unmanaged';
  readonly reasons: readonly SliceReason[];
  /** The writes; empty if there are none. */
  readonly changes: readonly SliceChange[];
  /** The number of slices of the Service that other writers manage. The controllers do not change these slices. */
  readonly foreign: number;
}

/** One write. `found` is absent for a slice to create, `computed` for one to delete. */
export interface SliceChange {
  readonly action: 'create' | 'update' | 'delete';
  readonly name: string;
  readonly found?: EndpointSliceInput;
  readonly computed?: EndpointSlice;
}

/** The release is 1.17 or later. */
export interface CompareSlicesOptions extends Release {
  readonly maxEndpointsPerSlice?: number | undefined;
}

export type SlicesComparer = (service: Service) => SlicesComparison;

/** Creates a function that compares the input's slices of a Service with those that a release's EndpointSlice controller would write. */
export function createSlicesComparer(scope: Scope, { maxEndpointsPerSlice, ...release }: CompareSlicesOptions): SlicesComparer {
  const { reconcileSlices } = createReconciler({ ...release, ...(maxEndpointsPerSlice !== undefined && { maxEndpointsPerSlice }) });
  const slicesOf = createSliceReader(scope, release);
  const inferredNodes = new Map<string, readonly Node[]>();
  return (service) => {
    const key = objectKey(service);
    const current = slicesOf(key);
    const pods = scope.podsOf(namespaceOf(service));
    const nodes = scope.nodes ?? inferredNodes.get(namespaceOf(service)) ?? inferNodes(undefined, pods, scope.slices);
    inferredNodes.set(namespaceOf(service), nodes);
    const plan = reconcileSlices({ key, service: addInferredUid(service, current), pods, nodes, current });
    return toComparison(plan, service, current, 'pods');
  };
}

/** Creates a function that returns the slices of a Service in the API version that the release's controllers read. */
function createSliceReader(scope: Scope, { version, featureGates }: Release): (key: string) => readonly EndpointSliceInput[] {
  const profile = profileFor(version, featureGates);
  return (key) => scope.slicesOf(key).map((slice) => serveSlice(slice, profile));
}

/** Sets the uid of a Service without one, as in a manifest, to the uid that the Service's slices refer to. */
function addInferredUid(service: Service, current: readonly EndpointSliceInput[]): Service {
  if (service.metadata?.uid) return service;
  const owners = current.filter((slice) => managerOf(slice) === sliceController).flatMap(({ metadata }) => metadata?.ownerReferences ?? []);
  const uid = owners.find(({ kind }) => kind === 'Service')?.uid;
  return uid ? { ...service, metadata: { ...service.metadata, uid } } : service;
}

/**
 * Compares the slices of every Service in scope, and slices without a Service, with what the release's two controllers would write. Omits
 * the "unmanaged" comparison of a Service whose slices are mirrored.
 * @param invalidObjects kinds and names of invalid objects; Services that they affect are left out
 */
export function compareAllSlices(scope: Scope, options: CompareSlicesOptions, invalidObjects: ReadonlySet<string>): SlicesComparison[] {
  const compare = createSlicesComparer(scope, options);
  const isComparable = (key: string): boolean =>
    !invalidObjects.has(`Service ${key}`) && ![...invalidObjects].some((name) => mayBeSliceOf(name, key));
  const services = scope.services.filter((service) => isComparable(objectKey(service)));
  const serviceKeys = new Set(scope.services.map(objectKey));
  const leftOverComparisons = scope.serviceKeysOfSlices
    .filter((key) => !serviceKeys.has(key) && isComparable(key))
    .flatMap((key) => compareLeftOver(key, scope.slicesOf(key)));
  const mirroredComparisons = compareMirroredSlices(scope, options, invalidObjects, isComparable);
  const mirroredKeys = new Set(mirroredComparisons.map(({ namespace, name }) => `${namespace}/${name}`));
  const controllerComparisons = services
    .map(compare)
    .filter(({ namespace, name, state }) => state !== 'unmanaged' || !mirroredKeys.has(`${namespace}/${name}`));
  return [...controllerComparisons, ...leftOverComparisons, ...mirroredComparisons];
}

/** True if the name of an invalid slice begins with the Service's name, as is usual. Only the names of invalid objects are known. */
const mayBeSliceOf = (invalidName: string, key: string): boolean => invalidName.startsWith(`EndpointSlice ${key}-`);

const managerOf = ({ metadata }: EndpointSliceInput): string | undefined => metadata?.labels?.[sliceManagedByLabel];

/** Compares the slices of a Service that does not exist: the garbage collector deletes them. */
function compareLeftOver(key: string, current: readonly EndpointSliceInput[]): SlicesComparison[] {
  const managedSlices = current.filter((slice) => managerOf(slice) === sliceController);
  if (managedSlices.length === 0) return [];
  const [slice] = managedSlices as [EndpointSliceInput];
  const { reasons } = createReconciler().reconcileSlices({ key, pods: [], current });
  const changes = managedSlices.map((found): SliceChange => ({ action: 'delete', name: nameOf(found), found }));
  const name = key.slice(namespaceOf(slice).length + 1);
  return [{ namespace: namespaceOf(slice), name, from: 'pods', state: 'leftOver', reasons, changes, foreign: 0 }];
}

/** Compares the slices that the mirroring controller manages or would create. Returns no comparison if the scope has no Endpoints. */
function compareMirroredSlices(
  scope: Scope,
  release: Release,
  invalidObjects: ReadonlySet<string>,
  isComparable: (key: string) => boolean,
): SlicesComparison[] {
  if (scope.endpoints.length === 0 || !profileFor(release.version, release.featureGates).endpointsMirrored) return [];
  const { mirror } = createMirror(release);
  const slicesOf = createSliceReader(scope, release);
  const services = new Map(scope.services.map((service) => [objectKey(service), service]));
  const endpoints = new Map<string, EndpointsInput>(scope.endpoints.map((object) => [objectKey(object), object]));
  const keys = [...new Set([...endpoints.keys(), ...scope.serviceKeysOfSlices])].filter(
    (key) => isComparable(key) && !invalidObjects.has(`Endpoints ${key}`),
  );
  return keys.sort().flatMap((key) => {
    const current = slicesOf(key);
    const service = services.get(key);
    const plan = mirror({ key, service, endpoints: endpoints.get(key), current });
    const isMirrored = current.some((slice) => managerOf(slice) === mirroringController);
    if (!isMirrored && plan.create.length === 0) return [];
    return [toComparison(plan, service ?? { metadata: parseKey(key) }, current, 'endpoints')];
  });
}

const parseKey = (key: string): { namespace: string; name: string } => {
  const [namespace = '', name = ''] = key.split('/');
  return { namespace, name };
};

/** Converts a plan to a comparison. Drops updates that change only the trigger time. */
function toComparison(
  plan: SlicePlan,
  service: Service,
  current: readonly EndpointSliceInput[],
  from: SlicesComparison['from'],
): SlicesComparison {
  const existingByName = new Map(current.map((slice) => [nameOf(slice), slice]));
  const updates = plan.update.filter((slice) => !changesOnlyTriggerTime(slice, existingByName.get(slice.metadata.name ?? '')));
  const changes: SliceChange[] = [
    ...plan.create.map((computed): SliceChange => ({ action: 'create', name: formatSliceName(computed), computed })),
    ...updates.map((computed): SliceChange => changeOf('update', computed.metadata.name ?? '', existingByName, computed)),
    ...plan.delete.map(({ metadata }): SliceChange => changeOf('delete', metadata.name, existingByName)),
  ];
  const controller = from === 'pods' ? sliceController : mirroringController;
  const ownCount = current.filter((slice) => managerOf(slice) === controller).length;
  const isForeign = (slice: EndpointSliceInput): boolean => ![sliceController, mirroringController].includes(managerOf(slice) ?? '');
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
  existingByName: ReadonlyMap<string, EndpointSliceInput>,
  computed?: EndpointSlice,
): SliceChange {
  const existingSlice = existingByName.get(name);
  return { action, name, ...(existingSlice && { found: existingSlice }), ...(computed && { computed }) };
}

function stateOf({ reasons, retry }: SlicePlan, changes: readonly SliceChange[], ownCount: number): SlicesComparison['state'] {
  if (changes.length > 0) return ownCount === 0 ? 'missing' : 'differs';
  if (retry) return 'retried';
  return reasons.some(({ code }) => code === 'ServiceHasNoSelector' || code === 'ServiceIsExternalName') ? 'unmanaged' : 'equal';
}

const changesOnlyTriggerTime = (slice: EndpointSlice, current: EndpointSliceInput | undefined): boolean =>
  current !== undefined && isDeepStrictEqual(toComparable(slice), toComparable(current));

function toComparable({ metadata, addressType, endpoints, ports }: EndpointSliceInput): unknown {
  const annotations = Object.entries(metadata?.annotations ?? {}).filter(([key]) => key !== triggerTimeAnnotation);
  const owners = (metadata?.ownerReferences ?? []).map(({ uid }) => uid ?? '');
  const labels = Object.entries(metadata?.labels ?? {}).sort();
  // JSON drops prototypes and undefined fields, which do not count.
  return JSON.parse(JSON.stringify([labels, annotations.sort(), owners, addressType, endpoints ?? [], ports ?? []]));
}

/**
 * Returns the nodes for the comparison. If the input holds no nodes, assumes that every node of a pod exists, and every node that a slice
 * gives with its zone.
 */
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
