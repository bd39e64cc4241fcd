import { compareText } from 'kube-endpoints/internal/apimachinery';
import { compareVersions } from '../formats/versions.ts';
import { bindingsOf, type Catalog, type ServedResource } from '../registry/catalog.ts';

export interface GroupVersion {
  readonly group: string;
  readonly version: string;
  /** Sorted by plural. */
  readonly resources: readonly ServedResource[];
}

/** Groups resources by group version, in kube-apiserver's order: by priority, with the core group first. */
export function groupByVersion(resources: readonly ServedResource[]): readonly GroupVersion[] {
  const groupVersions = new Map<string, { group: string; version: string; resources: ServedResource[] }>();
  for (const servedResource of resources) {
    const { group, version } = servedResource.resource;
    const key = `${group}/${version}`;
    const existingGroupVersion = groupVersions.get(key);
    if (existingGroupVersion) existingGroupVersion.resources.push(servedResource);
    else groupVersions.set(key, { group, version, resources: [servedResource] });
  }
  for (const { resources } of groupVersions.values()) resources.sort((a, b) => compareText(a.resource.plural, b.resource.plural));
  return [...groupVersions.values()].sort(
    (a, b) => priorityOf(b.group) - priorityOf(a.group) || compareText(a.group, b.group) || compareVersions(b.version, a.version),
  );
}

/** Lists the resources of discovery, including Bindings, which support only create. */
export function listDiscoveryResources(catalog: Catalog): readonly ServedResource[] {
  const bindings = bindingsOf(catalog);
  return bindings ? [...catalog.all(), bindings] : catalog.all();
}

/** Whether two lists contain the same resource instances in the same order. */
export const hasSameResources = (a: readonly ServedResource[], b: readonly ServedResource[]): boolean =>
  a.length === b.length && a.every((servedResource, index) => servedResource === b[index]);

/** Group priorities of 1.36: cmd/kube-apiserver/app/aggregator.go and pkg/controlplane/apiserver/aggregator.go. */
const priorities: ReadonlyMap<string, number> = new Map([
  ['', 18000],
  ['apiregistration.k8s.io', 20000],
  ['apps', 17800],
  ['events.k8s.io', 17750],
  ['authentication.k8s.io', 17700],
  ['authorization.k8s.io', 17600],
  ['autoscaling', 17500],
  ['batch', 17400],
  ['certificates.k8s.io', 17300],
  ['networking.k8s.io', 17200],
  ['policy', 17100],
  ['rbac.authorization.k8s.io', 17000],
  ['storage.k8s.io', 16800],
  ['admissionregistration.k8s.io', 16700],
  ['apiextensions.k8s.io', 16700],
  ['scheduling.k8s.io', 16600],
  ['coordination.k8s.io', 16500],
  ['node.k8s.io', 16300],
  ['discovery.k8s.io', 16200],
  ['resource.k8s.io', 16200],
  ['flowcontrol.apiserver.k8s.io', 16100],
]);

const customPriority = 1000;

const priorityOf = (group: string): number => priorities.get(group) ?? customPriority;

/** Returns a function that creates a value on its first call and caches it. */
export function memoize<T>(create: () => T): () => T {
  let cached: { readonly value: T } | undefined;
  return () => {
    cached ??= { value: create() };
    return cached.value;
  };
}
