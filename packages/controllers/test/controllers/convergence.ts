import { isDeepStrictEqual } from 'node:util';
import { computeEndpointSlices, computeEndpoints, createReconciler } from 'kube-endpoints';
import { settingsFor, sliceController, sliceManagedByLabel, unmanagedCodeOf } from 'kube-endpoints/internal';
import { type ApiObject, type ClientPort, type Resource, resources } from 'kube-endpoints/port';
import type { EndpointSliceInput, EndpointsInput, Node, Pod, Service } from 'kube-endpoints/types';

export interface ConvergenceOptions {
  readonly version?: string;
  readonly maxEndpointsPerSlice?: number;
  readonly controllers?: readonly string[];
}

/**
 * Returns the deviations from the expected state, once the controllers are idle: Endpoints that do not match the Service and the pods,
 * slices with other endpoints, and every write that a newly started controller would send.
 */
export async function differencesFrom(port: ClientPort, options: ConvergenceOptions = {}): Promise<string[]> {
  const read = async <T>(resource: Resource): Promise<T[]> => (await port.list(resource)).items as unknown as T[];
  const cluster: Cluster = {
    services: await read<Service & ApiObject>(resources.services),
    pods: await read<Pod>(resources.pods),
    nodes: await read<Node>(resources.nodes),
    endpoints: await read<EndpointsInput>(resources.endpoints),
    slices: await read<EndpointSliceInput>(resources.endpointSlices),
  };
  const { controllers = ['endpoints', 'endpointslices'] } = options;
  const { profile } = settingsFor(options);
  return cluster.services
    .filter((service) => !unmanagedCodeOf(service, profile))
    .flatMap((service) => [
      ...(controllers.includes('endpoints') ? compareEndpoints(service, cluster, options) : []),
      ...(controllers.includes('endpointslices') ? compareSlices(service, cluster, options) : []),
    ]);
}

interface Cluster {
  readonly services: readonly (Service & ApiObject)[];
  readonly pods: readonly Pod[];
  readonly nodes: readonly Node[];
  readonly endpoints: readonly EndpointsInput[];
  readonly slices: readonly EndpointSliceInput[];
}

function compareEndpoints(service: Service, { pods, endpoints }: Cluster, { version }: ConvergenceOptions): string[] {
  const key = keyOf(service);
  const current = endpoints.find((candidate) => keyOf(candidate) === key);
  if (!current) return [`${key}: no Endpoints`];
  const expectedEndpoints = computeEndpoints(service, pods, version === undefined ? {} : { version });
  const differences: string[] = [];
  // The headless label is ignored here: no release compares it in both directions.
  const actual = removeVersions(current.subsets ?? []);
  const expected = removeVersions(expectedEndpoints?.subsets ?? []);
  if (!isDeepStrictEqual(actual, expected)) differences.push(`${key}: Endpoints are ${toText(actual)}, should be ${toText(expected)}`);
  const freshReconciler = createReconciler(version === undefined ? {} : { version });
  // Old releases write the resourceVersion of a pod, but a change of it alone causes no write.
  const plan = freshReconciler.reconcile({ key, service, pods: pods.map((pod) => setWrittenVersion(pod, current)), current });
  if (plan.action !== 'none') differences.push(`${key}: would ${plan.action} Endpoints, ${plan.reasons.map(({ code }) => code).join()}`);
  return differences;
}

function compareSlices(service: Service, { pods, nodes, slices }: Cluster, options: ConvergenceOptions): string[] {
  const key = keyOf(service);
  const ownSlices = slices.filter(
    ({ metadata }) =>
      metadata?.namespace === service.metadata?.namespace &&
      metadata?.labels?.['kubernetes.io/service-name'] === service.metadata?.name &&
      metadata?.labels?.[sliceManagedByLabel] === sliceController,
  );
  const { controllers: _, ...rest } = options;
  const actual = mergeEndpoints(ownSlices);
  const expected = mergeEndpoints(computeEndpointSlices(service, pods, { ...rest, nodes }));
  const differences = isDeepStrictEqual(actual, expected) ? [] : [`${key}: slices have ${toText(actual)}, should have ${toText(expected)}`];
  const foreignSlices = ownSlices.filter(({ metadata }) => !metadata?.ownerReferences?.some(({ uid }) => uid === service.metadata?.uid));
  if (foreignSlices.length > 0) differences.push(`${key}: slices of another Service: ${foreignSlices.map(keyOf).join()}`);
  const plan = createReconciler(rest).reconcileSlices({ key, service, pods, nodes, current: ownSlices });
  const writes = plan.create.length + plan.update.length + plan.delete.length;
  // Releases without `placeholderKept` replace a slice without endpoints at each sync.
  const { profile } = settingsFor(rest);
  const replacesPlaceholder = !profile.placeholderKept && plan.reasons.some(({ code }) => code === 'Placeholder');
  if (writes > 0 && !replacesPlaceholder)
    differences.push(`${key}: would make ${writes} writes of slices, ${plan.reasons.map(({ code }) => code).join()}`);
  return differences;
}

/** The endpoints of slices, independent of their distribution; hints are ignored because they depend on earlier state. */
const mergeEndpoints = (slices: readonly EndpointSliceInput[]): string[] =>
  slices
    .flatMap(({ addressType, ports, endpoints }) =>
      (endpoints ?? []).map(({ hints: _, ...endpoint }) => JSON.stringify(removeVersions([addressType, ports, endpoint]))),
    )
    .sort();

/** Removes resourceVersions, and sorts the fields of objects. */
function removeVersions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeVersions);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, field]) => name !== 'resourceVersion' && field !== undefined)
      .map(([name, field]) => [name, removeVersions(field)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** Returns the pod with the resourceVersion that its address contains. */
function setWrittenVersion(pod: Pod, { subsets }: EndpointsInput): Pod {
  const addresses = (subsets ?? []).flatMap((subset) => [...(subset.addresses ?? []), ...(subset.notReadyAddresses ?? [])]);
  const resourceVersion = addresses.find(({ targetRef }) => targetRef?.uid === pod.metadata?.uid)?.targetRef?.resourceVersion;
  return resourceVersion ? { ...pod, metadata: { ...pod.metadata, resourceVersion } } : pod;
}

const keyOf = ({ metadata }: { readonly metadata?: Service['metadata'] }): string => `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;

const toText = (value: unknown): string => JSON.stringify(value).slice(0, 800);
