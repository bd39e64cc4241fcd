import { ApiError, type ApiObject, type ClientPort, type Resource } from 'kube-endpoints/port';
import type { Random } from '../../model/random.ts';
import { type History, keyOf } from './history.ts';
import type { Trace } from './trace.ts';

/** A client other than the controllers. It creates, changes and deletes their input and output. */
export interface TestClient {
  readonly random: Random;
  readonly history: History;
  readonly port: ClientPort;
  /** Returns a new number with each call. */
  nextNumber(): number;
  /** A random existing object that matches; undefined if there is none. */
  pickObject(resource: Resource, matches?: (object: ApiObject) => boolean): ApiObject | undefined;
  /** Creates an object; returns undefined if the server rejects it. */
  create(resource: Resource, object: ApiObject): Promise<ApiObject | undefined>;
  change(resource: Resource, object: ApiObject, subresource?: string): Promise<ApiObject | undefined>;
  remove(resource: Resource, object: ApiObject, gracePeriodSeconds?: number): Promise<void>;
}

/** A random action of the test client, with its relative frequency. */
export interface ClientAction<Options extends readonly unknown[] = readonly []> {
  readonly weight: number;
  readonly act: (client: TestClient, ...options: Options) => Promise<unknown>;
}

/** A version later than any other: selects the current state. */
export const currentVersion: number = Number.POSITIVE_INFINITY;

export interface TestClientOptions extends Pick<TestClient, 'random' | 'history' | 'port'> {
  /** The namespaces of the objects. */
  readonly namespaces: readonly string[];
  readonly trace: Trace;
}

export function createTestClient({ random, history, port, namespaces, trace }: TestClientOptions): TestClient {
  let numbers = 0;
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
      numbers += 1;
      return numbers;
    },
    pickObject(resource, matches = () => true) {
      const names = resource.namespaced ? [...namespaces, 'kube-system'] : [''];
      const candidates = names.flatMap((namespace) => history.all(resource, namespace, currentVersion)).filter(matches);
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

/** Without a resourceVersion, an update has no conflict. */
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

/** A copy with other labels, or without labels. */
export const withLabels = (object: ApiObject, labels: Readonly<Record<string, string>> | undefined): ApiObject => ({
  ...object,
  metadata: { ...object.metadata, labels: labels ?? {} },
});

export const withAnnotations = (object: ApiObject, annotations: Readonly<Record<string, string>>): ApiObject => ({
  ...object,
  metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, ...annotations } },
});
