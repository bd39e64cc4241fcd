import { createPodStatusCache, type KubeletPod, type PodStatusCache, statusSyncPeriod } from '@kube-endpoints/simulator/internal';
import type { StatusCase, StatusEvent } from './case.ts';
import { start } from './virtual-time.ts';

/** Runs the events of a case, and syncs the status as the kubelet does. */
export function replayStatus({ pod, events }: StatusCase): unknown {
  const host = new StatusHost(pod);
  const caches = events.map((event) => {
    host.syncUntil(start + event.at);
    if (host.handle(event)) host.sync(false);
    const { status } = host.cache;
    return { has: !!status, phase: status?.phase ?? '' };
  });
  return { calls: host.calls, caches };
}

class StatusHost {
  readonly calls: unknown[] = [];
  readonly cache: PodStatusCache;
  #now = start;
  #stored: KubeletPod | undefined;
  /** The kubelet's version of the pod. */
  #known: KubeletPod | undefined;
  #running = true;
  #failures = 0;

  constructor(pod: KubeletPod) {
    this.#stored = pod;
    this.#known = pod;
    this.cache = createPodStatusCache({ now: () => this.#now });
  }

  syncUntil(time: number): void {
    for (;;) {
      const next = (Math.floor(this.#now / statusSyncPeriod) + 1) * statusSyncPeriod;
      if (next > time) break;
      this.#now = next;
      this.sync(true);
    }
    this.#now = time;
  }

  /** Returns whether the kubelet's status changed. */
  handle({ do: kind, running, status = {}, container = '', value = false, pod, calls = 0 }: StatusEvent): boolean {
    this.#running = running;
    const known = this.#known;
    const id = `containerd://${container}`;
    if (kind === 'set') return !!known && this.cache.set(known, status);
    if (kind === 'ready') return !!known && this.cache.setContainerReadiness(known, id, value);
    if (kind === 'started') return !!known && this.cache.setContainerStartup(known, id, value);
    if (kind === 'terminate') return !!known && this.cache.terminate(known);
    if (kind === 'change') this.#stored = pod;
    if (kind === 'watch') this.#known = this.#stored?.metadata?.uid === 'u1' ? this.#stored : undefined;
    if (kind === 'fail') this.#failures = calls;
    if (kind === 'delete' && this.#stored)
      this.#stored = { ...this.#stored, metadata: { ...this.#stored.metadata, deletionTimestamp: this.#time() } };
    return false;
  }

  sync(periodic: boolean): void {
    if (!this.cache.startSync(this.#known, periodic) || !this.#call('get')) return;
    if (this.#stored?.metadata?.uid !== 'u1') {
      // The pod was replaced.
      this.cache.forget();
      return;
    }
    const status = this.cache.merge(this.#stored, this.#running);
    if (status) {
      if (!this.#call('patch', { status })) return;
      this.#stored = { ...this.#stored, status };
    }
    if (!this.cache.confirm(this.#stored) || !this.#call('delete')) return;
    this.#stored = undefined;
    this.cache.forget();
  }

  /** Records a call of the API server, and returns whether it succeeds. */
  #call(name: string, fields: object = {}): boolean {
    const fails = this.#failures > 0;
    if (fails) this.#failures--;
    const problem = fails ? { fails } : { found: false };
    const succeeds = !fails && !!this.#stored;
    this.calls.push({ at: this.#now - start, do: name, ...(succeeds ? fields : problem) });
    return succeeds;
  }

  #time(): string {
    return `${new Date(this.#now).toISOString().slice(0, 19)}Z`;
  }
}
