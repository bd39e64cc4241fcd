import { expect } from 'vitest';
import { createReconciler, type Plan, type PodFeed, type Reconciler } from '../../src/index.ts';
import type { Endpoints, EndpointsInput, Pod, Service } from '../../src/types/index.ts';
import { freezeDeeply } from '../property/check.ts';
import { makePod, makeService } from '../spec/objects.ts';

export const key = 'shop/web';
export const service: Service = makeService({}, { uid: 's', creationTimestamp: '2026-01-01T00:00:10Z' });
export const makePods = (count: number): Pod[] =>
  Array.from({ length: count }, (_, i) => makePod(`p${i}`, { ip: `10.0.${i >> 8}.${i & 255}` }));

export interface Host {
  readonly feed: PodFeed;
  list(): Pod[];
  /** How often the full pod list was requested. */
  reads(): number;
  put(...pods: Pod[]): void;
  remove(name: string): void;
  /** Clears the changes of the feed. */
  clear(): void;
}

/** Creates a host: pods that a test changes, on a feed. */
export function createHost(...initialPods: Pod[]): Host {
  const podsByName = new Map(initialPods.map((pod) => [pod.metadata?.name ?? '', pod]));
  const changes = new Map<string, Pod | undefined>();
  let reads = 0;
  const feed: PodFeed = {
    all: () => {
      reads++;
      return podsByName.values();
    },
    changes,
  };
  return {
    feed,
    list: () => [...podsByName.values()],
    reads: () => reads,
    put(...pods: Pod[]) {
      for (const pod of pods) {
        podsByName.set(pod.metadata?.name ?? '', pod);
        changes.set(pod.metadata?.name ?? '', pod);
      }
    },
    remove(name: string) {
      podsByName.delete(name);
      changes.set(name, undefined);
    },
    clear: () => changes.clear(),
  };
}

export const storeEndpoints = (object: Endpoints | undefined, resourceVersion = '1'): EndpointsInput =>
  freezeDeeply({ ...structuredClone(object), metadata: { ...structuredClone(object?.metadata), resourceVersion } });

/** Runs one sync and clears the changes. Expects the plan to equal that of a full list, except for trigger times. */
export function sync(reconciler: Reconciler, host: Host, current?: EndpointsInput, syncedService: Service = service): Plan {
  const plan = reconciler.reconcile({ key, service: syncedService, pods: host.feed, current });
  host.clear();
  const planOfList = createReconciler().reconcile({ key, service: syncedService, pods: host.list(), current });
  expect({ action: plan.action, subsets: plan.object?.subsets, reasons: plan.reasons }).toStrictEqual({
    action: planOfList.action,
    subsets: planOfList.object?.subsets,
    reasons: planOfList.reasons,
  });
  return plan;
}
