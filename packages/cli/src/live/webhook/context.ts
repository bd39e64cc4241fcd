import { createInformer, type Informer, type Observer } from '@kube-endpoints/controllers';
import type { OverrideResult, Overrides, ReviewContext } from '@kube-endpoints/overrides';
import type { ReviewedRequest } from '@kube-endpoints/overrides/internal';
import { serviceNameLabel } from 'kube-endpoints/internal';
import { type ApiObject, type ApiObjectMeta, type ClientPort, type Resource, resources, type SteadyClock } from 'kube-endpoints/port';
import type { EndpointSliceInput, EndpointsInput, Pod, Service } from 'kube-endpoints/types';
import { createOtherSlices, serviceKeyOf } from './other-slices.ts';
import { createPodDirectory, type PodDirectory } from './pods.ts';

/** The cached cluster objects that reviews need. */
export interface LiveContext {
  /** True if all needed caches are synced. */
  readonly ready: boolean;
  /** Sets the rules in force and starts the caches that they need. */
  setRules(overrides: Overrides): void;
  /** Returns the cached objects that the review of a write needs, once the caches are synced. */
  lookUp(request: ReviewedRequest, object: EndpointsInput | EndpointSliceInput): ReviewContext | Promise<ReviewContext>;
  /** Records a review whose result is about to be stored. */
  recordResult(request: ReviewedRequest, result: OverrideResult): void;
  /** Applies rules to every stored object, as if it were written now. */
  evaluate(overrides: Overrides): Iterable<EvaluatedObject>;
  /** Resolves when all needed caches are synced. */
  synced(): Promise<void>;
}

export interface EvaluatedObject {
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string | undefined;
  /** "namespace/name" of the Service that the object belongs to; undefined if a slice has no Service label. */
  readonly service: string | undefined;
  readonly result: OverrideResult;
}

export interface LiveContextOptions {
  readonly port: Pick<ClientPort, 'list' | 'watch'>;
  readonly clock: SteadyClock;
  readonly random: () => number;
  readonly onEvent: Observer;
  /** Stops all informers and lookups. */
  readonly signal: AbortSignal;
}

export function createLiveContext(options: LiveContextOptions): LiveContext {
  const services = startInformer<Service>(options, resources.services);
  const endpoints = startInformer<EndpointsInput>(options, resources.endpoints);
  const slices = startInformer<EndpointSliceInput>(options, resources.endpointSlices);
  const otherSlices = createOtherSlices({ ...options, slices });
  let rules: Overrides | undefined;
  let pods: { readonly informer: Informer<Pod>; readonly directory: PodDirectory } | undefined;
  const informers = (): readonly Informer<object>[] => [services, endpoints, slices, ...(pods ? [pods.informer] : [])];
  const isReady = (): boolean => informers().every(({ hasSynced }) => hasSynced);
  const synced = async (): Promise<void> => void (await Promise.all(informers().map((informer) => informer.synced(options.signal))));
  const findCachedContext = (serviceName: string | undefined, object: EndpointsInput | EndpointSliceInput): ReviewContext => {
    const { namespace, name } = object.metadata ?? {};
    const key = `${namespace}/${serviceName}`;
    const service = serviceName === undefined ? undefined : services.cache.get(key);
    const slicesOfService = serviceName === undefined ? [] : otherSlices.otherSlicesOf(key, name);
    return { service, otherSlices: slicesOfService, ...(pods && { pods: pods.directory.podsOf(object, service) }) };
  };
  return {
    get ready() {
      return isReady();
    },
    synced,
    setRules(overrides) {
      rules = overrides;
      if (!overrides.needs.pods || pods) return;
      const informer = startInformer<Pod>(options, resources.pods);
      pods = { informer, directory: createPodDirectory(informer) };
    },
    lookUp(request, writtenObject) {
      // An object to be created need not have a namespace; the request has it.
      const { metadata } = writtenObject;
      const object = metadata?.namespace ? writtenObject : { ...writtenObject, metadata: { ...metadata, namespace: request.namespace } };
      const lookUpNow = (): ReviewContext | Promise<ReviewContext> => {
        const context = findCachedContext(request.serviceName, object);
        return rules ? otherSlices.completeContext(rules, { request, object, context }) : context;
      };
      return isReady() ? lookUpNow() : synced().then(lookUpNow);
    },
    recordResult(request, result) {
      if (rules?.needs.otherSlices) otherSlices.recordResult(request, result);
    },
    *evaluate(overrides) {
      const now = new Date(options.clock.now());
      for (const { resource, object, service } of listStoredObjects(endpoints, slices)) {
        const { namespace = '', name = '', resourceVersion } = object.metadata as ApiObjectMeta;
        const context = findCachedContext(service?.slice(service.indexOf('/') + 1), object);
        const result = overrides.apply({ operation: 'UPDATE', object, oldObject: object, ...context, now });
        yield { resource, namespace, name, resourceVersion, service, result };
      }
    },
  };
}

function* listStoredObjects(endpoints: Informer<EndpointsInput>, slices: Informer<EndpointSliceInput>): Iterable<StoredObject> {
  for (const key of endpoints.cache.keys()) {
    yield { resource: resources.endpoints, object: endpoints.cache.get(key) as EndpointsInput, service: key };
  }
  for (const slice of slices.cache.values()) {
    const service = slice.metadata?.labels?.[serviceNameLabel] ? serviceKeyOf(slice) : undefined;
    yield { resource: resources.endpointSlices, object: slice, service };
  }
}

interface StoredObject extends Pick<EvaluatedObject, 'resource' | 'service'> {
  readonly object: EndpointsInput | EndpointSliceInput;
}

/** Starts to cache the objects of a resource. Drops only managedFields, since rules may read all other fields. */
function startInformer<T extends object>({ port, clock, random, onEvent, signal }: LiveContextOptions, resource: Resource): Informer<T> {
  const project = ({ metadata, ...object }: ApiObject): T => {
    const { managedFields: _, ...rest } = metadata;
    return { ...object, metadata: rest } as unknown as T;
  };
  const informer = createInformer<T>({ port, resource, project, clock, random, onEvent });
  void informer.run(signal);
  return informer;
}
