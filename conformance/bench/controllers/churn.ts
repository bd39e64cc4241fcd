import { setTimeout as pause } from 'node:timers/promises';
import { type ClientPort, resources } from 'kube-endpoints/port';
import { namespaceOf, podCountOf, podName, podOf, type Size } from './world.ts';
import type { WriteObserver } from './write-observer.ts';

export interface ChurnResult {
  readonly changes: number;
  /** Milliseconds from each change of a pod until a watch shows it in the Endpoints or in a slice. */
  readonly endpoints: readonly number[];
  readonly slices: readonly number[];
}

/** Flips the readiness of pods, evenly over time and over all Services. */
export function createChurn(
  client: ClientPort,
  size: Size,
  observer: WriteObserver,
): { run(perSecond: number, seconds: number): Promise<ChurnResult> } {
  const ready = new Map<number, boolean>();
  const total = podCountOf(size);
  const flip = async (index: number, delays: { endpoints: number[]; slices: number[] }): Promise<void> => {
    const [service, pod] = [Math.floor(index / size.podsPerService), index % size.podsPerService];
    const isReady = !(ready.get(index) ?? true);
    ready.set(index, isReady);
    const object = podOf(service, pod, index);
    const status = object['status'] as { readonly conditions: readonly { readonly type: string }[] };
    const lastTransitionTime = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
    const conditions = status.conditions.map((each) =>
      each.type === 'Ready' ? { ...each, status: isReady ? 'True' : 'False', lastTransitionTime } : each,
    );
    const start = performance.now();
    observer.expect(podName(service, pod), isReady, (where) => delays[where].push(performance.now() - start));
    const key = { namespace: namespaceOf(service), name: podName(service, pod) };
    await client.patch(resources.pods, key, { status: { conditions } }, { type: 'merge', subresource: 'status' });
  };
  return {
    async run(perSecond, seconds) {
      const delays = { endpoints: [] as number[], slices: [] as number[] };
      const changes = perSecond * seconds;
      const start = performance.now();
      for (let n = 0; n < changes; n++) {
        const due = start + (n / perSecond) * 1000;
        while (performance.now() < due) await pause(Math.max(0, due - performance.now()));
        // A prime: every pod changes once before any changes twice, unless the number of pods is a multiple of it.
        await flip((n * 7919) % total, delays);
      }
      const limit = performance.now() + 20_000;
      while ((delays.endpoints.length < changes || delays.slices.length < changes) && performance.now() < limit) await pause(20);
      return { changes, ...delays };
    },
  };
}
