import {
  type BackOff,
  checkRestartBackOff,
  createRestartBackOff,
  killContainer,
  killPod,
  restartBackOffKey,
  type SyncStep,
  syncPod,
} from '@kube-endpoints/simulator/internal';
import type { SyncCase } from './case.ts';
import { start } from './virtual-time.ts';

/** Runs the steps of one sync. Containers end at once when they are stopped. */
export function replaySync(testCase: SyncCase): unknown {
  const host = new SyncHost(testCase);
  const { runtime, failing: _failing, crashing: _crashing, ...input } = testCase;
  const steps = syncPod({ ...input, status: runtime });
  for (let next = steps.next(); !next.done; ) next = steps.next(host.run(next.value));
  return { calls: host.calls, failed: host.failed };
}

class SyncHost {
  readonly calls: object[] = [];
  /** Names of containers that were not started. */
  readonly failed: string[] = [];
  readonly #case: SyncCase;
  readonly #backOff: BackOff;

  constructor(testCase: SyncCase) {
    this.#case = testCase;
    this.#backOff = createRestartBackOff({ now: () => start });
    const { pod, crashing } = testCase;
    for (const container of [...(pod.spec?.initContainers ?? []), ...(pod.spec?.containers ?? [])])
      for (let i = 0; i < 5 && crashing.includes(container.name ?? ''); i++) this.#backOff.next(restartBackOffKey(pod, container), start);
  }

  /** Performs a step, and returns whether it succeeded. */
  run(step: SyncStep): boolean {
    const { pod, runtime, failing } = this.#case;
    switch (step.do) {
      case 'killPod': {
        const { containers } = killPod(runtime, { pod, at: start, behaviourOf: () => ({ exitsAfter: 0 }) });
        for (const { id, stop } of containers) this.#stop(id, stop.gracePeriod);
        this.calls.push(...runtime.sandboxes.map(({ id }) => ({ do: 'stopSandbox', id })));
        return true;
      }
      case 'killContainer': {
        const { do: _do, container, ...override } = step;
        const killed = killContainer({ reason: 'Unknown', ...container, ...override, pod, at: start, behaviour: { exitsAfter: 0 } });
        this.#stop(container.id, killed?.stop.gracePeriod ?? 0);
        return true;
      }
      case 'removeContainer':
        this.calls.push({ do: 'remove', id: rawID(step.id) });
        return true;
      case 'createSandbox':
        this.calls.push({ do: 'createSandbox', attempt: step.attempt });
        return !failing.includes('sandbox');
      case 'startContainer':
        return this.#start(step);
      case 'resize':
        return true;
    }
  }

  #start({ container }: Extract<SyncStep, { readonly do: 'startContainer' }>): boolean {
    const { pod, runtime, failing } = this.#case;
    const name = container.name ?? '';
    const delay = checkRestartBackOff(pod, container, { ...runtime }, this.#backOff);
    if (!delay) this.calls.push({ do: 'start', id: name });
    const isStarted = !delay && !failing.includes(name);
    if (!isStarted) this.failed.push(name);
    return isStarted;
  }

  #stop(id: string, gracePeriod: number): void {
    this.calls.push({ do: 'stop', id: rawID(id), gracePeriod });
  }
}

/** The ID of a container without the name of the runtime. */
const rawID = (id: string): string => id.replace(/^.*:\/\//, '');
