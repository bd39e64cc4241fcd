import { serviceNameLabel, unmanagedCodeOf } from 'kube-endpoints/internal';
import type { EndpointSliceInput, EndpointsInput, ObjectMeta, Optional, Pod, Service } from 'kube-endpoints/types';
import type { CacheEvent, CacheListener } from '../cache/cache.ts';
import type { Caches, ListListener } from './caches.ts';
import type { Controller } from './controller.ts';
import type { EndpointsHandler } from './endpoints-sync.ts';
import type { Leftovers } from './leftovers.ts';
import type { Membership } from './membership.ts';
import type { MirrorEvents } from './mirror-events.ts';
import type { NodeWatch } from './node-watch.ts';
import { decideEndpointsSync, findServicesToSync, isManaged, type SliceIndex, serviceKeyOfSlice } from './object-events.ts';
import type { Setup } from './options.ts';
import type { SlicesHandler } from './slices-sync.ts';
import { externalChangeDelayMs } from './sync-context.ts';
import { deletionVersion, type WriteExpectations } from './write-expectations.ts';

/** The endpoints controller, and the state that its event handlers use. */
export interface EndpointsComponents {
  readonly controller: Controller;
  readonly handler: EndpointsHandler;
  readonly expectations: WriteExpectations;
  readonly leftovers: Leftovers;
}

/** The EndpointSlice controller, and the state that its event handlers use. */
export interface SlicesComponents {
  readonly controller: Controller;
  readonly handler: SlicesHandler;
  readonly expectations: WriteExpectations;
  readonly nodeWatch: NodeWatch;
}

/** The mirroring controller and its event handlers. */
export interface MirrorComponents {
  readonly controller: Controller;
  readonly events: MirrorEvents;
}

export interface Wiring {
  readonly setup: Setup;
  readonly caches: Caches;
  readonly membership: Membership;
  readonly endpoints: EndpointsComponents | undefined;
  readonly slices: SlicesComponents | undefined;
  readonly mirror: MirrorComponents | undefined;
  /** Contains the cached slices; unused if there are none. */
  readonly index: SliceIndex;
}

/**
 * Connects the events of the caches to the queues. Objects already in the caches are recorded without queueing, Services before pods,
 * so that each pod is matched only once. Returns a function that disconnects.
 */
export function connect(wiring: Wiring): () => void {
  const { caches, endpoints, slices } = wiring;
  const { listTrackers } = caches;
  const mirrorEvents = wiring.mirror?.events;
  let isInitial = true;
  const addEnqueueFlag =
    <T>(handler: Handler<T>): CacheListener<T> =>
    (event, key) =>
      handler(event, key, !isInitial);
  const removers = [
    caches.services.listen(addEnqueueFlag(createServiceListener(wiring))),
    mirrorEvents && caches.services.listen(addEnqueueFlag(mirrorEvents.onService)),
    caches.pods.listen(addEnqueueFlag(createPodListener(wiring))),
    endpoints && caches.endpoints?.listen(addEnqueueFlag(createEndpointsListener(wiring, endpoints))),
    mirrorEvents && caches.endpoints?.listen(addEnqueueFlag(mirrorEvents.onEndpoints)),
    caches.slices?.listen(addEnqueueFlag(createSliceListener(wiring, mirrorEvents))),
    endpoints && listTrackers.endpoints.listen(createListListener(wiring, endpoints)),
    slices && listTrackers.slices.listen(createListListener(wiring, slices)),
    mirrorEvents && listTrackers.slices.listen(mirrorEvents.onList),
    slices &&
      caches.nodes?.listen((event) => {
        if (!isInitial) slices.nodeWatch.handle(event);
      }),
  ];
  isInitial = false;
  return () => {
    for (const remove of removers) remove?.();
  };
}

type Handler<T> = (event: Parameters<CacheListener<T>>[0], key: string, mayEnqueue: boolean) => void;

function createServiceListener({ membership, endpoints, slices, caches, setup }: Wiring): Handler<Service> {
  const components = [endpoints, slices].filter((component) => component !== undefined);
  const { deletedEndpointsRecreated } = setup.settings.profile;
  return (event, key, mayEnqueue) => {
    if (event.type === 'deleted') {
      membership.deleteService(key);
      for (const { handler } of components) handler.forget(key);
    } else membership.setService(key, event.object);
    const isSettled = deletedEndpointsRecreated || caches.endpoints?.cache.get(key) !== undefined;
    if (!mayEnqueue || (event.type === 'updated' && isSettled && !hasServiceChanged(event.old, event.object))) return;
    for (const { controller } of components) controller.enqueue(key);
  };
}

