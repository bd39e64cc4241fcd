import { serviceNameLabel, sliceController, sliceManagedByLabel, unmanagedBecause } from 'kube-endpoints/internal';
import type { EndpointSliceInput, EndpointsInput, ObjectMeta, Optional, Pod, Service } from 'kube-endpoints/types';
import type { CacheListener } from '../cache/cache.ts';
import type { Caches, ListListener } from './caches.ts';
import type { Controller } from './controller.ts';
import type { EndpointsHandler } from './endpoints-sync.ts';
import type { Leftovers } from './leftovers.ts';
import type { Membership } from './membership.ts';
import type { NodeWatch } from './node-watch.ts';
import { dueForEndpoints, type SliceIndex, serviceOfSlice, servicesDueForSlice } from './object-events.ts';
import type { Setup } from './options.ts';
import type { SlicesHandler } from './slices-sync.ts';
import { foreignDelay } from './tools.ts';
import { deletionVersion, type WriteExpectations } from './write-expectations.ts';

/** A controller with what its event handlers need. */
export interface EndpointsSide {
  readonly controller: Controller;
  readonly handler: EndpointsHandler;
  readonly expectations: WriteExpectations;
  readonly leftovers: Leftovers;
}

export interface SlicesSide {
  readonly controller: Controller;
  readonly handler: SlicesHandler;
  readonly expectations: WriteExpectations;
  readonly index: SliceIndex;
  readonly nodes: NodeWatch;
}

export interface Wiring {
  readonly setup: Setup;
  readonly caches: Caches;
  readonly membership: Membership;
  readonly endpoints: EndpointsSide | undefined;
  readonly slices: SlicesSide | undefined;
}

/**
 * Connects the events of the caches to the queues. Objects already in the caches are recorded without queueing: Services before pods,
 * so that each pod is matched only once. Returns a function that disconnects.
 */
export function connect(wiring: Wiring): () => void {
  const { caches, endpoints, slices } = wiring;
  let filling = true;
  const live = <T>(listener: (event: Parameters<CacheListener<T>>[0], key: string, enqueues: boolean) => void): CacheListener<T> => {
    return (event, key) => listener(event, key, !filling);
  };
  const stops = [
    caches.services.listen(live(onService(wiring))),
    caches.pods.listen(live(onPod(wiring))),
    endpoints && caches.endpoints?.listen(live(onEndpoints(wiring, endpoints))),
    slices && caches.slices?.listen(live(onSlice(wiring, slices))),
    endpoints && caches.lists.endpoints.listen(onList(wiring, endpoints)),
    slices && caches.lists.slices.listen(onList(wiring, slices)),
    slices &&
      caches.nodes?.listen((event) => {
        if (!filling) slices.nodes.take(event);
      }),
  ];
  filling = false;
  return () => {
    for (const stop of stops) stop?.();
  };
}

type Handler<T> = (event: Parameters<CacheListener<T>>[0], key: string, enqueues: boolean) => void;

function onService({ membership, endpoints, slices }: Wiring): Handler<Service> {
  const sides = [endpoints, slices].filter((side) => side !== undefined);
  return (event, key, enqueues) => {
    if (event.type === 'deleted') {
      membership.deleteService(key);
      for (const { handler } of sides) handler.forget(key);
    } else membership.setService(key, event.object);
    if (!enqueues || (event.type === 'updated' && !hasServiceChanged(event.old, event.object))) return;
    for (const { controller } of sides) controller.enqueue(key);
  };
}

function onPod({ membership, setup, endpoints, slices }: Wiring): Handler<Pod> {
  const controllers = [endpoints, slices].filter((side) => side !== undefined).map(({ controller }) => controller);
  return (event, key, enqueues) => {
    const due = membership.updatePod(event, key);
    if (!enqueues) return;
    for (const service of due) for (const controller of controllers) controller.enqueue(service, setup.batchPeriod);
  };
}

function onEndpoints(wiring: Wiring, { controller, handler, expectations, leftovers }: EndpointsSide): Handler<EndpointsInput> {
  const { profile } = wiring.setup.settings;
  return (event, key, enqueues) => {
    const { metadata } = event.object;
    const seen = expectations.observe(key, metadata?.name ?? '', versionOf(event.type, metadata));
    if (!enqueues) return;
    const service = situationOf(key, wiring);
    const origin = seen === 'other' && handler.mayHaveCreated(key, event.object) ? 'superseded' : seen;
    const leftover = service === 'missing' && leftovers.includes(event.object);
    const due = dueForEndpoints(event, { service, origin, leftover, profile });
    if (due) controller.enqueue(key, due === 'later' ? foreignDelay(wiring.setup) : 0);
    else if (service === 'missing') controller[event.type === 'deleted' ? 'drop' : 'hold'](key);
  };
}

function onSlice(wiring: Wiring, { controller, handler, expectations, index }: SlicesSide): Handler<EndpointSliceInput> {
  return (event, _, enqueues) => {
    index.take(event);
    const { object } = event;
    const { metadata } = object;
    const key = serviceOfSlice(object);
    if (key === undefined && (event.type !== 'updated' || !serviceOfSlice(event.old))) return;
    const managed = metadata?.labels?.[sliceManagedByLabel] === sliceController;
    const own = managed && key !== undefined && expectations.observe(key, metadata.name ?? '', versionOf(event.type, metadata)) === 'own';
    if (event.type === 'deleted' && metadata?.labels?.[serviceNameLabel] && managed) handler.handleDeletion(object);
    if (!enqueues) return;
    for (const due of servicesDueForSlice(event, own)) {
      if (situationOf(due, wiring) === 'managed') controller.enqueue(due, foreignDelay(wiring.setup));
    }
  };
}

function onList(wiring: Wiring, { controller, expectations }: EndpointsSide | SlicesSide): ListListener {
  return (what) => {
    if (what === 'started') return expectations.listStarted();
    for (const key of expectations.listCompleted()) {
      if (situationOf(key, wiring) === 'managed') controller.enqueue(key, foreignDelay(wiring.setup));
    }
  };
}

const versionOf = (type: 'added' | 'updated' | 'deleted', metadata: Optional<ObjectMeta>): string =>
  type === 'deleted' ? deletionVersion(metadata?.uid ?? '') : (metadata?.resourceVersion ?? '');

function situationOf(key: string, { caches, setup }: Wiring): 'managed' | 'unmanaged' | 'missing' {
  const service = caches.services.cache.get(key);
  if (!service) return 'missing';
  return unmanagedBecause(service, setup.settings.profile) ? 'unmanaged' : 'managed';
}

/**
 * Whether an update of a Service requires a sync: any change outside its status and server-managed metadata. Kubernetes' controllers
 * sync at every update (onServiceUpdate); here such a sync would find no difference.
 */
export const hasServiceChanged = (old: Service, service: Service): boolean =>
  old !== service && relevantFields(old) !== relevantFields(service);

/** The fields of a Service that a sync reads, as text. A different order of keys only causes an extra sync. */
const relevantFields = ({ metadata, spec }: Service): string =>
  JSON.stringify([
    metadata?.uid,
    metadata?.creationTimestamp,
    metadata?.deletionTimestamp,
    metadata?.labels ?? null,
    metadata?.annotations ?? null,
    spec ?? null,
  ]);
