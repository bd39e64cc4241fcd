import { ApiError, type ApiObject, type ClientPort, type Resource } from 'kube-endpoints/port';
import type { Random } from '../../model/random.ts';
import { type Chronicle, keyOf } from './chronicle.ts';
import type { Trace } from './trace.ts';

/** Everything outside of the controllers: the clients that create, change and delete their input and output. */
export interface World {
  readonly random: Random;
  readonly chronicle: Chronicle;
  readonly port: ClientPort;
  /** Returns a number that was never returned before. */
  next(): number;
  /** A random existing object. */
  anyOf(resource: Resource, suits?: (object: ApiObject) => boolean): ApiObject | undefined;
  /** Writes an object; does nothing if the server refuses. */
  create(resource: Resource, object: ApiObject): Promise<ApiObject | undefined>;
  change(resource: Resource, object: ApiObject, subresource?: string): Promise<ApiObject | undefined>;
  remove(resource: Resource, object: ApiObject, gracePeriodSeconds?: number): Promise<void>;
}

/** A change of the world, with its extra parameters and its relative frequency. */
export interface WorldAction<More extends readonly unknown[] = readonly []> {
  readonly weight: number;
  readonly act: (world: World, ...more: More) => Promise<unknown>;
}

/** The version of the current state. */
export const everything: number = Number.POSITIVE_INFINITY;

export interface WorldParts extends Pick<World, 'random' | 'chronicle' | 'port'> {
  /** The namespaces of the objects. */
  readonly namespaces: readonly string[];
  readonly trace: Trace;
}

export function createWorld({ random, chronicle, port, namespaces, trace }: WorldParts): World {
  let numbers = 0;
  const attempt = async <T>(what: readonly unknown[], act: () => Promise<T>): Promise<T | undefined> => {
    try {
      const answer = await act();
      trace.note('world', ...what);
      return answer;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      trace.note('world', ...what, 'is refused:', error.reason || error.code);
      return undefined;
    }
  };
  return {
    random,
    chronicle,
    port,
    next() {
      numbers += 1;
      return numbers;
    },
    anyOf(resource, suits = () => true) {
      const places = resource.namespaced ? [...namespaces, 'kube-system'] : [''];
      const found = places.flatMap((place) => chronicle.all(resource, place, everything)).filter(suits);
      return found.length > 0 ? random.pick(found) : undefined;
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

/** Executes a random action. */
export async function disturb<More extends readonly unknown[]>(
  world: World,
  actions: readonly WorldAction<More>[],
  ...more: More
): Promise<void> {
  let left = (world.random.below(1e6) / 1e6) * actions.reduce((sum, { weight }) => sum + weight, 0);
  for (const { weight, act } of actions) {
    left -= weight;
    if (left >= 0) continue;
    await act(world, ...more);
    return;
  }
}

/** An object with only a name. */
export const named = (kind: string, name: string): ApiObject => ({ apiVersion: 'v1', kind, metadata: { name } });

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

/** An object with other labels, or without labels. */
export const labelled = (object: ApiObject, labels: Readonly<Record<string, string>> | undefined): ApiObject => ({
  ...object,
  metadata: { ...object.metadata, labels: labels ?? {} },
});

export const annotated = (object: ApiObject, annotations: Readonly<Record<string, string>>): ApiObject => ({
  ...object,
  metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, ...annotations } },
});