function createPodListener({ membership, setup, endpoints, slices }: Wiring): Handler<Pod> {
  const controllers = [endpoints, slices].filter((component) => component !== undefined).map(({ controller }) => controller);
  return (event, key, mayEnqueue) => {
    const servicesToSync = membership.updatePod(event, key);
    if (!mayEnqueue) return;
    for (const service of servicesToSync) for (const controller of controllers) controller.enqueue(service, setup.batchPeriod);
  };
}

function createEndpointsListener(
  wiring: Wiring,
  { controller, handler, expectations, leftovers }: EndpointsComponents,
): Handler<EndpointsInput> {
  const { profile } = wiring.setup.settings;
  return (event, key, mayEnqueue) => {
    const { metadata } = event.object;
    const observedOrigin = expectations.observe(key, metadata?.name ?? '', versionOf(event.type, metadata));
    if (!mayEnqueue) return;
    const serviceState = serviceStateOf(key, wiring);
    const origin = observedOrigin === 'other' && handler.mayHaveCreated(key, event.object) ? 'superseded' : observedOrigin;
    const isLeftover = serviceState === 'missing' && leftovers.includes(event.object);
    const timing = decideEndpointsSync(event, { serviceState, origin, isLeftover, profile });
    if (timing) controller.enqueue(key, timing === 'later' ? externalChangeDelayMs(wiring.setup) : 0);
    // Tracks the key of Endpoints without a Service, so that a later change of ownership does not sync it.
    else if (serviceState === 'missing') controller[event.type === 'deleted' ? 'drop' : 'hold'](key);
  };
}

function createSliceListener(wiring: Wiring, mirrorEvents: MirrorEvents | undefined): Handler<EndpointSliceInput> {
  const { slices, index } = wiring;
  return (event, _, mayEnqueue) => {
    index.handle(event);
    if (slices) handleSliceEvent(event, mayEnqueue, wiring, slices);
    mirrorEvents?.onSlice(event, mayEnqueue);
  };
}

function handleSliceEvent(
  event: CacheEvent<EndpointSliceInput>,
  mayEnqueue: boolean,
  wiring: Wiring,
  { controller, handler, expectations }: SlicesComponents,
): void {
  const { object } = event;
  const { metadata } = object;
  const key = serviceKeyOfSlice(object);
  if (key === undefined && (event.type !== 'updated' || !serviceKeyOfSlice(event.old))) return;
  const isManagedSlice = isManaged(object);
  const isOwn =
    isManagedSlice && key !== undefined && expectations.observe(key, metadata?.name ?? '', versionOf(event.type, metadata)) === 'own';
  if (event.type === 'deleted' && metadata?.labels?.[serviceNameLabel] && isManagedSlice) handler.handleDeletion(object);
  if (!mayEnqueue) return;
  for (const serviceKey of findServicesToSync(event, !isOwn, isManaged)) {
    if (serviceStateOf(serviceKey, wiring) === 'managed') controller.enqueue(serviceKey, externalChangeDelayMs(wiring.setup));
  }
}

function createListListener(wiring: Wiring, { controller, expectations }: EndpointsComponents | SlicesComponents): ListListener {
  return (phase) => {
    if (phase === 'started') return expectations.listStarted();
    for (const key of expectations.listCompleted()) {
      if (serviceStateOf(key, wiring) === 'managed') controller.enqueue(key, externalChangeDelayMs(wiring.setup));
    }
  };
}

const versionOf = (type: 'added' | 'updated' | 'deleted', metadata: Optional<ObjectMeta>): string =>
  type === 'deleted' ? deletionVersion(metadata?.uid ?? '') : (metadata?.resourceVersion ?? '');

function serviceStateOf(key: string, { caches, setup }: Wiring): 'managed' | 'unmanaged' | 'missing' {
  const service = caches.services.cache.get(key);
  if (!service) return 'missing';
  return unmanagedCodeOf(service, setup.settings.profile) ? 'unmanaged' : 'managed';
}

/**
 * Whether an update of a Service requires a sync: any change outside its status and server-managed metadata. Kubernetes' controllers
 * sync at every update (onServiceUpdate); here such a sync would find no difference, unless deleted Endpoints are missing.
 */
export const hasServiceChanged = (old: Service, service: Service): boolean =>
  old !== service && serializeRelevantFields(old) !== serializeRelevantFields(service);

/** The fields of a Service that a sync reads, as text. A different order of keys only causes an extra sync. */
const serializeRelevantFields = ({ metadata, spec }: Service): string =>
  JSON.stringify([
    metadata?.uid,
    metadata?.creationTimestamp,
    metadata?.deletionTimestamp,
    metadata?.labels ?? null,
    metadata?.annotations ?? null,
    spec ?? null,
  ]);
