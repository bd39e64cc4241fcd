import { computeEndpointSlices, createReconciler, mergeSlices } from 'kube-endpoints';
import { type ApiObject, resources } from 'kube-endpoints/port';
import type { EndpointSliceInput, EndpointsInput, Node, Pod, Service } from 'kube-endpoints/types';
import { profileFor } from 'kube-endpoints/versions';
import type { Chronicle } from '../harness/chronicle.ts';
import { everything } from '../harness/world.ts';
import type { Setting } from '../setting.ts';
import { namespaces } from '../world/namespaces.ts';

/** Problems of the final state: writes that a fresh controller would make, and leftover objects. */
export function checkFinal(chronicle: Chronicle, setting: Setting, abandoned: ReadonlySet<string>): string[] {
  return namespaces.flatMap((namespace) => checkNamespace(chronicle, setting, abandoned, namespace));
}

interface Content {
  readonly services: readonly ApiObject[];
  readonly pods: readonly Pod[];
  readonly nodes: readonly Node[];
  readonly endpoints: readonly ApiObject[];
  readonly slices: readonly ApiObject[];
}

function checkNamespace(chronicle: Chronicle, setting: Setting, abandoned: ReadonlySet<string>, namespace: string): string[] {
  const space = chronicle.at(resources.namespaces, namespace, everything);
  // objects in a terminating namespace are not maintained
  if (!space || space.metadata.deletionTimestamp) return [];
  const all = (resource: (typeof resources)[keyof typeof resources]): ApiObject[] => chronicle.all(resource, namespace, everything);
  const content: Content = {
    services: all(resources.services),
    pods: all(resources.pods) as unknown as Pod[],
    nodes: chronicle.all(resources.nodes, undefined, everything) as unknown as Node[],
    endpoints: all(resources.endpoints),
    slices: all(resources.endpointSlices).map((slice) => ({ ...slice, ports: slice['ports'] ?? [], endpoints: slice['endpoints'] ?? [] })),
  };
  return [...content.services.flatMap((service) => checkService(service, content, setting)), ...leftovers(namespace, content, abandoned)];
}

function checkService(object: ApiObject, content: Content, { version, maxEndpointsPerSlice }: Setting): string[] {
  const { namespace, name } = object.metadata;
  const key = `${namespace}/${name}`;
  const service = object as unknown as Service;
  const { pods, nodes } = content;
  const { placeholderKept } = profileFor(version);
  const versioned = { ...(version !== undefined && { version }) };
  const reconciler = createReconciler({ ...versioned, maxEndpointsPerSlice });
  const current = content.endpoints.find(({ metadata }) => metadata.name === name) as unknown as EndpointsInput | undefined;
  const slices = content.slices as unknown as EndpointSliceInput[];
  const plan = reconciler.reconcile({ key, service, pods: asReferredTo(pods, current), current });
  const slicePlan = reconciler.reconcileSlices({ key, service, pods, nodes, current: slices });
  const problems: string[] = [];
  if (plan.action !== 'none') {
    problems.push(`the Endpoints of ${key} are not right: ${plan.reasons.map(({ code }) => code).join(', ')}; ${JSON.stringify(current)}`);
  }
  const { create, update, delete: toDelete, retry } = slicePlan;
  const codes = slicePlan.reasons.map(({ code }) => code);
  // releases that ignore the placeholder write it at every sync
  const rewrites = !placeholderKept && codes.every((code) => code === 'PortsNotWanted' || code === 'Placeholder');
  if (create.length + update.length + toDelete.length > 0 && !retry && !rewrites) {
    const due = JSON.stringify({ create, update, delete: toDelete });
    problems.push(
      `the slices of ${key} are not right: ${codes.join(', ')}; there ${JSON.stringify(slices.filter((s) => s.metadata?.labels?.['kubernetes.io/service-name'] === name))}; due ${due}`,
    );
  }
  return [...problems, ...checkContent(service, key, content, { ...versioned, maxEndpointsPerSlice, nodes }, slicePlan.retry)];
}

/**
 * Pods at the resourceVersions that Endpoints refer to: a version alone requires no sync, but the order of subsets before 1.24 uses it.
 */
