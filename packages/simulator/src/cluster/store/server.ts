import {
  alreadyExists,
  applyMergePatch,
  applyStrategicMergePatch,
  bindPod,
  builtInKind,
  chargeDisruptionBudget,
  conflict,
  generateName,
  notFound,
  type ResourceStrategy,
} from '@kube-endpoints/apiserver/internal';
import { semanticEqual } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject, DeleteOptions, Resource } from 'kube-endpoints/port';
import type { Call } from '../../controller/controller.ts';
import type { Clock } from '../../engine/clock.ts';
import { type Job, jobKind, withGeneratedFields } from '../../workloads/job/objects.ts';
import { formatTime } from '../../workloads/time.ts';
import { deleteObject, isRemovedByUpdate } from './deletion.ts';
import { addDisruptionTarget } from './eviction.ts';
import { prune, withSpecOf, withStatusOf } from './merge.ts';
import type { ObjectStore } from './objects.ts';
import { createStrategies, prepareCreation, prepareUpdate } from './strategies.ts';

/**
 * The API server, synchronous: each method reads the newest objects, and writes at once. Objects of users and new objects get their defaults and
 * are validated; the updates of the simulated components are merged as the API server does, but not validated.
 */
export interface Server {
  /** Performs a controller's call. @throws ApiError */
  answer(actor: string, call: Call): ApiObject;
  create(actor: string, object: ApiObject): ApiObject;
  /** Stores an object of an earlier cluster as it is. */
  restore(object: ApiObject): void;
  /** Creates an object, or replaces it except for its status. Annotations and generated fields of a Job that the new object does not have stay. */
  apply(actor: string, object: ApiObject): ApiObject;
  delete(actor: string, kind: string, namespace: string, name: string, options?: DeleteOptions): ApiObject;
  /** Evicts a pod. @throws ApiError TooManyRequests if a PodDisruptionBudget does not allow it */
  evict(actor: string, namespace: string, name: string, options?: DeleteOptions): ApiObject;
}

/** A write before it is validated and stored. */
export interface AdmittedWrite {
  readonly operation: 'CREATE' | 'UPDATE';
  readonly object: ApiObject;
  readonly oldObject?: ApiObject;
}

/** Changes written objects, like a mutating webhook; writes of a status and deletions are not passed. @throws ApiError to refuse a write */
export type Admit = (write: AdmittedWrite) => ApiObject;

interface Context {
  readonly clock: Clock;
  readonly store: ObjectStore;
  readonly admit: Admit;
  readonly strategies: ReadonlyMap<string, ResourceStrategy>;
  draw(bound: number): number;
  /** The number of created objects. */
  created: number;
}

export function createServer(clock: Clock, store: ObjectStore, admit: Admit = ({ object }) => object): Server {
  const draw = createDraw(clock.now());
  const context: Context = { clock, store, admit, strategies: createStrategies(store.list, draw), draw, created: 0 };
  return {
    answer: (actor, call) => answer(context, actor, call),
    create: (actor, object) => create(context, actor, object),
    restore: (object) => restore(context, object),
    apply: (actor, object) => apply(context, actor, object),
    delete: (actor, kind, namespace, name, options = {}) => remove(context, actor, require(context, kind, namespace, name), options),
    evict: (actor, namespace, name, options = {}) => evict(context, actor, require(context, 'Pod', namespace, name), options),
  };
}

