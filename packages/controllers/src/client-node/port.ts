import { apiVersionOf } from 'kube-endpoints/internal';
import type {
  ApiObject,
  CallOptions,
  ClientPort,
  ObjectKey,
  ObjectList,
  PatchType,
  Resource,
  WatchEvent,
  WatchOptions,
} from 'kube-endpoints/port';
import { type Asked, lateAnswer } from './failures.ts';
import { clusterOf, type KubeConfigLike, pinned } from './kube-config.ts';
import { type ClientNodePortOptions, type Settings, settingsOf } from './options.ts';
import { createPaths, deleteBody, getQuery, listQuery, type Paths, watchQuery, writeQuery } from './paths.ts';
import { createAborts } from './transport/aborts.ts';
import { createCredentialSource } from './transport/credentials.ts';
import { parseServer } from './transport/exchange.ts';
import { createTransport, type Transport } from './transport/transport.ts';
import { createWatchIterator } from './watch-iterator.ts';

/** A port to a cluster, with connections that are kept until it is closed. */
export interface ClientNodePort extends ClientPort {
  /** Ends all connections. What is under way fails. */
  close(): void;
}

/**
 * A port to the cluster of a KubeConfig's current context. From the KubeConfig come the server, the credentials, what is checked of the
 * server's certificate, and the proxy; requests go over connections of the port's own.
 *
 * What is read is what the server sent: no class, no Date, and items of lists without kind and apiVersion, as servers leave them out.
 *
 * @throws RangeError for an option that cannot be meant; Error where the current context leads to no server
 */
export function createClientNodePort(kubeConfig: KubeConfigLike, options: ClientNodePortOptions = {}): ClientNodePort {
  const settings = settingsOf(options);
  const fixed = pinned(kubeConfig);
  const server = parseServer(clusterOf(fixed).server);
  const source = createCredentialSource(fixed, server.authority, settings);
  const transport = createTransport({ server, source, aborts: createAborts(), settings });
  const paths = createPaths(server.prefix);
  return { ...readerOf(transport, paths, settings), ...writerOf(transport, paths), close: () => transport.close() };
}

function readerOf(transport: Transport, paths: Paths, settings: Settings): Pick<ClientPort, 'get' | 'list' | 'watch'> {
  const { gzip } = settings;
  return {
    async get(resource, key, { resourceVersion, signal } = {}) {
      const path = paths.object(resource, key) + getQuery(resourceVersion);
      return (await transport.send({ method: 'GET', path, signal })) as ApiObject;
    },
    async list(resource, options = {}) {
      const path = paths.collection(resource, options.namespace) + listQuery(options);
      return listOf(await transport.send({ method: 'GET', path, signal: options.signal, gzip }));
    },
    watch(resource, options = {}) {
      const path = paths.collection(resource, options.namespace) + watchQuery(options);
      return createWatch(transport, { path, options, settings });
    },
  };
}

function writerOf(transport: Transport, paths: Paths): Pick<ClientPort, 'create' | 'update' | 'patch' | 'delete' | 'deleteCollection'> {
  const write = async (method: string, path: string, body: unknown, signal?: AbortSignal, contentType?: string): Promise<ApiObject> =>
    (await transport.send({ method, path, body, signal, ...(contentType !== undefined && { contentType }) })) as ApiObject;
  return {
    async create(resource, object, options = {}) {
      const { namespace, name = '' } = object.metadata;
      const path =
        options.subresource === undefined
          ? paths.collection(resource, namespace)
          : paths.object(resource, keyOf(namespace, name), options.subresource);
      return write(
        'POST',
        path + writeQuery(options),
        options.subresource === undefined ? typed(resource, object) : object,
        options.signal,
      );
    },
    async update(resource, object, options = {}) {
      const { namespace, name = '' } = object.metadata;
      const path = paths.object(resource, keyOf(namespace, name), options.subresource) + writeQuery(options);
      return write('PUT', path, options.subresource === undefined ? typed(resource, object) : object, options.signal);
    },
    async patch(resource, key, patch, options) {
      const path = paths.object(resource, key, options.subresource) + writeQuery(options);
      const body = options.type === 'apply' && options.subresource === undefined ? typed(resource, patch as ApiObject) : patch;
      return write('PATCH', path, body, options.signal, contentTypes[options.type]);
    },
    async delete(resource, key, options = {}) {
      const body = deleteBody(options);
      return deletedOf(resource, key, await write('DELETE', paths.object(resource, key), body, options.signal));
    },
    async deleteCollection(resource, selection = {}, options = {}) {
      const path = paths.collection(resource, selection.namespace) + listQuery(selection);
      return listOf(await write('DELETE', path, deleteBody(options), signalOf(selection, options)));
    },
  };
}

