import { isDeepStrictEqual } from 'node:util';
import { ApiError, type ApiObject, type ListOptions, type ObjectKey, type Resource, resources } from 'kube-endpoints/port';
import { alreadyExists, conflict, notFound } from '../../../packages/apiserver/src/store/errors.ts';
import { keyOf } from '../harness/history.ts';
import { epoch } from '../harness/replica/clock.ts';
import type { WriteVerb } from '../harness/replica/network.ts';
import type { Intern } from './intern.ts';

/**
 * The state of the API server, by the plural of each resource. It is immutable, so that states of a search share it. Each resource has its
 * own resourceVersions, which the API allows, so that changes of different resources lead to the same state in any order.
 */
export type Server = Readonly<Record<string, Log>>;

/** The changes of one resource. The change to version v is at index v - 1. */
export interface Log {
  /** Equal for equal sequences of changes. */
  readonly id: number;
  readonly version: number;
  /** The version before which no watch can start. */
  readonly compactedVersion: number;
  readonly objects: ReadonlyMap<string, ApiObject>;
  readonly changes: readonly Change[];
}

export interface Change {
  /** Equal for equal changes. */
  readonly id: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: ApiObject;
}

export interface Call {
  readonly verb: Exclude<WriteVerb, 'patch' | 'deleteCollection'> | 'get' | 'list';
  readonly resource: Resource;
  /** The object of the call; undefined for `create` and `list`. */
  readonly key?: ObjectKey;
  /** The object to write. */
  readonly object?: ApiObject;
  readonly options?: ListOptions;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string } | undefined;
}

/** The answer to a call: a value or an error. */
export interface Answer {
  /** Equal for equal answers. */
  readonly id: number;
  readonly value?: unknown;
  readonly error?: Error;
}

export interface Api {
  /** The server without objects. */
  readonly empty: Server;
  /** Handles a call at a time, in milliseconds since the start of the world. */
  handle(server: Server, call: Call, time: number): { readonly server: Server; readonly answer: Answer };
  /** Forgets the changes of a resource, so that no watch can start before its current version. */
  compact(server: Server, plural: string): Server;
  fail(error: Error): Answer;
}

/** Creates an API server with only what the controllers need: no validation, defaults, or admission. */
export function createApi(intern: Intern): Api {
  const logs = new Map<number, Log>();
  const share = (log: Log): Log => {
    const shared = logs.get(log.id) ?? log;
    logs.set(log.id, shared);
    return shared;
  };
  const append = (server: Server, { plural }: Resource, type: Change['type'], object: ApiObject): Server => {
    const log = server[plural] as Log;
    const text = JSON.stringify(object);
    const change: Change = { id: intern(`${plural} ${type} ${text}`), type, object };
    const objects = new Map(log.objects);
    if (type === 'DELETED') objects.delete(keyOf(object));
    else objects.set(keyOf(object), object);
    const id = intern(`log ${log.id} ${change.id}`);
    return { ...server, [plural]: share({ ...log, id, version: log.version + 1, objects, changes: [...log.changes, change] }) };
  };
  const toAnswer = (value: unknown): Answer => ({ id: intern(`answer ${JSON.stringify(value)}`), value });
  const fail = (error: Error): Answer => ({ id: intern(`error ${error.name} ${error.message}`), error });
  return {
    empty: Object.fromEntries(
      Object.values(resources).map(({ plural }) => [
        plural,
        { id: intern(`log ${plural}`), version: 0, compactedVersion: 0, objects: new Map(), changes: [] },
      ]),
    ),
    handle(server, call, time) {
      try {
        const { type, value } = handlers[call.verb](server[call.resource.plural] as Log, call, time);
        return { server: type ? append(server, call.resource, type, value as ApiObject) : server, answer: toAnswer(value) };
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        return { server, answer: fail(error) };
      }
    },
    compact(server, plural) {
      const log = server[plural] as Log;
      return { ...server, [plural]: share({ ...log, id: intern(`log ${log.id} compacted`), compactedVersion: log.version }) };
    },
    fail,
  };
}

