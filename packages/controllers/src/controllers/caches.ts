import { metaNamespaceKey } from 'kube-endpoints/internal';
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
import { converting } from './unconverted.ts';

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
  const createFor = <T>(resource: Resource, project: (object: ApiObject) => T | undefined, lists?: ListTracker): Informer<T> => {
    const selection = resource.namespaced && namespace !== undefined ? { selection: { namespace } } : {};
    const observer = combine(lists?.onEvent, onEvent);
    return createInformer({ port, resource, project, clock, random, ...selection, ...(observer && { onEvent: observer }) });
  };
  const projectEndpoints = (object: ApiObject): EndpointsInput => {
    const projected = projections.endpoints(object);
    return workloadAdapter ? workloadAdapter.fromApi(projected) : projected;
  };
  const lists = { endpoints: createListTracker(), slices: createListTracker() };
  const withSlices = controllers.includes('endpointslices');
  const pods: Informer<Pod> | undefined = withPods ? createFor(resources.pods, projections.pod) : undefined;
  const others: Informer<Pod> | undefined =
    workloadAdapter &&
    createFor(
      workloadAdapter.resource,
      converting(workloadAdapter, projections.pod, () => others?.hasSynced === true),
    );
  if (others) reportUnconverted(others, setup);
  const services = createFor(resources.services, projections.service);
  const nodes = withSlices ? createFor(resources.nodes, projections.node) : undefined;
  const endpoints = controllers.includes('endpoints') ? createFor(resources.endpoints, projectEndpoints, lists.endpoints) : undefined;
  const slices = withSlices ? createFor(resources.endpointSlices, projections.slice, lists.slices) : undefined;
  const named: Readonly<Record<string, Informer<unknown> | undefined>> = {
    pods,
    workloads: others,
    services,
    nodes,
    endpoints,
    endpointslices: slices,
  };
  return {
    pods: sourceOf(pods, others, workloadAdapter?.prefix ?? ''),
    services,
    nodes,
    endpoints,
    slices,
    lists,
    all: Object.entries(named).flatMap(([name, informer]) => (informer ? [[name, informer] as const] : [])),
  };
}

/** Reports workloads that are in the cache without having been read: the informer handles them like others. */
function reportUnconverted(others: Informer<Pod>, { workloadAdapter, onEvent }: Setup): void {
  others.listen((event, key) => {
    const error = workloadAdapter?.unconverted.update(event, key);
    if (error) onEvent?.({ kind: 'informer', resource: others.resource.plural, state: others.state, objects: others.cache.size, error });
  });
}

const combine = (first: InformerObserver | undefined, second: InformerObserver | undefined): InformerObserver | undefined =>
  first && second
    ? (event) => {
        first(event);
        second(event);
      }
    : (first ?? second);

function sourceOf(pods: Informer<Pod> | undefined, others: Informer<Pod> | undefined, prefix: string): PodSource {
  if (!others) return plainSource(pods as Informer<Pod>);
  if (!pods && prefix === '') return plainSource(others);
  return {
    get(key) {
      const name = key.indexOf('/') + 1;
      if (!key.startsWith(prefix, name)) return pods?.cache.get(key);
      return others.cache.get(key.slice(0, name) + key.slice(name + prefix.length));
    },
    *values() {
      if (pods) yield* pods.cache.values();
      yield* others.cache.values();
    },
    listen(listener) {
      const stops = [
        pods?.listen(listener),
        others.listen((event, key) => {
          const name = key.indexOf('/') + 1;
          listener(event, [key.slice(0, name), prefix, key.slice(name)].join(''));
        }),
      ];
      return () => {
        for (const stop of stops) stop?.();
      };
    },
  };
}

const plainSource = ({ cache, listen }: Informer<Pod>): PodSource => ({ get: cache.get, values: cache.values, listen });

/** Progress of the lists that fill one cache. */
export interface ListTracker {
  /** Handles an event of the informer. */
  onEvent(event: InformerEvent): void;
  /** Reports when a list begins, and when the cache shows it. Returns a function that removes the listener. */
  listen(listener: ListListener): () => void;
}

/** A list that has begun may fail; then another `begins` follows. */
export type ListListener = (what: 'started' | 'completed') => void;

export function createListTracker(): ListTracker {
  const listeners = new Set<ListListener>();
  let listing = false;
  const onEvent: ListListener = (what) => {
    for (const listener of listeners) listener(what);
  };
  return {
    onEvent(event) {
      // Errors of single objects are reported, too; the list continues.
      if (event.error !== undefined) return;
      const { state } = event;
      if (state === 'listing') {
        listing = true;
        onEvent('started');
      } else if (state === 'watching' && listing) {
        listing = false;
        onEvent('completed');
      }
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