function asReferredTo(pods: readonly Pod[], current: EndpointsInput | undefined): readonly Pod[] {
  const addresses = (current?.subsets ?? []).flatMap((subset) => [...(subset.addresses ?? []), ...(subset.notReadyAddresses ?? [])]);
  const versions = new Map(addresses.map(({ targetRef }) => [targetRef?.uid, targetRef?.resourceVersion]));
  return pods.map((pod) => {
    const resourceVersion = versions.get(pod.metadata?.uid);
    return resourceVersion ? { ...pod, metadata: { ...pod.metadata, resourceVersion } } : pod;
  });
}

/** Compares slices by their meaning to a reader, regardless of how endpoints are distributed. */
function checkContent(
  service: Service,
  key: string,
  { pods, slices }: Content,
  options: { readonly version?: string; readonly maxEndpointsPerSlice: number; readonly nodes: readonly Node[] },
  isIncomplete: boolean,
): string[] {
  if (!service.spec?.selector || service.spec.type === 'ExternalName' || isIncomplete) return [];
  const due = computeEndpointSlices(service, pods, options).map((slice, number) => ({
    ...slice,
    metadata: { ...slice.metadata, name: `due-${number}` },
  }));
  const there = slices.filter(
    ({ metadata: { labels } }) =>
      labels?.['kubernetes.io/service-name'] === service.metadata?.name &&
      labels?.['endpointslice.kubernetes.io/managed-by'] === 'endpointslice-controller.k8s.io',
  ) as unknown as EndpointSliceInput[];
  const { sliceNodeAndZoneCompared } = profileFor(options.version);
  const [a, b] = [meaning(due, sliceNodeAndZoneCompared), meaning(there, sliceNodeAndZoneCompared)];
  return a === b ? [] : [`the slices of ${key} are ${b}, expected ${a}`];
}

/**
 * Some releases keep an old node and zone, and those that include the version of a pod do not compare it. A slice that another client
 * has emptied stays as long as its ports are wanted, and means nothing to a reader.
 */
function meaning(slices: readonly EndpointSliceInput[], comparesNodes: boolean): string {
  const { services, problems } = mergeSlices(slices);
  const codes = problems.map(({ code }) => code).sort();
  const leftOut = ['slices', 'hints', 'forZones', 'resourceVersion', ...(comparesNodes ? [] : ['nodeName', 'zone'])];
  const formatted = services.map(({ ports, ...service }) => ({ ...service, ports: ports.filter(({ endpoints }) => endpoints.length > 0) }));
  return JSON.stringify([formatted, codes], (name, value) => (leftOut.includes(name) ? undefined : value));
}

/**
 * Leftover objects. A new process does not know what its predecessor sent: Endpoints that arrive later are recognized
 * only by their marks, and some releases set none.
 */
function leftovers(namespace: string, { services, endpoints, slices }: Content, abandoned: ReadonlySet<string>): string[] {
  const names = new Set(services.map(({ metadata }) => metadata.name));
  const uids = new Set(services.map(({ metadata }) => metadata.uid));
  const orphans = endpoints
    .filter(({ metadata }) => !names.has(metadata.name))
    .filter((each) => isMarked(each) || !abandoned.has(each.metadata.uid ?? ''))
    .map(({ metadata }) => `the Endpoints ${namespace}/${metadata.name} are left over: ${JSON.stringify(metadata)}`);
  const ownerless = slices
    .filter(({ metadata }) => metadata.labels?.['endpointslice.kubernetes.io/managed-by'] === 'endpointslice-controller.k8s.io')
    .filter(({ metadata }) => !(metadata.ownerReferences ?? []).some(({ uid }) => uids.has(uid as string)))
    .map(({ metadata }) => `the slice ${namespace}/${metadata.name} is left over: ${JSON.stringify(metadata)}`);
  return [...orphans, ...ownerless];
}

const isMarked = ({ metadata: { labels, annotations } }: ApiObject): boolean =>
  labels?.['endpoints.kubernetes.io/managed-by'] !== undefined ||
  annotations?.['endpoints.kubernetes.io/last-change-trigger-time'] !== undefined;
