import { setTimeout as pause } from 'node:timers/promises';
import { type ClientPort, resources } from 'kube-endpoints/port';
import { type ClusterSize, countPods, createPod, namespaceOf, podName } from './objects.ts';
import type { WriteObserver } from './write-observer.ts';

export interface ChurnResult {
  readonly changes: number;
  /** Delays in milliseconds from each change of a pod until a watch shows it. */
  readonly endpoints: readonly number[];
  readonly slices: readonly number[];
}

/** Flips the readiness of pods, evenly over time and over all Services. */
export function createChurn(
  client: ClientPort,
  size: ClusterSize,
  observer: WriteObserver,
): { run(perSecond: number, seconds: number): Promise<ChurnResult> } {
  const readyByPod = new Map<number, boolean>();
  const podCount = countPods(size);
  const flipReadiness = async (index: number, delays: { endpoints: number[]; slices: number[] }): Promise<void> => {
    const [service, pod] = [Math.floor(index / size.podsPerService), index % size.podsPerService];
    const isReady = !(readyByPod.get(index) ?? true);
    readyByPod.set(index, isReady);
    const object = createPod(service, pod, index);
    const status = object['status'] as { readonly conditions: readonly { readonly type: string }[] };
    const lastTransitionTime = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
    const conditions = status.conditions.map((condition) =>
      condition.type === 'Ready' ? { ...condition, status: isReady ? 'True' : 'False', lastTransitionTime } : condition,
    );
    const start = performance.now();
    observer.expect(podName(service, pod), isReady, (target) => delays[target].push(performance.now() - start));
    const key = { namespace: namespaceOf(service), name: podName(service, pod) };
    await client.patch(resources.pods, key, { status: { conditions } }, { type: 'merge', subresource: 'status' });
  };
  return {
    async run(perSecond, seconds) {
      const delays = { endpoints: [] as number[], slices: [] as number[] };
      const changes = perSecond * seconds;
      const start = performance.now();
      for (let n = 0; n < changes; n++) {
        const dueTime = start + (n / perSecond) * 1000;
        while (performance.now() < dueTime) await pause(Math.max(0, dueTime - performance.now()));
        // The stride is prime: every pod changes once before any pod changes twice, unless the number of pods is a multiple of the stride.
        await flipReadiness((n * 7919) % podCount, delays);
      }
      const deadline = performance.now() + 20_000;
      while ((delays.endpoints.length < changes || delays.slices.length < changes) && performance.now() < deadline) await pause(20);
      return { changes, ...delays };
    },
  };
}
