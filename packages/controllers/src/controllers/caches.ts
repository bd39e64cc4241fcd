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
  readonly lists: { readonly endpoints: ListTracker; readonly slices: ListTracker };
  /** All informers, by the name of their content. */
  readonly all: readonly (readonly [name: string, informer: Informer<unknown>])[];
}

/** Pods, and workloads that stand for pods. Keys are "namespace/name", with the name that workloads have as pods. */
export interface PodSource {
  get(key: string): Pod | undefined;
  values(): Iterable<Pod>;
  /** Reports existing objects first. Returns a function that removes the listener. */
  listen(listener: CacheListener<Pod>): () => void;
}

export function createCaches(setup: Setup): Caches {
  const { port, clock, random, namespace, onEvent, controllers, workloadAdapter, withPods } = setup;
  const projections = createProjections(createInternTable(), (podNamespace, name) =>
    pods?.cache.get(metaNamespaceKey({ namespace: podNamespace, name })),
  );
  const informerFor = <T>(resource: Resource, project: (object: ApiObject) => T | undefined, lists?: ListTracker): Informer<T> => {
    const selection = resource.namespaced && namespace !== undefined ? { selection: { namespace } } : {};
    const observer = combineObservers(lists?.onEvent, onEvent);
    return createInformer({ port, resource, project, clock, random, ...selection, ...(observer && { onEvent: observer }) });
  };
  const projectEndpoints = (object: ApiObject): EndpointsInput => {
    const projected = projections.endpoints(object);
    return workloadAdapter ? workloadAdapter.fromApi(projected) : projected;
  };
  const lists = { endpoints: createListTracker(), slices: createListTracker() };
  const withSlices = controllers.includes('endpointslices');
  const pods: Informer<Pod> | undefined = withPods ? informerFor(resources.pods, projections.pod) : undefined;
  const workloads: Informer<Pod> | undefined =
    workloadAdapter &&
    informerFor(
      workloadAdapter.resource,
      createWorkloadProjection(workloadAdapter, projections.pod, () => workloads?.hasSynced === true),
    );
  if (workloads) reportUnconverted(workloads, setup);
  const services = informerFor(resources.services, projections.service);
  const nodes = withSlices ? informerFor(resources.nodes, projections.node) : undefined;
  const endpoints = controllers.includes('endpoints') ? informerFor(resources.endpoints, projectEndpoints, lists.endpoints) : undefined;
  const slices = withSlices ? informerFor(resources.endpointSlices, projections.slice, lists.slices) : undefined;
  const informersByName: Readonly<Record<string, Informer<unknown> | undefined>> = {
    pods,
    workloads,
    services,
    nodes,
    endpoints,
    endpointslices: slices,
  };
  return {
    pods: createPodSource(pods, workloads, workloadAdapter?.prefix ?? ''),
    services,
    nodes,
    endpoints,
    slices,
    lists,
    all: Object.entries(informersByName).flatMap(([name, informer]) => (informer ? [[name, informer] as const] : [])),
  };
}

/** Reports workloads whose toPod has failed at startup: the informer reports no error for their placeholders. */
function reportUnconverted(workloads: Informer<Pod>, { workloadAdapter, onEvent }: Setup): void {
  workloads.listen((event, key) => {
    const error = workloadAdapter?.unconverted.update(event, key);
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

function createPodSource(pods: Informer<Pod> | undefined, workloads: Informer<Pod> | undefined, prefix: string): PodSource {
  if (!workloads) return toPodSource(pods as Informer<Pod>);
  if (!pods && prefix === '') return toPodSource(workloads);
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

const toPodSource = ({ cache, listen }: Informer<Pod>): PodSource => ({ get: cache.get, values: cache.values, listen });

/** Progress of the lists that fill one cache. */
export interface ListTracker {
  /** Handles an event of the informer. */
  onEvent(event: InformerEvent): void;
  /** Reports when a list starts, and when the cache shows its result. Returns a function that removes the listener. */
  listen(listener: ListListener): () => void;
}

/** If a list fails, another `started` follows. */
export type ListListener = (phase: 'started' | 'completed') => void;

export function createListTracker(): ListTracker {
  const listeners = new Set<ListListener>();
  let listing = false;
  const notify: ListListener = (phase) => {
    for (const listener of listeners) listener(phase);
  };
  return {
    onEvent(event) {
      // An error of a single object does not end the list.
      if (event.error !== undefined) return;
      const { state } = event;
      if (state === 'listing') {
        listing = true;
        notify('started');
      } else if (state === 'watching' && listing) {
        listing = false;
        notify('completed');
      }
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
