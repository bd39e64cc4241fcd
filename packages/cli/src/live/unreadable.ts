import type { Observer as Tell } from '@kube-endpoints/controllers';
import { ApiError, resources } from 'kube-endpoints/port';
import { unreadable } from './inventory.ts';

/** Finds out that a cluster cannot be read: who waits for an end does not wait until it can be. */
export interface ReadingWatch {
  readonly tell: Tell;
  /** What cannot be read, and why; undefined as long as there is hope. */
  readonly problem: string | undefined;
  /** Resolves when there is a problem. */
  readonly failed: Promise<void>;
}

/** @param namespace the one that is looked at; undefined for all */
export function createReadingWatch(namespace: string | undefined): ReadingWatch {
  const failures = new Map<string, number>();
  const read = new Set<string>();
  const { promise: failed, resolve } = Promise.withResolvers<void>();
  const found: { problem?: string } = {};
  return {
    failed,
    get problem() {
      return found.problem;
    },
    tell(happening) {
      if (happening.kind !== 'informer' || found.problem !== undefined) return;
      const { resource: plural, state, error } = happening;
      if (state === 'watching') read.add(plural);
      if (state !== 'waiting' || error === undefined || read.has(plural)) return;
      const count = (failures.get(plural) ?? 0) + 1;
      failures.set(plural, count);
      if (count < mostFailures(error)) return;
      const namespaced = plural !== resources.nodes.plural;
      found.problem = unreadable({ plural, namespaced }, namespace === undefined ? {} : { namespace }, error);
      resolve();
    },
  };
}

/** Who may not watch may yet list, which is tried next; a connection that does not come about may be a matter of seconds. */
function mostFailures(error: unknown): number {
  const { code } = error instanceof ApiError ? error : {};
  if (code === 401 || code === 404) return 1;
  return code === 403 ? 2 : 3;
}
