import { namespaceOf, objectKey } from '../apimachinery/index.ts';
import { createLabelMatcher, serviceNameLabel } from '../spec/index.ts';
import type { EndpointSliceInput, EndpointsInput, Node, ObjectMeta, Optional, Pod, Service, StringMap } from '../types/index.ts';
import type { DiagnosisObjects, ObjectEvent } from './diagnosis-objects.ts';
import type { Workload } from './workload.ts';

/** Fast access to the objects of a cluster. Every map is built at its first use, once for all Services. */
export interface ClusterIndex {
  podsIn(namespace: string): readonly Pod[];
  /** @param key "namespace/name" */
  pod(key: string): Pod | undefined;
  /** The pods in all namespaces that a selector matches. */
  podsMatching(selector: StringMap): readonly Pod[];
  node(name: string): Node | undefined;
  workloadsIn(namespace: string): readonly Workload[];
  service(key: string): Service | undefined;
  readonly serviceNamespaces: ReadonlySet<string>;
  endpointsOf(service: Service): EndpointsInput | undefined;
  slicesIn(namespace: string): readonly EndpointSliceInput[];
  slicesOf(service: Service): readonly EndpointSliceInput[];
  isTerminating(namespace: string): boolean;
  /** The latest Event of type Warning about an object. @param kind in lower case */
  warningAbout(kind: string, object: { readonly metadata?: Optional<ObjectMeta> }): ObjectEvent | undefined;
}

export function createClusterIndex(objects: DiagnosisObjects): ClusterIndex {
  const { pods = [], nodes = [], workloads = [], services = [], endpoints = [], slices = [], namespaces = [] } = objects;
  const podsByNamespace = lazily(() => groupBy(pods, namespaceOf));
  const podsByKey = lazily(() => new Map(pods.map((pod) => [objectKey(pod), pod])));
  const podsByLabel = lazily(() => groupByLabel(pods));
  const nodesByName = lazily(() => new Map(nodes.map((node) => [node.metadata?.name ?? '', node])));
  const workloadsByNamespace = lazily(() => groupBy(workloads, namespaceOf));
  const servicesByKey = lazily(() => new Map(services.map((service) => [objectKey(service), service])));
  const serviceNamespaces = lazily(() => new Set(services.map(namespaceOf)));
  const endpointsByKey = lazily(() => new Map(endpoints.map((each) => [objectKey(each), each])));
  const slicesByNamespace = lazily(() => groupBy(slices, namespaceOf));
  const slicesByService = lazily(() =>
    groupBy(slices, (slice) => `${namespaceOf(slice)}/${slice.metadata?.labels?.[serviceNameLabel] ?? ''}`),
  );
  const terminatingNamespaces = lazily(
    () => new Set(namespaces.filter(({ status }) => status?.phase === 'Terminating').map(({ metadata }) => metadata?.name ?? '')),
  );
  const warnings = lazily(() => findLatestWarnings(objects.events ?? []));
  return {
    podsIn: (namespace) => podsByNamespace().get(namespace) ?? [],
    pod: (key) => podsByKey().get(key),
    podsMatching(selector) {
      const lists = Object.entries(selector).map(([key, value]) => podsByLabel().get(`${key}=${value}`) ?? []);
      const [shortest = []] = lists.sort((a, b) => a.length - b.length);
      const matches = createLabelMatcher(selector);
      return shortest.filter(({ metadata }) => matches(metadata?.labels ?? {}));
    },
    node: (name) => nodesByName().get(name),
    workloadsIn: (namespace) => workloadsByNamespace().get(namespace) ?? [],
    service: (key) => servicesByKey().get(key),
    get serviceNamespaces() {
      return serviceNamespaces();
    },
    endpointsOf: (service) => endpointsByKey().get(objectKey(service)),
    slicesIn: (namespace) => slicesByNamespace().get(namespace) ?? [],
    slicesOf: (service) => slicesByService().get(objectKey(service)) ?? [],
    isTerminating: (namespace) => terminatingNamespaces().has(namespace),
    warningAbout: (kind, { metadata }) => warnings().get(`${kind} ${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`),
  };
}

function lazily<T>(create: () => T): () => T {
  let created: { readonly value: T } | undefined;
  return () => {
    created ??= { value: create() };
    return created.value;
  };
}

function groupBy<T>(objects: readonly T[], keyOf: (object: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const object of objects) {
    const key = keyOf(object);
    const group = groups.get(key);
    if (group) group.push(object);
    else groups.set(key, [object]);
  }
  return groups;
}

function groupByLabel(pods: readonly Pod[]): Map<string, Pod[]> {
  const groups = new Map<string, Pod[]>();
  for (const pod of pods)
    for (const [key, value] of Object.entries(pod.metadata?.labels ?? {})) {
      const group = groups.get(`${key}=${value}`);
      if (group) group.push(pod);
      else groups.set(`${key}=${value}`, [pod]);
    }
  return groups;
}

function findLatestWarnings(events: readonly ObjectEvent[]): Map<string, ObjectEvent> {
  const latest = new Map<string, ObjectEvent>();
  for (const event of events) {
    if (event.type !== 'Warning') continue;
    const { kind, namespace, name } = event.involvedObject ?? {};
    const key = `${kind?.toLowerCase()} ${kind === 'Node' ? '' : (namespace ?? '')}/${name ?? ''}`;
    const other = latest.get(key);
    if (!other || timeOf(event) >= timeOf(other)) latest.set(key, event);
  }
  return latest;
}

const timeOf = ({ lastTimestamp, eventTime }: ObjectEvent): number => {
  const time = lastTimestamp ?? eventTime;
  return time ? new Date(time).getTime() : 0;
};
