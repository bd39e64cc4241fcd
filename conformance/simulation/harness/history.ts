import { type ApiObject, type ClientPort, type Resource, resources } from 'kube-endpoints/port';

/** The resources whose history is recorded. */
export const recordedResources: readonly Resource[] = [
  resources.namespaces,
  resources.nodes,
  resources.services,
  resources.pods,
  resources.endpoints,
  resources.endpointSlices,
];

/** The full history of the server, by resource version. */
export interface History {
  /** An object at a version; undefined if it did not exist. */
  at(resource: Resource, key: string, version: number): ApiObject | undefined;
  /** An object at a version or, if the object was deleted by then, its last state; undefined if it never existed before. */
  last(resource: Resource, key: string, version: number): ApiObject | undefined;
  /** The objects of a namespace at a version, in order of first creation; cluster-scoped objects if the namespace is undefined. */
  all(resource: Resource, namespace: string | undefined, version: number): ApiObject[];
  /** The keys of all objects that ever existed. */
  keys(resource: Resource): Iterable<string>;
  /** The version of the last change to a resource. */
  latestVersion(resource: Pick<Resource, 'plural'>): number;
  /** The versions of all changes, oldest first. */
  readonly versions: readonly number[];
  close(): Promise<void>;
}

interface State {
  readonly version: number;
  readonly object: ApiObject | undefined;
}

interface ResourceHistory {
  readonly states: Map<string, State[]>;
  /** The keys by namespace. */
  readonly keysByNamespace: Map<string, string[]>;
  latestVersion: number;
}

/** A history that its user fills. */
export interface RecordedHistory extends History {
  /** Records a state of an object, later than the states that were recorded before. `exists` is false for a deletion. */
  record(resource: Pick<Resource, 'plural'>, object: ApiObject, version: number, options: { readonly exists: boolean }): void;
}

/** Creates a history that records every change from now on. The client must reach the server without simulated delay or loss. */
export async function createHistory(client: ClientPort): Promise<History> {
  const history = createRecordedHistory();
  /** Excludes the objects that exist already. */
  const versions: number[] = [];
  const iterators: AsyncIterator<unknown>[] = [];
  for (const resource of recordedResources) {
    const { items, metadata } = await client.list(resource);
    for (const object of items) history.record(resource, object, Number(metadata.resourceVersion), { exists: true });
    const iterator = client.watch(resource, { resourceVersion: metadata.resourceVersion })[Symbol.asyncIterator]();
    iterators.push(iterator);
    void (async () => {
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
        const { type, object } = next.value;
        const version = Number(object.metadata.resourceVersion);
        history.record(resource, object, version, { exists: type !== 'DELETED' });
        versions.push(version);
      }
    })();
  }
  return { ...history, versions, close: async () => void (await Promise.all(iterators.map((iterator) => iterator.return?.()))) };
}

/** Creates an empty history. */
export function createRecordedHistory(): RecordedHistory {
  const versions: number[] = [];
  const histories = new Map<string, ResourceHistory>(
    recordedResources.map(({ plural }) => [plural, { states: new Map(), keysByNamespace: new Map(), latestVersion: 0 }]),
  );
  const historyOf = ({ plural }: Pick<Resource, 'plural'>): ResourceHistory => histories.get(plural) as ResourceHistory;
  return {
    record(resource, object, version, options) {
      record(historyOf(resource), object, version, options);
      versions.push(version);
    },
    at: (resource, key, version) => stateAt(historyOf(resource).states.get(key), version),
    last: (resource, key, version) =>
      historyOf(resource)
        .states.get(key)
        ?.findLast((state) => state.version <= version && state.object)?.object,
    all(resource, namespace, version) {
      const { states, keysByNamespace } = historyOf(resource);
      return (keysByNamespace.get(namespace ?? '') ?? [])
        .map((key) => stateAt(states.get(key), version))
        .filter((object) => object !== undefined);
    },
    keys: (resource) => historyOf(resource).states.keys(),
    latestVersion: (resource) => historyOf(resource).latestVersion,
    versions,
    close: async () => {},
  };
}

export const keyOf = ({ metadata: { namespace, name } }: ApiObject): string => (namespace ? `${namespace}/${name}` : (name ?? ''));

function record(resourceHistory: ResourceHistory, object: ApiObject, version: number, { exists }: { readonly exists: boolean }): void {
  const { states, keysByNamespace } = resourceHistory;
  const key = keyOf(object);
  let objectStates = states.get(key);
  if (!objectStates) {
    objectStates = [];
    states.set(key, objectStates);
    const { namespace = '' } = object.metadata;
    const keys = keysByNamespace.get(namespace);
    if (keys) keys.push(key);
    else keysByNamespace.set(namespace, [key]);
  }
  objectStates.push({ version, object: exists ? object : undefined });
  resourceHistory.latestVersion = Math.max(resourceHistory.latestVersion, version);
}

function stateAt(states: readonly State[] | undefined, version: number): ApiObject | undefined {
  if (!states) return undefined;
  for (let index = states.length - 1; index >= 0; index--) {
    const state = states[index] as State;
    if (state.version <= version) return state.object;
  }
  return undefined;
}
