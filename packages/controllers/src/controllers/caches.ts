import { metaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import { type ApiObject, type Resource, resources } from 'kube-endpoints/port';
import type { EndpointSliceInput, EndpointsInput, Node, Pod, Service } from 'kube-endpoints/types';
import {
  type CacheListener,
  createInformer,
  createInternTable,
  createProjections,
  type Informer,
  type InformerEvent,
  type InformerObserver,
} from '../cache/index.ts';
import type { ControllerName } from './controller-event.ts';
import type { Setup } from './options.ts';
import { createWorkloadProjection } from './unconverted.ts';

/** The caches that the controllers read. */
export interface Caches {
  readonly pods: PodSource;
  readonly services: Informer<Service>;
  /** Nodes, Endpoints and slices are undefined if no configured controller reads them. */
  readonly nodes: Informer<Node> | undefined;
  readonly endpoints: Informer<EndpointsInput> | undefined;
  readonly slices: Informer<EndpointSliceInput> | undefined;
  /** Progress of the lists of the resources that the controllers write. */
  readonly listTrackers: { readonly endpoints: ListTracker; readonly slices: ListTracker };
  /** All informers, each with the name of its content. */
  readonly namedInformers: readonly (readonly [name: string, informer: Informer<unknown>])[];
}

/** Pods, and workloads that stand for pods. Keys are "namespace/name"; the name of a workload has the prefix of the workload adapter. */
export interface PodSource {
  get(key: string): Pod | undefined;
  values(): Iterable<Pod>;
  /** Reports existing objects first. Returns a function that removes the listener. */
  listen(listener: CacheListener<Pod>): () => void;
}

export function createCaches(setup: Setup): Caches {
  const { port, clock, random, namespace, onEvent, controllers, workloadAdapter } = setup;
  const projections = createProjections(createInternTable(), (podNamespace, name) =>
    podInformers.pods?.cache.get(metaNamespaceKey({ namespace: podNamespace, name })),
  );
  const createCache = <T>(resource: Resource, project: (object: ApiObject) => T | undefined, tracker?: ListTracker): Informer<T> => {
    const selection = resource.namespaced && namespace !== undefined ? { selection: { namespace } } : {};
    const observer = combineObservers(tracker?.onEvent, onEvent);
    return createInformer({ port, resource, project, clock, random, ...selection, ...(observer && { onEvent: observer }) });
  };
  const projectEndpoints = (object: ApiObject): EndpointsInput => {
    const projected = projections.endpoints(object);
    return workloadAdapter ? workloadAdapter.fromApi(projected) : projected;
  };
  const trackers = { endpoints: createListTracker(), slices: createListTracker() };
  const isRead = (...names: readonly ControllerName[]): boolean => names.some((name) => controllers.includes(name));
  const readsPods = isRead('endpoints', 'endpointslices');
  const podInformers: PodInformers = readsPods ? createPodInformers(setup, createCache, projections.pod) : {};
  const informers = {
    services: createCache(resources.services, projections.service),
    nodes: isRead('endpointslices') ? createCache(resources.nodes, projections.node) : undefined,
    endpoints: isRead('endpoints', 'endpointslicemirroring')
      ? createCache(resources.endpoints, projectEndpoints, trackers.endpoints)
      : undefined,
    slices: isRead('endpointslices', 'endpointslicemirroring')
      ? createCache(resources.endpointSlices, projections.slice, trackers.slices)
      : undefined,
  };
  const { slices, ...others } = informers;
  return {
    pods: createPodSource(podInformers, workloadAdapter?.prefix ?? ''),
    ...informers,
    listTrackers: trackers,
    namedInformers: Object.entries({ ...podInformers, ...others, endpointslices: slices }).flatMap(([name, informer]) =>
      informer ? [[name, informer as Informer<unknown>] as const] : [],
    ),
  };
}

interface PodInformers {
  readonly pods?: Informer<Pod> | undefined;
  readonly workloads?: Informer<Pod> | undefined;
}

function createPodInformers(
  setup: Setup,
  createCache: (resource: Resource, project: (object: ApiObject) => Pod | undefined) => Informer<Pod>,
  projectPod: (object: ApiObject) => Pod,
): PodInformers {
  const { workloadAdapter, withPods } = setup;
  const pods = withPods ? createCache(resources.pods, projectPod) : undefined;
  const workloads: Informer<Pod> | undefined =
    workloadAdapter &&
    createCache(
      workloadAdapter.resource,
      createWorkloadProjection(workloadAdapter, projectPod, () => workloads?.hasSynced === true),
    );
  if (workloads) reportUnconvertedWorkloads(workloads, setup);
  return { pods, workloads };
}

/** Reports workloads whose toPod has failed at startup, because the informer reports no error for their placeholders. */
function reportUnconvertedWorkloads(workloads: Informer<Pod>, { workloadAdapter, onEvent }: Setup): void {
  workloads.listen((event, key) => {
    const error = workloadAdapter?.unconvertedWorkloads.update(event, key);
    if (error)
      onEvent?.({ kind: 'informer', resource: workloads.resource.plural, state: workloads.state, objects: workloads.cache.size, error });
  });
}

const combineObservers = (first: InformerObserver | undefined, second: InformerObserver | undefined): InformerObserver | undefined =>
  first && second
    ? (event) => {
        first(event);
        second(event);
      }
    : (first ?? second);

function createPodSource({ pods, workloads }: PodInformers, prefix: string): PodSource {
  if (!workloads) return pods ? createInformerPodSource(pods) : emptyPodSource;
  if (!pods && prefix === '') return createInformerPodSource(workloads);
  return {
    get(key) {
      const nameStart = key.indexOf('/') + 1;
      if (!key.startsWith(prefix, nameStart)) return pods?.cache.get(key);
      return workloads.cache.get(key.slice(0, nameStart) + key.slice(nameStart + prefix.length));
    },
    *values() {
      if (pods) yield* pods.cache.values();
      yield* workloads.cache.values();
    },
    listen(listener) {
      const removers = [
        pods?.listen(listener),
        workloads.listen((event, key) => {
          const nameStart = key.indexOf('/') + 1;
          listener(event, [key.slice(0, nameStart), prefix, key.slice(nameStart)].join(''));
        }),
      ];
      return () => {
        for (const remove of removers) remove?.();
      };
    },
  };
}

const emptyPodSource: PodSource = { get: () => undefined, values: () => [], listen: () => () => undefined };

const createInformerPodSource = ({ cache, listen }: Informer<Pod>): PodSource => ({ get: cache.get, values: cache.values, listen });

/** Progress of the lists that fill one cache. */
export interface ListTracker {
  /** Handles an event of the informer. */
  onEvent(event: InformerEvent): void;
  /** Reports when a list starts, and when the cache shows the listed objects. Returns a function that removes the listener. */
  listen(listener: ListListener): () => void;
}

/** If a list fails, `completed` does not follow; the next list reports `started` again. */
export type ListListener = (phase: 'started' | 'completed') => void;

export function createListTracker(): ListTracker {
  const listeners = new Set<ListListener>();
  let isListing = false;
  const notify: ListListener = (phase) => {
    for (const listener of listeners) listener(phase);
  };
  return {
    onEvent(event) {
      // An error of a single object does not end the list.
      if (event.error !== undefined) return;
      const { state } = event;
      if (state === 'listing') {
        isListing = true;
        notify('started');
      } else if (state === 'watching' && isListing) {
        isListing = false;
        notify('completed');
      }
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
