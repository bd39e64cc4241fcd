import { isSidecar } from 'kube-endpoints/internal';
import type { Clock } from '../../engine/clock.ts';
import type { ContainerRef } from '../../engine/timeline.ts';
import { type KillReason, type KubeletPod, killContainer, type RuntimeContainer, sleepSecondsOf } from '../../kubelet/index.ts';
import type { PodRuntime } from './runtime.ts';

export interface KillContext {
  readonly clock: Clock;
  /** For example "kubelet/n1". */
  readonly actor: string;
  readonly runtime: PodRuntime;
  readonly ref: Pick<ContainerRef, 'pod' | 'podUid' | 'node'>;
  readonly pod: KubeletPod;
  readonly gracePeriodOverride?: number | undefined;
  /** Emits the Event "Killing". */
  onKilling(message: string): void;
}

export interface KillTarget extends Pick<RuntimeContainer, 'id' | 'name'> {
  readonly reason?: KillReason;
  readonly message?: string;
  /** Calls back when the containers that this one waits for have ended; without it, the container waits for none. */
  readonly onTurn?: (turn: () => void) => void;
}

/**
 * Kills a container as `killContainer` plans it: its preStop hook, its turn, SIGTERM, and SIGKILL at the end of the grace period. Calls back when it
 * has ended.
 */
export function runKill(context: KillContext, { id, name, reason = 'Unknown', message, onTurn }: KillTarget, onEnd: () => void): void {
  const { clock, runtime, pod, gracePeriodOverride } = context;
  const at = clock.now();
  const behaviour = { hook: drawHook(context, name) };
  const override = gracePeriodOverride === undefined ? {} : { gracePeriodOverride };
  const options = { pod, id, name, at, reason, ...override, behaviour, ...(message && { message }) };
  const plan = (turn: number): ReturnType<typeof killContainer> => killContainer({ ...options, turn });
  const first = plan(onTurn ? Number.POSITIVE_INFINITY : at);
  if (!first) {
    onEnd();
    return;
  }
  context.onKilling(first.message);
  if (first.hook) recordHook(context, name, Math.min(first.hook.until, first.stop.at));
  let isStopping = false;
  const stopAt = (stop: { readonly at: number; readonly gracePeriod: number }): void =>
    void clock.at(stop.at, () => {
      if (isStopping) return;
      isStopping = true;
      runtime.terminate(id);
      const deadline = clock.at(clock.now() + stop.gracePeriod * 1000, () => runtime.kill(id));
      runtime.whenEnded(id, () => {
        deadline.cancel();
        onEnd();
      });
    });
  stopAt(first.stop);
  onTurn?.(() => stopAt((plan(clock.now()) as typeof first).stop));
}

/** Kills all running containers of a pod: sidecars after the regular containers, in reverse order. Mirrors `terminationOrdering` (1.36). */
export function runKillPod(context: KillContext, onEnd: () => void): void {
  const { runtime, pod } = context;
  const running = runtime.snapshot().containers.filter(({ state }) => state === 'running');
  const sidecars = (pod.spec?.initContainers ?? []).filter(isSidecar).map(({ name }) => name);
  const main = running.filter(({ name }) => !sidecars.includes(name));
  const ordered = [...sidecars].reverse().flatMap((name) => running.filter((container) => container.name === name));
  let remaining = running.length;
  if (remaining === 0) {
    onEnd();
    return;
  }
  const turns: (() => void)[] = [];
  const ended = new Set<string>();
  const advance = (): void => {
    if (!main.every(({ id }) => ended.has(id))) return;
    const next = ordered.findIndex(({ id }) => !ended.has(id));
    if (next >= 0) turns[next]?.();
  };
  const kill = ({ id, name }: RuntimeContainer, onTurn?: KillTarget['onTurn']): void =>
    runKill(context, { id, name, ...(onTurn && { onTurn }) }, () => {
      ended.add(id);
      remaining -= 1;
      if (remaining === 0) onEnd();
      else advance();
    });
  for (const container of main) kill(container);
  for (const [index, container] of ordered.entries())
    kill(container, (turn) => {
      turns[index] = turn;
    });
  advance();
}

/** How long the preStop hook of a container runs, in milliseconds, unless it has the action `sleep`. */
function drawHook({ clock, actor, pod }: KillContext, name: string): number {
  const containers = [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])];
  const preStop = containers.find((each) => each.name === name)?.lifecycle?.preStop;
  if (!preStop?.exec && !preStop?.httpGet) return 0;
  return (sleepSecondsOf(preStop) ?? 0) * 1000 + clock.draw({ name: 'preStopHook', actor });
}

function recordHook({ clock, ref }: KillContext, container: string, until: number): void {
  clock.record({ type: 'preStop', what: 'started', ...ref, container }, () =>
    clock.at(until, () => clock.record({ type: 'preStop', what: 'ended', ...ref, container })),
  );
}