/** The value of an answer. `type` is undefined if the call changes nothing. */
interface Handled {
  readonly type?: Change['type'];
  readonly value: unknown;
}

const handlers: Readonly<Record<Call['verb'], (log: Log, call: Call, time: number) => Handled>> = {
  get: (log, call) => ({ value: find(log, call) }),
  list: ({ objects, version }, { options = {} }) => ({
    value: {
      items: [...objects.values()].filter((object) => isSelected(object, options)).slice(0, options.limit),
      metadata: { resourceVersion: String(version) },
    },
  }),
  create(log, { resource, object = { metadata: {} } }, time) {
    const { metadata } = object;
    const number = log.version + 1;
    const name = metadata.name ?? `${metadata.generateName}${number}`;
    const created = {
      ...object,
      metadata: {
        ...metadata,
        name,
        uid: `${resource.plural}-${number}`,
        creationTimestamp: `${new Date(epoch + Math.floor(time)).toISOString().slice(0, 19)}Z`,
        ...withVersion(resource, number, 1),
      },
    };
    if (log.objects.has(keyOf(created))) throw alreadyExists(resource, name);
    return { type: 'ADDED', value: created };
  },
  update(log, call) {
    const { resource, object = { metadata: {} } } = call;
    const existing = find(log, { ...call, key: object.metadata as ObjectKey });
    const { resourceVersion, uid } = object.metadata;
    requireMatch(existing, { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) }, resource);
    const { resourceVersion: version, uid: existingUid, creationTimestamp, generation } = existing.metadata;
    const isSame = isDeepStrictEqual(contentOf(object), contentOf(existing));
    if (isSame && isDeepStrictEqual(metadataOf(object), metadataOf(existing))) return { value: existing };
    const newGeneration = (generation ?? 0) + (isSame && isDeepStrictEqual(object.metadata.labels, existing.metadata.labels) ? 0 : 1);
    const metadata = { ...object.metadata, uid: existingUid, creationTimestamp, resourceVersion: version };
    return { type: 'MODIFIED', value: { ...object, metadata: { ...metadata, ...withVersion(resource, log.version + 1, newGeneration) } } };
  },
  delete(log, call) {
    const existing = find(log, call);
    requireMatch(existing, call.preconditions ?? {}, call.resource);
    return { type: 'DELETED', value: { ...existing, metadata: { ...existing.metadata, resourceVersion: String(log.version + 1) } } };
  },
};

function find({ objects }: Log, { resource, key }: Call): ApiObject {
  const { namespace, name = '' } = key ?? {};
  const object = objects.get(namespace ? `${namespace}/${name}` : name);
  if (!object) throw notFound(resource, name);
  return object;
}

function requireMatch({ metadata }: ApiObject, expected: NonNullable<Call['preconditions']>, resource: Resource): void {
  for (const [field, value] of Object.entries(expected))
    if (metadata[field as 'uid'] !== value)
      throw conflict(resource, metadata.name ?? '', `the ${field} is ${metadata[field as 'uid']}, not ${value}`);
}

/** Only slices have a generation that the controllers read. */
const withVersion = ({ plural }: Resource, version: number, generation: number): Partial<ApiObject['metadata']> => ({
  resourceVersion: String(version),
  ...(plural === resources.endpointSlices.plural && { generation }),
});

const contentOf = ({ metadata: _, ...content }: ApiObject): object => content;

const metadataOf = ({ metadata: { labels = {}, annotations = {}, ownerReferences = [] } }: ApiObject): object => ({
  labels,
  annotations,
  ownerReferences,
});

/** Supports selectors of the form "a=b,c=d". */
const isSelected = ({ metadata }: ApiObject, { namespace, labelSelector = '' }: ListOptions): boolean =>
  (namespace === undefined || metadata.namespace === namespace) &&
  labelSelector
    .split(',')
    .filter(Boolean)
    .map((requirement) => requirement.split('='))
    .every(([label = '', value]) => metadata.labels?.[label] === value);
