import type { ApiObject, ClientPort, Resource, WatchEvent } from 'kube-endpoints/port';

/** A cluster that generates its objects when they are listed and stores nothing, so that the controllers' own memory can be measured. */
export interface VirtualCluster {
  readonly port: ClientPort;
  /** The number of writes so far. */
  readonly writeCount: number;
  /** Sends a MODIFIED event for an object. */
  change(resource: Resource, object: ApiObject): void;
}

type PushEvent = (event: WatchEvent) => void;

/** @param createObjects creates the initial objects of a resource */
export function createVirtualCluster(createObjects: (resource: Resource) => Iterable<ApiObject>): VirtualCluster {
  const watchers = new Map<string, PushEvent>();
  let revision = 1_000_000;
  let writeCount = 0;
  const emit = ({ plural }: Resource, type: 'ADDED' | 'MODIFIED' | 'DELETED', object: ApiObject): void =>
    watchers.get(plural)?.({ type, object });
  const withNewVersion = (object: ApiObject): ApiObject => ({
    ...object,
    metadata: {
      ...object.metadata,
      name: object.metadata.name ?? `${object.metadata.generateName}${++revision}`,
      resourceVersion: String(++revision),
    },
  });
  const write = (resource: Resource, type: 'ADDED' | 'MODIFIED', object: ApiObject): Promise<ApiObject> => {
    writeCount += 1;
    const written = withNewVersion(object);
    // Copies the object as JSON, so that it shares no memory with the sender, as over a network.
    emit(resource, type, JSON.parse(JSON.stringify(written)) as ApiObject);
    return Promise.resolve(written);
  };
  const port: Partial<ClientPort> = {
    // Controllers list through a watch, but refuse a port without `list`.
    list: (resource) => Promise.resolve({ metadata: { resourceVersion: '1' }, items: [...createObjects(resource)] }),
    watch: (resource, { signal } = {}) => streamEvents(createObjects(resource), (push) => watchers.set(resource.plural, push), signal),
    create: (resource, object) => write(resource, 'ADDED', object),
    update: (resource, object) => write(resource, 'MODIFIED', object),
  };
  return {
    port: port as ClientPort,
    get writeCount() {
      return writeCount;
    },
    change: (resource, object) => emit(resource, 'MODIFIED', withNewVersion(object)),
  };
}

/** Yields the initial objects, the bookmark that ends them, and later events. */
async function* streamEvents(
  initialObjects: Iterable<ApiObject>,
  onOpen: (push: PushEvent) => void,
  signal: AbortSignal | undefined,
): AsyncGenerator<WatchEvent> {
  for (const object of initialObjects) yield { type: 'ADDED', object };
  const queue: WatchEvent[] = [{ type: 'BOOKMARK', object: initialEventsEnd }];
  let wake: (() => void) | undefined;
  onOpen((event) => {
    queue.push(event);
    wake?.();
  });
  signal?.addEventListener('abort', () => wake?.(), { once: true });
  while (!signal?.aborted) {
    yield* queue.splice(0);
    if (queue.length > 0) continue;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}

const initialEventsEnd: ApiObject = { metadata: { resourceVersion: '1', annotations: { 'k8s.io/initial-events-end': 'true' } } };
