import { computeEndpointSlices, createReconciler, mergeSlices } from 'kube-endpoints';
import { type ApiObject, resources } from 'kube-endpoints/port';
import type { EndpointSliceInput, EndpointsInput, Node, Pod, Service } from 'kube-endpoints/types';
import { profileFor } from 'kube-endpoints/versions';
import { namespaces } from '../client/namespaces.ts';
import type { History } from '../harness/history.ts';
import { currentVersion } from '../harness/test-client.ts';
import type { Settings as SimulationSettings } from '../settings.ts';
import { isMirrored, planMirror } from './mirrored.ts';

type Settings = Pick<SimulationSettings, 'version' | 'maxEndpointsPerSlice' | 'maxEndpointsPerSubset'>;

/** Returns the problems of the final state: writes that a new controller would make, and leftover objects. */
export function checkFinal(history: History, settings: Settings, abandonedUids: ReadonlySet<string>): string[] {
  return namespaces.flatMap((namespace) => checkNamespace(history, settings, abandonedUids, namespace));
}

interface NamespaceState {
  readonly services: readonly ApiObject[];
  readonly pods: readonly Pod[];
  readonly nodes: readonly Node[];
  readonly endpoints: readonly ApiObject[];
  readonly slices: readonly ApiObject[];
}

function checkNamespace(history: History, settings: Settings, abandonedUids: ReadonlySet<string>, namespace: string): string[] {
  const namespaceObject = history.at(resources.namespaces, namespace, currentVersion);
  // The controllers do not maintain objects in a terminating namespace.
  if (!namespaceObject || namespaceObject.metadata.deletionTimestamp) return [];
  const all = (resource: (typeof resources)[keyof typeof resources]): ApiObject[] => history.all(resource, namespace, currentVersion);
  const state: NamespaceState = {
    services: all(resources.services),
    pods: all(resources.pods) as unknown as Pod[],
    nodes: history.all(resources.nodes, undefined, currentVersion) as unknown as Node[],
    endpoints: all(resources.endpoints),
    slices: all(resources.endpointSlices).map((slice) => ({ ...slice, ports: slice['ports'] ?? [], endpoints: slice['endpoints'] ?? [] })),
  };
  const problems = state.services.flatMap((service) => checkService(service, state, settings));
  return [...problems, ...checkMirrored(history, state, settings), ...findLeftovers(namespace, state, abandonedUids)];
}

/** Before 1.31, changes that other clients make to mirrored slices remain; only slices of Endpoints that are not mirrored are problems. */
function checkMirrored(history: History, { services, slices }: NamespaceState, settings: Settings): string[] {
  const newest = { services: currentVersion, endpoints: currentVersion, endpointslices: currentVersion };
  const serviceKeys = services.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  const sliceKeys = slices
    .filter(isMirrored)
    .map(({ metadata }) => `${metadata.namespace}/${metadata.labels?.['kubernetes.io/service-name'] ?? ''}`);
  const revertsChanges = profileFor(settings.version).mirrorSliceChangesReverted;
  return [...new Set([...serviceKeys, ...sliceKeys])].flatMap((key) => {
    const { create, update, delete: toDelete, reasons } = planMirror(history, key, newest, settings);
    const codes = reasons.map(({ code }) => code);
    if (create.length + update.length + toDelete.length === 0 || (!revertsChanges && codes.some((code) => revertedCodes.includes(code))))
      return [];
    return [`the mirrored slices of ${key} are not right: ${codes.join(', ')}; ${JSON.stringify({ create, update, delete: toDelete })}`];
  });
}

const revertedCodes: readonly string[] = ['MirrorDiffers', 'MirrorSuperfluous', 'SliceMissing'];

function checkService(object: ApiObject, state: NamespaceState, { version, maxEndpointsPerSlice }: Settings): string[] {
  const { namespace, name } = object.metadata;
  const key = `${namespace}/${name}`;
  const service = object as unknown as Service;
  const { pods, nodes } = state;
  const { placeholderKept } = profileFor(version);
  const versionOption = { ...(version !== undefined && { version }) };
  const reconciler = createReconciler({ ...versionOption, maxEndpointsPerSlice });
  const current = state.endpoints.find(({ metadata }) => metadata.name === name) as unknown as EndpointsInput | undefined;
  const slices = state.slices as unknown as EndpointSliceInput[];
  const plan = reconciler.reconcile({ key, service, pods: withReferencedVersions(pods, current), current });
  const slicePlan = reconciler.reconcileSlices({ key, service, pods, nodes, current: slices });
  const problems: string[] = [];
  if (plan.action !== 'none') {
    problems.push(`the Endpoints of ${key} are not right: ${plan.reasons.map(({ code }) => code).join(', ')}; ${JSON.stringify(current)}`);
  }
  const { create, update, delete: toDelete, retry } = slicePlan;
  const codes = slicePlan.reasons.map(({ code }) => code);
  // Releases that ignore an existing placeholder slice write it at every sync.
  const onlyRewritesPlaceholder = !placeholderKept && codes.every((code) => code === 'PortsNotWanted' || code === 'Placeholder');
  if (create.length + update.length + toDelete.length > 0 && !retry && !onlyRewritesPlaceholder) {
    const expected = JSON.stringify({ create, update, delete: toDelete });
    problems.push(
      `the slices of ${key} are not right: ${codes.join(', ')}; existing ${JSON.stringify(slices.filter((s) => s.metadata?.labels?.['kubernetes.io/service-name'] === name))}; expected ${expected}`,
    );
  }
  return [...problems, ...checkContent(service, key, state, { ...versionOption, maxEndpointsPerSlice, nodes }, slicePlan.retry)];
}