const contentTypes: Readonly<Record<PatchType, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  // its JSON is YAML, too
  apply: 'application/apply-patch+yaml',
};

const keyOf = (namespace: string | undefined, name: string): ObjectKey => (namespace === undefined ? { name } : { namespace, name });

/** Custom resources, and all that is applied, have to say what they are. */
function typed(resource: Resource, object: ApiObject): ApiObject {
  if (object.apiVersion !== undefined && object.kind !== undefined) return object;
  return { ...object, apiVersion: apiVersionOf(resource), kind: resource.kind };
}

/** A server of many a resource may say null for no items, and some answer the deletion of many with a Status. */
function listOf(answer: unknown): ObjectList {
  const list = answer as ObjectList;
  if (Array.isArray(list.items)) return list;
  return { ...list, items: [], metadata: { ...list.metadata, resourceVersion: list.metadata?.resourceVersion ?? '' } };
}

/** Of most objects that are gone, servers answer with a Status that names them. */
function deletedOf(resource: Resource, key: ObjectKey, answer: ApiObject): ApiObject {
  if (answer.kind !== 'Status') return answer;
  const { uid } = (answer['details'] ?? {}) as { readonly uid?: string };
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: { ...key, ...(uid !== undefined && { uid }) } };
}

function signalOf({ signal: one }: CallOptions, { signal: other }: CallOptions): AbortSignal | undefined {
  return one && other ? AbortSignal.any([one, other]) : (one ?? other);
}

export interface WatchRequest {
  readonly path: string;
  readonly options: Pick<WatchOptions, 'signal' | 'timeoutSeconds'>;
  readonly settings: Pick<Settings, 'clock' | 'maxEventBytes'>;
}

/** A watch, which begins anew each time that somebody begins to iterate. */
export function createWatch(transport: Pick<Transport, 'stream'>, request: WatchRequest): AsyncIterable<WatchEvent> {
  return { [Symbol.asyncIterator]: () => iterate(transport, request) };
}

function iterate(transport: Pick<Transport, 'stream'>, { path, options, settings }: WatchRequest): AsyncIterator<WatchEvent, undefined> {
  const { timeoutSeconds, signal: given } = options;
  const asked: Asked = { method: 'GET', path };
  const closing = new AbortController();
  const signal = given ? AbortSignal.any([given, closing.signal]) : closing.signal;
  let late: { cancel(): void } | undefined;
  return createWatchIterator({
    asked,
    maxEventBytes: settings.maxEventBytes,
    aheadBytes,
    isAborted: () => given?.aborted === true,
    async open(failed) {
      const response = await transport.stream({ ...asked, signal }, failed);
      if (timeoutSeconds === undefined || signal.aborted) return response;
      // a server that has stopped does not end what it has promised to, and its connection stands
      const milliseconds = timeoutSeconds * 1000 + grace;
      late = settings.clock.schedule(() => failed(lateAnswer(asked, 'the watch was not ended', milliseconds)), milliseconds);
      return response;
    },
    close() {
      late?.cancel();
      closing.abort();
    },
  });
}

/** Milliseconds for which a server may be late in ending a watch. */
const grace = 30_000;

/** Enough to have something to do while the next piece comes. */
const aheadBytes = 256 * 1024;