/** Pseudo-random integers that depend on the time of the start only, so that objects have the same names in all runs. */
function createDraw(start: number): (bound: number) => number {
  let state = 1 + (start % 86_400_000);
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

const timestamp = ({ clock }: Context): string => formatTime(clock.now());

const resourceOf = ({ strategies }: Context, kind: string): Resource =>
  strategies.get(kind)?.resource ?? { group: '', version: 'v1', plural: `${kind.toLowerCase()}s`, kind, namespaced: true };

function require(context: Context, kind: string, namespace: string, name: string): ApiObject {
  const found = context.store.find(kind, namespace, name);
  if (!found) throw notFound(resourceOf(context, kind), name);
  return found;
}

function answer(context: Context, actor: string, call: Call): ApiObject {
  switch (call.do) {
    case 'get':
      return require(context, call.kind, call.namespace, call.name);
    case 'create':
      return create(context, actor, { ...call.object, kind: call.kind });
    case 'update': {
      const { namespace = '', name = '' } = call.object.metadata;
      return replace(context, actor, require(context, call.kind, namespace, name), call.object, call.subresource);
    }
    case 'patch': {
      const stored = require(context, call.kind, call.namespace, call.name);
      const type = call.type === 'strategic' ? builtInKind(stored.apiVersion as string, call.kind)?.type : undefined;
      const copy = structuredClone(stored) as never;
      const value = type ? applyStrategicMergePatch(copy, call.patch, type) : applyMergePatch(copy, call.patch).value;
      return replace(context, actor, stored, value as unknown as ApiObject, call.subresource);
    }
    case 'bind':
      return bind(context, actor, call);
    case 'delete': {
      const stored = require(context, call.kind, call.namespace, call.name);
      return remove(context, actor, stored, call.uid === undefined ? {} : { preconditions: { uid: call.uid } });
    }
  }
}

function bind(context: Context, actor: string, { namespace, name, uid, node }: Call & { readonly do: 'bind' }): ApiObject {
  const pod = require(context, 'Pod', namespace, name);
  if (pod.metadata.uid !== uid) throw conflict(resourceOf(context, 'Pod'), name, `the UID is ${pod.metadata.uid}, not ${uid}`);
  const result = bindPod(pod, { metadata: {}, target: { kind: 'Node', name: node } }, timestamp(context));
  if (!result.object) throw conflict(resourceOf(context, 'Pod'), name, 'causes' in result ? 'the binding is invalid' : result.conflict);
  return context.store.put(actor, nextGeneration(result.object as unknown as ApiObject, pod), pod);
}

const uidPrefix = '00000000-0000-4000-8000-';

/** Later objects get other UIDs than restored ones. */
function restore(context: Context, object: ApiObject): void {
  const { uid = '' } = object.metadata;
  if (uid.startsWith(uidPrefix)) context.created = Math.max(context.created, Number.parseInt(uid.slice(uidPrefix.length), 16));
  context.store.put('user', object);
}

function create(context: Context, actor: string, object: ApiObject): ApiObject {
  const { store, strategies, draw } = context;
  const { generateName: base, name = base ? generateName(base, { draw } as never) : '', namespace = '' } = object.metadata;
  const kind = object.kind as string;
  if (store.find(kind, namespace, name)) throw alreadyExists(resourceOf(context, kind), name);
  context.created += 1;
  const uid = `${uidPrefix}${context.created.toString(16).padStart(12, '0')}`;
  const { resourceVersion: _, deletionTimestamp: __, ...metadata } = object.metadata;
  const body = context.admit({
    operation: 'CREATE',
    object: { ...object, metadata: { ...metadata, name, uid, creationTimestamp: timestamp(context) } },
  });
  const strategy = strategies.get(kind);
  return store.put(actor, strategy ? prepareCreation(strategy, body) : body);
}

function apply(context: Context, actor: string, object: ApiObject): ApiObject {
  const { namespace = '', name = '' } = object.metadata;
  const kind = object.kind as string;
  const stored = context.store.find(kind, namespace, name);
  if (!stored) return create(context, actor, object);
  const { uid, resourceVersion, creationTimestamp, annotations } = stored.metadata;
  const system = {
    uid,
    resourceVersion,
    creationTimestamp,
    ...((annotations ?? object.metadata.annotations) && { annotations: { ...annotations, ...object.metadata.annotations } }),
  };
  const merged = kind === jobKind.kind ? withGeneratedFields(object as Job, stored as Job) : object;
  const written = { ...merged, metadata: { ...object.metadata, ...system } } as ApiObject;
  const body = context.admit({ operation: 'UPDATE', object: written, oldObject: stored });
  const strategy = context.strategies.get(kind);
  return store(context, actor, stored, strategy ? prepareUpdate(strategy, body, stored) : body);
}

/** Stores an update unless it changes nothing; removes the object if only the update delayed that. */
function store({ store: objects }: Context, actor: string, stored: ApiObject, updated: ApiObject): ApiObject {
  if (semanticEqual(updated, stored)) return stored;
  return isRemovedByUpdate(updated, stored) ? objects.remove(actor, updated) : objects.put(actor, updated, stored);
}

/** Replaces an object or its status. @throws ApiError Conflict if its resourceVersion or UID is stale */
function replace(context: Context, actor: string, stored: ApiObject, wanted: ApiObject, subresource: string | undefined): ApiObject {
  const { resourceVersion, uid } = wanted.metadata;
  const { name = '', resourceVersion: current, uid: currentUid } = stored.metadata;
  const refuse = (problem: string): never => {
    throw conflict(resourceOf(context, stored.kind as string), name, problem);
  };
  if (resourceVersion !== undefined && resourceVersion !== current)
    refuse('the object has been modified; please apply your changes to the latest version and try again');
  if (uid !== undefined && uid !== currentUid)
    refuse(`Precondition failed: UID in precondition: ${uid}, UID in object meta: ${currentUid}`);
  if (subresource === 'status') return store(context, actor, stored, withStatusOf(stored, wanted));
  const object = prune(withSpecOf(stored, wanted)) as ApiObject;
  return store(context, actor, stored, nextGeneration(context.admit({ operation: 'UPDATE', object, oldObject: stored }), stored));
}

/** Increments the generation of an object whose spec changed. */
function nextGeneration(updated: ApiObject, stored: ApiObject): ApiObject {
  const { generation } = stored.metadata;
  if (generation === undefined || updated['spec'] === stored['spec'] || semanticEqual(updated['spec'], stored['spec'])) return updated;
  return { ...updated, metadata: { ...updated.metadata, generation: generation + 1 } };
}

function remove({ store, strategies, clock }: Context, actor: string, stored: ApiObject, options: DeleteOptions): ApiObject {
  const strategy = strategies.get(stored.kind as string);
  return strategy ? deleteObject(store, actor, strategy, stored, options, clock.now()) : store.remove(actor, stored);
}

function evict(context: Context, actor: string, pod: ApiObject, options: DeleteOptions): ApiObject {
  const { store } = context;
  const budgets = {
    list: ({ kind }: Resource, { namespace }: { readonly namespace: string }) => ({ items: store.list(kind, namespace) }),
    update: ({ kind }: Resource, key: { readonly namespace: string; readonly name: string }, change: (current: ApiObject) => ApiObject) => {
      const current = require(context, kind, key.namespace, key.name);
      return store.put(actor, change(current), current);
    },
  };
  chargeDisruptionBudget({ store: budgets, timestamp: () => timestamp(context) }, pod, false);
  const marked = store.put(actor, addDisruptionTarget(pod, timestamp(context)), pod);
  return remove(context, actor, marked, options);
}
