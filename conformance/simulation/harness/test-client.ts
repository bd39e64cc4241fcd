import { ApiError, type ApiObject, type ClientPort, type Resource } from 'kube-endpoints/port';
import type { Random } from '../../model/random.ts';
import { type History, keyOf } from './history.ts';
import type { Trace } from './trace.ts';

/** A client other than the controllers. Creates, changes and deletes the objects that controllers read and write. */
export interface TestClient {
  readonly random: Random;
  readonly history: History;
  readonly port: ClientPort;
  /** Returns a new number with each call. */
  nextNumber(): number;
  /** Picks a random existing object that matches; undefined if no object matches. */
  pickObject(resource: Resource, matches?: (object: ApiObject) => boolean): ApiObject | undefined;
  /** Creates an object; returns undefined if the server rejects it. */
  create(resource: Resource, object: ApiObject): Promise<ApiObject | undefined>;
  /** Updates an object, whatever its current version; returns undefined if the server rejects the update. */
  change(resource: Resource, object: ApiObject, subresource?: string): Promise<ApiObject | undefined>;
  remove(resource: Resource, object: ApiObject, gracePeriodSeconds?: number): Promise<void>;
}

/** A random action of the test client, with its relative frequency. */
export interface ClientAction<Options extends readonly unknown[] = readonly []> {
  readonly weight: number;
  readonly act: (client: TestClient, ...options: Options) => Promise<unknown>;
}

/** A version later than any real version: selects the current state. */
export const currentVersion: number = Number.POSITIVE_INFINITY;

export interface TestClientOptions extends Pick<TestClient, 'random' | 'history' | 'port'> {
  /** The namespaces of the objects. */
  readonly namespaces: readonly string[];
  readonly trace: Trace;
}

export function createTestClient({ random, history, port, namespaces, trace }: TestClientOptions): TestClient {
  let lastNumber = 0;
  const attempt = async <T>(description: readonly unknown[], call: () => Promise<T>): Promise<T | undefined> => {
    try {
      const answer = await call();
      trace.log('client', ...description);
      return answer;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      trace.log('client', ...description, 'is refused:', error.reason || error.code);
      return undefined;
    }
  };
  return {
    random,
    history,
    port,
    nextNumber() {
      lastNumber += 1;
      return lastNumber;
    },
    pickObject(resource, matches = () => true) {
      const namespaceNames = resource.namespaced ? [...namespaces, 'kube-system'] : [''];
      const candidates = namespaceNames.flatMap((namespace) => history.all(resource, namespace, currentVersion)).filter(matches);
      return candidates.length > 0 ? random.pick(candidates) : undefined;
    },
    create: (resource, object) =>
      attempt(['creates', resource.plural, keyOf(object), describeObject(object)], () => port.create(resource, object)),
    change: (resource, object, subresource) =>
      attempt(['changes', subresource ? `${resource.plural}/${subresource}` : resource.plural, keyOf(object), describeObject(object)], () =>
        port.update(resource, withoutVersion(object), { ...(subresource && { subresource }) }),
      ),
    async remove(resource, object, gracePeriodSeconds) {
      const { namespace, name = '' } = object.metadata;
      await attempt(['deletes', resource.plural, keyOf(object), gracePeriodSeconds ?? ''], () =>
        port.delete(resource, namespace ? { namespace, name } : { name }, {
          ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
        }),
      );
    },
  };
}

/** Runs a random action. */
export async function runRandomAction<Options extends readonly unknown[]>(
  client: TestClient,
  actions: readonly ClientAction<Options>[],
  ...options: Options
): Promise<void> {
  let remainingWeight = (client.random.below(1e6) / 1e6) * actions.reduce((sum, { weight }) => sum + weight, 0);
  for (const { weight, act } of actions) {
    remainingWeight -= weight;
    if (remainingWeight >= 0) continue;
    await act(client, ...options);
    return;
  }
}

/** An object with only a name. */
export const namedObject = (kind: string, name: string): ApiObject => ({ apiVersion: 'v1', kind, metadata: { name } });

/** Removes the resourceVersion, so that an update causes no conflict. */
function withoutVersion(object: ApiObject): ApiObject {
  const { resourceVersion: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** The traced fields of an object. */
function describeObject({ metadata: { labels, annotations }, spec, status, subsets, endpoints }: ApiObject): object {
  const { podIPs, conditions, phase } = (status ?? {}) as { readonly [field: string]: unknown };
  const { selector, nodeName, type, ports } = (spec ?? {}) as { readonly [field: string]: unknown };
  return { labels, annotations, selector, type, ports, nodeName, phase, podIPs, conditions, subsets, endpoints };
}

/** A copy with the labels replaced, or without labels if undefined. */
export const withLabels = (object: ApiObject, labels: Readonly<Record<string, string>> | undefined): ApiObject => ({
  ...object,
  metadata: { ...object.metadata, labels: labels ?? {} },
});

/** A copy with the annotations added. */
export const withAnnotations = (object: ApiObject, annotations: Readonly<Record<string, string>>): ApiObject => ({
  ...object,
  metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, ...annotations } },
});
