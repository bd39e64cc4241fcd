import {
  applyStrategicMergePatch,
  bindPod,
  builtInKind,
  decideDeletion,
  markAsDeleting,
  type ResourceStrategy,
  updateGarbageCollectionFinalizers,
} from '@kube-endpoints/apiserver/internal';
import type { ApiObject, DeleteOptions } from 'kube-endpoints/port';
import { isRemovedByUpdate } from '../cluster/store/deletion.ts';
import { addDisruptionTarget } from '../cluster/store/eviction.ts';
import { createStrategies } from '../cluster/store/strategies.ts';
import { formatTime } from '../workloads/time.ts';
import { isFields } from './fields.ts';
import type { Effect, RawWrite } from './raw-write.ts';
import type { ObjectVersion } from './types.ts';

/** One of the states that a write leads to. */
export interface State {
  readonly change: ObjectVersion['change'];
  readonly object?: ApiObject | undefined;
  readonly isDerived: boolean;
}

/** The states that a write leads to, given the previous one: an eviction, for example, writes a condition and then deletes the pod. */
export type DeriveStates = (write: RawWrite, previous: ApiObject | undefined) => readonly State[];

/** Creates a function that does what the API server does with a request, as far as the response does not show it. */
export function createDerivation(): DeriveStates {
  const strategies = createStrategies(
    () => [],
    () => 0,
  );
  return (write, previous) => derivations[write.effect](write, previous, strategies.get(write.kind) as ResourceStrategy);
}

type Derive = (write: RawWrite, previous: ApiObject | undefined, strategy: ResourceStrategy) => readonly State[];

const update: Derive = ({ object, request }, previous) => updateTo(object, previous, (object ?? request) as ApiObject | undefined);

const derivations: Readonly<Record<Effect, Derive>> = {
  create: ({ object, request, namespace, name }) => {
    const created = object ?? (isFields(request) ? nameObject(request, namespace, name) : undefined);
    return [{ change: 'create', object: created, isDerived: !object }];
  },
  update,
  status: ({ object, request }, previous) => {
    return updateTo(object, previous, object ?? (previous && isFields(request) ? { ...previous, status: request['status'] } : undefined));
  },
  patch: (write, previous) => updateTo(write.object, previous, write.object ?? patchObject(write, previous)),
  scale: ({ request, resourceVersion }, previous) => {
    const { replicas } = (isFields(request) ? (request['spec'] ?? {}) : {}) as { readonly replicas?: number };
    if (!previous || replicas === undefined) return [{ change: 'update', isDerived: true }];
    const metadata = { ...previous.metadata, ...(resourceVersion !== undefined && { resourceVersion }) };
    const { generation } = metadata;
    const scaled = { ...metadata, ...(generation !== undefined && { generation: generation + 1 }) };
    return [
      { change: 'update', object: { ...previous, metadata: scaled, spec: { ...(previous['spec'] as object), replicas } }, isDerived: true },
    ];
  },
  bind: ({ request, bound }, previous) => {
    if (!previous || !isFields(request)) return [{ change: 'update', isDerived: true }];
    const { object } = bindPod(previous, { metadata: {}, target: request['target'] }, formatTime(bound));
    if (!object) return [{ change: 'update', object: previous, isDerived: true }];
    const { metadata } = object as unknown as ApiObject;
    const { generation } = metadata;
    return [
      {
        change: 'update',
        object: { ...object, metadata: { ...metadata, ...(generation !== undefined && { generation: generation + 1 }) } } as ApiObject,
        isDerived: true,
      },
    ];
  },
  evict: ({ request, bound }, previous, strategy) => {
    if (!previous) return [{ change: 'update', isDerived: true }];
    const marked = addDisruptionTarget(previous, formatTime(bound));
    const options = isFields(request) && isFields(request['deleteOptions']) ? request['deleteOptions'] : {};
    return [{ change: 'update', object: marked, isDerived: true }, ...deleteStates(marked, options, bound, strategy)];
  },
  delete: ({ object, request, bound }, previous, strategy) => {
    if (!object)
      return previous ? deleteStates(previous, isFields(request) ? request : {}, bound, strategy) : [{ change: 'delete', isDerived: true }];
    const { deletionTimestamp, deletionGracePeriodSeconds, finalizers = [] } = object.metadata;
    const isRemoved = finalizers.length === 0 && (deletionTimestamp === undefined || deletionGracePeriodSeconds === 0);
    if (!isRemoved) return [{ change: 'update', object, isDerived: false }];
    const wasMarked = previous?.metadata.deletionGracePeriodSeconds === 0;
    const isMarked = deletionTimestamp !== undefined && !wasMarked;
    const { resourceVersion: _, ...metadata } = object.metadata;
    return [
      ...(isMarked ? [{ change: 'update', object: { ...object, metadata }, isDerived: true } as const] : []),
      { change: 'delete', object, isDerived: false },
    ];
  },
  observe: ({ object }, previous) => [{ change: previous ? 'update' : 'observe', object, isDerived: false }],
  vanish: ({ object }, previous) => [{ change: 'delete', object: object ?? previous, isDerived: false }],
};

function updateTo(response: ApiObject | undefined, previous: ApiObject | undefined, object: ApiObject | undefined): readonly State[] {
  const isRemoved = object && previous && isRemovedByUpdate(object, previous);
  return [{ change: isRemoved ? 'delete' : 'update', object, isDerived: !response }];
}

const nameObject = (request: object, namespace: string, name: string): ApiObject => {
  const object = request as ApiObject;
  return { ...object, metadata: { ...object.metadata, ...(namespace !== '' && { namespace }), name } };
};

/** An audit event does not say the type of a patch: a list is a JSON patch, which is not applied, and an object a strategic one. */
function patchObject({ request, kind }: RawWrite, previous: ApiObject | undefined): ApiObject | undefined {
  const type = previous && builtInKind(previous.apiVersion as string, kind)?.type;
  if (!type || !isFields(request)) return undefined;
  return applyStrategicMergePatch(structuredClone(previous) as never, request, type) as unknown as ApiObject;
}

/** Mirrors Store.Delete (1.36, apiserver/pkg/registry/generic/registry/store.go) for a request without a response. */
function deleteStates(stored: ApiObject, options: DeleteOptions, now: number, strategy: ResourceStrategy): readonly State[] {
  const { gracePeriodSeconds, propagationPolicy } = options;
  const wanted: DeleteOptions = {
    ...(typeof gracePeriodSeconds === 'number' && { gracePeriodSeconds }),
    ...(propagationPolicy !== undefined && { propagationPolicy }),
  };
  const decision = decideDeletion(strategy, stored, wanted, now);
  if (decision.kind === 'pending') return [];
  const later = decision.kind === 'later' ? decision : undefined;
  const object = updateGarbageCollectionFinalizers(strategy, later?.object ?? stored, wanted);
  const hasFinalizers = (object.metadata.finalizers?.length ?? 0) > 0;
  if (!later) return hasFinalizers ? [derived('update', markAsDeleting(object, now))] : [derived('delete', object)];
  const isRemoved = later.periodSeconds === 0 && !hasFinalizers;
  return [derived('update', object), ...(isRemoved ? [derived('delete', object)] : [])];
}

const derived = (change: State['change'], object: ApiObject): State => ({ change, object, isDerived: true });
