import { setTimeout as pause } from 'node:timers/promises';
import { type ClientPort, resources } from 'kube-endpoints/port';
import { countOf, namespaceOf, podName, podOf, type Size } from './world.ts';
import type { WriteObserver } from './write-observer.ts';

export interface ChurnResult {
  readonly changes: number;
  /** Milliseconds from each pod's change to the write that contains it, for Endpoints and for slices. */
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
  const total = countOf(size);
  const flip = async (index: number, delays: { endpoints: number[]; slices: number[] }): Promise<void> => {
    const [service, pod] = [Math.floor(index / size.podsPerService), index % size.podsPerService];
    const now = !(ready.get(index) ?? true);
    ready.set(index, now);
    const object = podOf(service, pod, index);
    const status = object['status'] as { readonly conditions: readonly { readonly type: string }[] };
    const lastTransitionTime = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
    const conditions = status.conditions.map((each) =>
      each.type === 'Ready' ? { ...each, status: now ? 'True' : 'False', lastTransitionTime } : each,
    );
    const start = performance.now();
    observer.expect(podName(service, pod), now, (where) => delays[where].push(performance.now() - start));
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
        // A stride that visits every pod before it visits one twice.
        await flip((n * 7919) % total, delays);
      }
      const limit = performance.now() + 20_000;
      while ((delays.endpoints.length < changes || delays.slices.length < changes) && performance.now() < limit) await pause(20);
      return { changes, ...delays };
    },
  };
}
