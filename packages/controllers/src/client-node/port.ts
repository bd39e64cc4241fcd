import { apiVersionOf } from 'kube-endpoints/internal/apimachinery';
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
import { createTimeoutError, type RequestLine } from './failures.ts';
import { clusterOf, type KubeConfigLike, pinToCurrentContext } from './kube-config.ts';
import { type ClientNodePortOptions, createSettings, type Settings } from './options.ts';
import { createDeleteBody, createGetQuery, createListQuery, createPaths, createWatchQuery, createWriteQuery, type Paths } from './paths.ts';
import { createAbortCallbacks } from './transport/aborts.ts';
import { createCredentialSource } from './transport/credentials.ts';
import { parseServer } from './transport/exchange.ts';
import { createTransport, type Transport } from './transport/transport.ts';
import { createWatchIterator } from './watch-iterator.ts';

/** A port to a cluster. Its connections stay open until it is closed. */
export interface ClientNodePort extends ClientPort {
  /** Returns `gitVersion` of the server's /version, such as "v1.29.3+k3s1"; undefined if the server sends none. */
  serverVersion(options?: CallOptions): Promise<string | undefined>;
  /** Closes all connections. Calls in progress fail. */
  close(): void;
}

/**
 * Creates a port to the cluster of the current context. The server, the credentials, TLS verification and the proxy come from the
 * KubeConfig; the port has its own connections.
 *
 * Objects are returned as the server sent them: no classes, no Date, and list items without kind and apiVersion.
 *
 * @throws RangeError if an option is invalid; Error if the current context has no server
 */
export function createClientNodePort(kubeConfig: KubeConfigLike, options: ClientNodePortOptions = {}): ClientNodePort {
  const settings = createSettings(options);
  const pinnedConfig = pinToCurrentContext(kubeConfig);
  const server = parseServer(clusterOf(pinnedConfig).server);
  const source = createCredentialSource(pinnedConfig, server.authority, settings);
  const transport = createTransport({ server, source, abortCallbacks: createAbortCallbacks(), settings });
  const paths = createPaths(server.prefix);
  return {
    ...createReader(transport, paths, settings),
    ...createWriter(transport, paths),
    async serverVersion({ signal } = {}) {
      const { gitVersion } = (await transport.send({ method: 'GET', path: `${server.prefix}/version`, signal })) as {
        gitVersion?: unknown;
      };
      return typeof gitVersion === 'string' ? gitVersion : undefined;
    },
    close: () => transport.close(),
  };
}

function createReader(transport: Transport, paths: Paths, settings: Settings): Pick<ClientPort, 'get' | 'list' | 'watch'> {
  const { gzip } = settings;
  return {
    async get(resource, key, { resourceVersion, signal } = {}) {
      const path = paths.object(resource, key) + createGetQuery(resourceVersion);
      return (await transport.send({ method: 'GET', path, signal })) as ApiObject;
    },
    async list(resource, options = {}) {
      const path = paths.collection(resource, options.namespace) + createListQuery(options);
      return toObjectList(await transport.send({ method: 'GET', path, signal: options.signal, gzip }));
    },
    watch(resource, options = {}) {
      const path = paths.collection(resource, options.namespace) + createWatchQuery(options);
      return createWatch(transport, { path, options, settings });
    },
  };
}

function createWriter(transport: Transport, paths: Paths): Pick<ClientPort, 'create' | 'update' | 'patch' | 'delete' | 'deleteCollection'> {
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
        path + createWriteQuery(options),
        options.subresource === undefined ? addTypeMeta(resource, object) : object,
        options.signal,
      );
    },
    async update(resource, object, options = {}) {
      const { namespace, name = '' } = object.metadata;
      const path = paths.object(resource, keyOf(namespace, name), options.subresource) + createWriteQuery(options);
      return write('PUT', path, options.subresource === undefined ? addTypeMeta(resource, object) : object, options.signal);
    },
    async patch(resource, key, patch, options) {
      const path = paths.object(resource, key, options.subresource) + createWriteQuery(options);
      const body = options.type === 'apply' && options.subresource === undefined ? addTypeMeta(resource, patch as ApiObject) : patch;
      return write('PATCH', path, body, options.signal, contentTypes[options.type]);
    },
    async delete(resource, key, options = {}) {
      const body = createDeleteBody(options);
      return toDeletedObject(resource, key, await write('DELETE', paths.object(resource, key), body, options.signal));
    },
    async deleteCollection(resource, selection = {}, options = {}) {
      const path = paths.collection(resource, selection.namespace) + createListQuery(selection);
      return toObjectList(await write('DELETE', path, createDeleteBody(options), combineSignals(selection, options)));
    },
  };
}