/**
 * Gives pods the resourceVersions that Endpoints refer to: a pod whose resourceVersion alone has changed requires no sync, but Kubernetes
 * before 1.24 sorts subsets by resourceVersion.
 */
function withReferencedVersions(pods: readonly Pod[], current: EndpointsInput | undefined): readonly Pod[] {
  const addresses = (current?.subsets ?? []).flatMap((subset) => [...(subset.addresses ?? []), ...(subset.notReadyAddresses ?? [])]);
  const versions = new Map(addresses.map(({ targetRef }) => [targetRef?.uid, targetRef?.resourceVersion]));
  return pods.map((pod) => {
    const resourceVersion = versions.get(pod.metadata?.uid);
    return resourceVersion ? { ...pod, metadata: { ...pod.metadata, resourceVersion } } : pod;
  });
}

/** Compares the merged content of the slices, regardless of how the endpoints are distributed. */
function checkContent(
  service: Service,
  key: string,
  { pods, slices }: NamespaceState,
  options: { readonly version?: string; readonly maxEndpointsPerSlice: number; readonly nodes: readonly Node[] },
  isIncomplete: boolean,
): string[] {
  if (!service.spec?.selector || service.spec.type === 'ExternalName' || isIncomplete) return [];
  const expected = computeEndpointSlices(service, pods, options).map((slice, number) => ({
    ...slice,
    metadata: { ...slice.metadata, name: `expected-${number}` },
  }));
  const existing = slices.filter(
    ({ metadata: { labels } }) =>
      labels?.['kubernetes.io/service-name'] === service.metadata?.name &&
      labels?.['endpointslice.kubernetes.io/managed-by'] === 'endpointslice-controller.k8s.io',
  ) as unknown as EndpointSliceInput[];
  const { sliceNodeAndZoneCompared } = profileFor(options.version);
  const [expectedText, existingText] = [
    toComparableText(expected, sliceNodeAndZoneCompared),
    toComparableText(existing, sliceNodeAndZoneCompared),
  ];
  return expectedText === existingText ? [] : [`the slices of ${key} are ${existingText}, expected ${expectedText}`];
}

/**
 * Omits fields that a release does not compare: the version of a pod and, in some releases, node and zone. Omits ports without endpoints,
 * because the controller keeps a slice that another client has emptied as long as pods have its ports.
 */
function toComparableText(slices: readonly EndpointSliceInput[], comparesNodes: boolean): string {
  const { services, problems } = mergeSlices(slices);
  const codes = problems.map(({ code }) => code).sort();
  const omittedFields = ['slices', 'hints', 'forZones', 'resourceVersion', ...(comparesNodes ? [] : ['nodeName', 'zone'])];
  const formatted = services.map(({ ports, ...service }) => ({ ...service, ports: ports.filter(({ endpoints }) => endpoints.length > 0) }));
  return JSON.stringify([formatted, codes], (name, value) => (omittedFields.includes(name) ? undefined : value));
}

/**
 * Returns a problem for each leftover object. A new process does not know the last writes of its predecessor (`abandonedUids`). It
 * recognizes such Endpoints only by their label or annotation, which some releases do not set.
 */
function findLeftovers(namespace: string, { services, endpoints, slices }: NamespaceState, abandonedUids: ReadonlySet<string>): string[] {
  const names = new Set(services.map(({ metadata }) => metadata.name));
  const uids = new Set(services.map(({ metadata }) => metadata.uid));
  const orphanedEndpoints = endpoints
    .filter(({ metadata }) => !names.has(metadata.name))
    .filter((each) => isMarkedByController(each) || !abandonedUids.has(each.metadata.uid ?? ''))
    .map(({ metadata }) => `the Endpoints ${namespace}/${metadata.name} are left over: ${JSON.stringify(metadata)}`);
  const ownerlessSlices = slices
    .filter(({ metadata }) => metadata.labels?.['endpointslice.kubernetes.io/managed-by'] === 'endpointslice-controller.k8s.io')
    .filter(({ metadata }) => !(metadata.ownerReferences ?? []).some(({ uid }) => uids.has(uid as string)))
    .map(({ metadata }) => `the slice ${namespace}/${metadata.name} is left over: ${JSON.stringify(metadata)}`);
  return [...orphanedEndpoints, ...ownerlessSlices];
}

const isMarkedByController = ({ metadata: { labels, annotations } }: ApiObject): boolean =>
  labels?.['endpoints.kubernetes.io/managed-by'] !== undefined ||
  annotations?.['endpoints.kubernetes.io/last-change-trigger-time'] !== undefined;
