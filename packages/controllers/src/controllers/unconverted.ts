import { messageOf, metaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject, Resource } from 'kube-endpoints/port';
import type { Pod, Service } from 'kube-endpoints/types';
import type { CacheEvent } from '../cache/index.ts';
import { UnconvertedWorkloadError } from './failures.ts';

/** Workloads for which toPod failed while the caches were filled. Which Services select them is unknown. */
export interface UnconvertedWorkloads {
  /** Records the placeholder pod of a workload, and the error of toPod. */
  record(placeholder: Pod, error: Error): void;
  /** Handles a cache event. Returns the error of toPod if the object is a placeholder. */
  update(event: CacheEvent<Pod>, key: string): Error | undefined;
  /** @throws UnconvertedWorkloadError if the Service may select such a workload, because a write without it might remove its endpoints */
  check(service: Service | undefined): void;
}

export function createUnconvertedWorkloads(): UnconvertedWorkloads {
  const errors = new WeakMap<Pod, Error>();
  /** Errors of toPod by namespace, then by key. */
  const errorsByNamespace = new Map<string, Map<string, Error>>();
  return {
    record: (placeholder, error) => void errors.set(placeholder, error),
    update({ type, object }, key) {
      const namespace = object.metadata?.namespace ?? '';
      const error = type === 'deleted' ? undefined : errors.get(object);
      const namespaceErrors = errorsByNamespace.get(namespace) ?? new Map<string, Error>();
      if (error) errorsByNamespace.set(namespace, namespaceErrors.set(key, error));
      else if (namespaceErrors.delete(key) && namespaceErrors.size === 0) errorsByNamespace.delete(namespace);
      return error;
    },
    check(service) {
      if (errorsByNamespace.size === 0 || !service?.spec?.selector) return;
      const [error] = errorsByNamespace.get(service.metadata?.namespace ?? '')?.values() ?? [];
      if (error) throw new UnconvertedWorkloadError(error.message, { cause: error });
    },
  };
}

interface WorkloadConverter {
  readonly resource: Resource;
  readonly unconvertedWorkloads: UnconvertedWorkloads;
  /** @throws if the object cannot be converted */
  toPod(object: ApiObject): Pod | undefined;
}

/**
 * Wraps the projection of workloads. A workload that cannot be converted keeps its last known state, as with every projection that throws. While
 * the cache is filled for the first time, no state is known. Then a placeholder is cached, because omitting the workload would remove its
 * endpoints.
 */
export function createWorkloadProjection(
  { toPod, resource, unconvertedWorkloads }: WorkloadConverter,
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
      const placeholder = project({ metadata: { name, namespace, uid, resourceVersion } } as ApiObject);
      unconvertedWorkloads.record(placeholder, error);
      return placeholder;
    }
  };
}
