import { createReconciler, type Reconciler, type SlicePlan } from 'kube-endpoints';
import { serviceNameLabel, sliceController, sliceManagedByLabel } from 'kube-endpoints/internal';
import { splitMetaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import type { EndpointSliceInput, Node, Service } from 'kube-endpoints/types';
import { type Change, type Controller, type ControllerContext, type Queue, type Steps, SyncError } from '../../controller/controller.ts';
import { emit, perform, performIgnoring } from '../../controller/effects.ts';
import { createServicePods } from './services.ts';

/** Creates the controller of EndpointSlices. Mirrors pkg/controller/endpointslice of 1.36; `kube-endpoints` plans its writes. */
export function createEndpointSliceController({ cache }: ControllerContext): Controller {
  const reconciler = createReconciler();
  const servicePods = createServicePods(cache);
  const slices = createSliceIndex();
  return {
    name: 'endpointslice',
    queueOptions: { minBackoff: 1000 },
    kinds: ['Service', 'Node', 'Pod', 'EndpointSlice'],
    handle(change, queue) {
      if (change.kind === 'EndpointSlice') {
        slices.handle(change);
        handleSlice(reconciler, change, queue);
      } else if (change.kind === 'Node')
        for (const key of reconciler.overloadedServices(cache.list('Node') as readonly Node[])) queue.add(key);
      else servicePods.handle(change, queue);
    },
    *sync(key): Steps {
      const { namespace, name } = splitMetaNamespaceKey(key);
      const service = cache.get('Service', namespace, name) as Service | undefined;
      const current = slices.slicesOf(key);
      const nodes = cache.list('Node') as readonly Node[];
      const plan = reconciler.reconcileSlices({ key, service, pods: servicePods.takeFeed(key), nodes, current });
      if (plan.reasons.some(({ code }) => code === 'SlicesStale')) throw new SyncError('the cache lags behind the own writes');
      if (service) for (const { type, reason, message } of plan.events) yield* emit(service as ApiObject, type, reason, message);
      yield* writeSlices(plan, current, reconciler);
      if (plan.retry) throw new SyncError(plan.reasons.map(({ message }) => message).join(' '));
    },
  };
}

/** Requires a sync if somebody else changed a slice. Mirrors `onEndpointSliceUpdate` and `onEndpointSliceDelete`. */
function handleSlice(reconciler: Reconciler, { previous, current }: Change, queue: Queue): void {
  const slice = (current ?? previous) as EndpointSliceInput;
  const key = serviceKeyOf(slice);
  if (key === undefined || slice.metadata?.labels?.[sliceManagedByLabel] !== sliceController) return;
  if (!current && !reconciler.handleDeletion(slice)) queue.add(key);
}

function* writeSlices(plan: SlicePlan, current: readonly EndpointSliceInput[], reconciler: Reconciler): Steps {
  for (const verb of ['create', 'update'] as const)
    for (const object of plan[verb])
      reconciler.observe((yield* perform({ do: verb, kind: 'EndpointSlice', object: object as unknown as ApiObject })) as never);
  for (const { metadata } of plan.delete) {
    const { namespace = '', name = '' } = metadata;
    yield* performIgnoring({ do: 'delete', kind: 'EndpointSlice', namespace, name }, 'NotFound');
    const slice = current.find((each) => each.metadata?.name === name);
    if (slice) reconciler.expectDeletion(slice);
  }
}

const serviceKeyOf = ({ metadata }: EndpointSliceInput): string | undefined => {
  const name = metadata?.labels?.[serviceNameLabel];
  return name ? `${metadata?.namespace ?? ''}/${name}` : undefined;
};

/** The slices of each Service. */
function createSliceIndex() {
  const byService = new Map<string, Map<string, EndpointSliceInput>>();
  return {
    slicesOf: (key: string): readonly EndpointSliceInput[] => [...(byService.get(key)?.values() ?? [])],
    handle({ previous, current }: Change): void {
      if (previous) byService.get(serviceKeyOf(previous) ?? '')?.delete(previous.metadata.name ?? '');
      const key = current && serviceKeyOf(current);
      if (!key) return;
      const slices = byService.get(key) ?? new Map<string, EndpointSliceInput>();
      byService.set(key, slices.set(current.metadata.name ?? '', current));
    },
  };
}