const contentTypes: Readonly<Record<PatchType, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  // JSON is valid YAML.
  apply: 'application/apply-patch+yaml',
};

const keyOf = (namespace: string | undefined, name: string): ObjectKey => (namespace === undefined ? { name } : { namespace, name });

/** Adds apiVersion and kind, which are required for custom resources and for every apply. */
function addTypeMeta(resource: Resource, object: ApiObject): ApiObject {
  if (object.apiVersion !== undefined && object.kind !== undefined) return object;
  return { ...object, apiVersion: apiVersionOf(resource), kind: resource.kind };
}

/** Returns an empty list if the server sent null instead of items, or a Status after a deletecollection. */
function toObjectList(response: unknown): ObjectList {
  const list = response as ObjectList;
  if (Array.isArray(list.items)) return list;
  return { ...list, items: [], metadata: { ...list.metadata, resourceVersion: list.metadata?.resourceVersion ?? '' } };
}

/** Creates the object from the key and the uid if the server answers a delete with a Status, as it does for most resources. */
function toDeletedObject(resource: Resource, key: ObjectKey, response: ApiObject): ApiObject {
  if (response.kind !== 'Status') return response;
  const { uid } = (response['details'] ?? {}) as { readonly uid?: string };
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: { ...key, ...(uid !== undefined && { uid }) } };
}

function combineSignals({ signal: first }: CallOptions, { signal: second }: CallOptions): AbortSignal | undefined {
  return first && second ? AbortSignal.any([first, second]) : (first ?? second);
}

export interface WatchRequest {
  readonly path: string;
  readonly options: Pick<WatchOptions, 'signal' | 'timeoutSeconds'>;
  readonly settings: Pick<Settings, 'clock' | 'maxEventBytes'>;
}

/** Creates a watch that starts a new request for each iteration. */
export function createWatch(transport: Pick<Transport, 'stream'>, request: WatchRequest): AsyncIterable<WatchEvent> {
  return { [Symbol.asyncIterator]: () => createIterator(transport, request) };
}

function createIterator(
  transport: Pick<Transport, 'stream'>,
  { path, options, settings }: WatchRequest,
): AsyncIterator<WatchEvent, undefined> {
  const { timeoutSeconds, signal: callerSignal } = options;
  const requestLine: RequestLine = { method: 'GET', path };
  const closeController = new AbortController();
  const signal = callerSignal ? AbortSignal.any([callerSignal, closeController.signal]) : closeController.signal;
  let timer: { cancel(): void } | undefined;
  return createWatchIterator({
    requestLine,
    maxEventBytes: settings.maxEventBytes,
    maxBufferedBytes,
    isAborted: () => callerSignal?.aborted === true,
    async open(onError) {
      const response = await transport.stream({ ...requestLine, signal }, onError);
      if (timeoutSeconds === undefined || signal.aborted) return response;
      // A server that hangs does not end its watch, although the connection stays open.
      const milliseconds = timeoutSeconds * 1000 + graceMs;
      timer = settings.clock.schedule(
        () => onError(createTimeoutError(requestLine, 'the watch was not ended', milliseconds)),
        milliseconds,
      );
      return response;
    },
    close() {
      timer?.cancel();
      closeController.abort();
    },
  });
}

/** Milliseconds that a server may exceed the timeout of a watch. */
const graceMs = 30_000;

/** Number of bytes to read ahead: enough to parse events while the next chunk arrives. */
const maxBufferedBytes = 256 * 1024;
