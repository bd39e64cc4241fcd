import { messageOf, metaNamespaceKey } from 'kube-endpoints/internal';
import type { ApiObject, Resource } from 'kube-endpoints/port';
import type { Pod, Service } from 'kube-endpoints/types';
import type { CacheEvent } from '../cache/index.ts';
import { UnreadWorkload } from './failures.ts';

/** Workloads that could not be read when the caches were filled. Which Services they belong to, and how, nobody knows. */
export interface Unread {
  /** Notes that in the place of such a one there is a pod that says nothing. */
  note(blank: Pod, error: Error): void;
  /** Follows the cache. Answers with what is wrong with an object that has come so. */
  take(event: CacheEvent<Pod>, key: string): Error | undefined;
  /** @throws UnreadWorkload where one of them may be the Service's: what is written without it might take its endpoints away */
  check(service: Service | undefined): void;
}

export function createUnread(): Unread {
  const errors = new WeakMap<Pod, Error>();
  /** By namespace and key. */
  const there = new Map<string, Map<string, Error>>();
  return {
    note: (blank, error) => void errors.set(blank, error),
    take({ type, object }, key) {
      const namespace = object.metadata?.namespace ?? '';
      const error = type === 'deleted' ? undefined : errors.get(object);
      const keys = there.get(namespace) ?? new Map<string, Error>();
      if (error) there.set(namespace, keys.set(key, error));
      else if (keys.delete(key) && keys.size === 0) there.delete(namespace);
      return error;
    },
    check(service) {
      if (there.size === 0 || !service?.spec?.selector) return;
      const [error] = there.get(service.metadata?.namespace ?? '')?.values() ?? [];
      if (error) throw new UnreadWorkload(error.message, { cause: error });
    },
  };
}

interface Readable {
  readonly resource: Resource;
  readonly unread: Unread;
  /** @throws what keeps an object from being read */
  toPod(object: ApiObject): Pod | undefined;
}

/**
 * The projection of workloads. One that cannot be read is what was known of it before, as with all projections that throw; only while the
 * cache is filled there is nothing known, and leaving it out would empty what it takes part in.
 */
export function reading(
  { toPod, resource, unread }: Readable,
  project: (object: ApiObject) => Pod,
  isFilled: () => boolean,
): (object: ApiObject) => Pod | undefined {
  return (object) => {
    try {
      const pod = toPod(object);
      return pod && project(pod as ApiObject);
    } catch (cause) {
      const error = new Error(`toPod of ${resource.kind} ${metaNamespaceKey(object.metadata)}: ${messageOf(cause)}`, { cause });
      if (isFilled()) throw error;
      const { name, namespace, uid, resourceVersion } = object.metadata;
      const blank = project({ metadata: { name, namespace, uid, resourceVersion } } as ApiObject);
      unread.note(blank, error);
      return blank;
    }
  };
}
