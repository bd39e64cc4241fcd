import { hasReason, type ObjectKey, resources } from 'kube-endpoints/port';
import type { Clock, StoreWrite } from '../store/index.ts';
import type { Registry } from './registry.ts';

/** Pods that were given some time to end. */
export interface EndingPods {
  note(write: StoreWrite): void;
  /** When the time of the first of them is over, at the earliest. Milliseconds since the epoch. */
  dueAt(): number | undefined;
  /** Deletes those whose time is over, the way a kubelet does once it has ended them. */
  end(failed: (error: unknown) => void): Promise<void>;
}

interface EndingPod {
  readonly key: ObjectKey;
  readonly node: string;
  readonly at: number;
}

export function createEndingPods(registry: Pick<Registry, 'delete'>, clock: Pick<Clock, 'now'>): EndingPods {
  const pods = new Map<string, EndingPod>();
  let first: number | undefined;
  return {
    note({ resource: { group, plural }, current, previous }) {
      if (plural !== resources.pods.plural || group !== '') return;
      const { metadata, spec } = current ?? previous ?? { metadata: {} };
      const { uid = '', namespace = '', name = '', deletionTimestamp } = metadata;
      if (!current || deletionTimestamp === undefined) {
        pods.delete(uid);
        return;
      }
      const { nodeName: node = '' } = (spec ?? {}) as { readonly nodeName?: string };
      const at = Date.parse(deletionTimestamp);
      pods.set(uid, { key: { namespace, name }, node, at });
      first = first === undefined ? at : Math.min(first, at);
    },
    dueAt: () => (pods.size === 0 ? undefined : first),
    async end(failed) {
      const now = clock.now();
      for (const [uid, { key, node }] of [...pods].filter((each) => each[1].at <= now)) {
        pods.delete(uid);
        const user = { username: `system:node:${node}`, groups: ['system:nodes', 'system:authenticated'] };
        try {
          await registry.delete(resources.pods, key, { gracePeriodSeconds: 0, preconditions: { uid }, user });
        } catch (error) {
          if (hasReason(error, 'NotFound', 'Conflict')) continue;
          pods.set(uid, { key, node, at: now + retry });
          failed(error);
        }
      }
      first = pods.size === 0 ? undefined : [...pods.values()].reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);
    },
  };
}

/** Milliseconds after which a refused deletion is tried again. */
const retry = 10_000;
