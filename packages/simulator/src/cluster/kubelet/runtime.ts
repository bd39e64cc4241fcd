import type { ContainerStatus } from 'kube-endpoints/types';
import type { Application, ApplicationHost, StartApplication } from '../../engine/application.ts';
import type { Clock } from '../../engine/clock.ts';
import type { ContainerRef, ProbeKind } from '../../engine/timeline.ts';
import { hashContainer, type KubeletContainer, type KubeletPod, type RuntimeContainer, type RuntimeStatus } from '../../kubelet/index.ts';
import { parseTime } from '../../workloads/time.ts';

/** A container as the runtime reports it, with what the kubelet's status needs. */
export interface SimulatedContainer extends RuntimeContainer {
  readonly image: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly restartCount: number;
}

export interface RuntimeSnapshot extends RuntimeStatus {
  readonly containers: readonly SimulatedContainer[];
}

/** The containers of one pod. */
export interface PodRuntime {
  /** Continues with the containers of a status: those that run and those that have ended. */
  adopt(pod: KubeletPod): void;
  /** What the runtime would report now. */
  snapshot(): RuntimeSnapshot;
  createSandbox(attempt: number): void;
  stopSandboxes(): void;
  start(container: KubeletContainer, restartCount: number): void;
  remove(id: string): void;
  /** Delivers SIGTERM. */
  terminate(id: string): void;
  /** Delivers SIGKILL. */
  kill(id: string): void;
  /** Calls back when a container has ended; at once if it does not run. */
  whenEnded(id: string, onEnd: () => void): void;
  /** Whether a container answers a probe now. */
  answers(id: string, probe: ProbeKind): boolean;
}

export interface PodRuntimeOptions {
  readonly clock: Clock;
  readonly startApplication: StartApplication;
  readonly ref: Pick<ContainerRef, 'pod' | 'podUid' | 'node'>;
  readonly hostNetwork: boolean;
  /** What the end of a container means. */
  roleOf(container: string): ApplicationHost['role'];
  createID(): string;
  allocateIP(): string;
  reserveIP(ip: string): void;
  releaseIP(ip: string): void;
  /** A container started or ended. */
  onChange(): void;
}

interface Process {
  container: SimulatedContainer;
  application?: Application;
  readonly waiting: (() => void)[];
}

interface RuntimeState {
  /** The newest first. */
  processes: readonly Process[];
  sandbox: RuntimeStatus['sandboxes'][number] | undefined;
}

export function createPodRuntime(options: PodRuntimeOptions): PodRuntime {
  const state: RuntimeState = { processes: [], sandbox: undefined };
  const find = (id: string): Process | undefined => state.processes.find(({ container }) => container.id === id);
  const findRunning = (id: string): Process | undefined => {
    const process = find(id);
    return process?.container.state === 'running' ? process : undefined;
  };
  return {
    snapshot: () => ({
      sandboxes: state.sandbox ? [state.sandbox] : [],
      containers: state.processes.map(({ container }) => container),
    }),
    adopt: (pod) => adopt(options, state, pod),
    createSandbox(attempt) {
      const network = options.hostNetwork ? { hostNetwork: true } : { ip: options.allocateIP() };
      state.sandbox = { id: options.createID(), attempt, ready: true, ...network };
    },
    stopSandboxes() {
      if (!state.sandbox?.ready) return;
      if (state.sandbox.ip) options.releaseIP(state.sandbox.ip);
      state.sandbox = { ...state.sandbox, ready: false };
    },
    start: (container, restartCount) => start(options, state, container, restartCount),
    remove(id) {
      state.processes = state.processes.filter(({ container }) => container.id !== id);
    },
    terminate(id) {
      const process = findRunning(id);
      if (process) record(options, process, 'SIGTERM', () => process.application?.terminate());
    },
    kill(id) {
      const process = findRunning(id);
      if (!process) return;
      record(options, process, 'SIGKILL', () => {
        process.application?.kill();
        end(options, process, 137);
      });
    },
    whenEnded(id, onEnd) {
      const process = findRunning(id);
      if (process) process.waiting.push(onEnd);
      else onEnd();
    },
    answers: (id, probe) => findRunning(id)?.application?.answers(probe) ?? false,
  };
}

function record(
  { clock, ref }: PodRuntimeOptions,
  { container }: Process,
  what: 'started' | 'SIGTERM' | 'SIGKILL' | 'exited',
  react: () => void,
): void {
  clock.record({ type: 'container', what, ...ref, container: container.name }, react);
}

/** Starts a container. Of earlier ones of its name, only the last is kept. */
function start(options: PodRuntimeOptions, state: RuntimeState, spec: KubeletContainer, restartCount: number): void {
  const { clock, ref, startApplication, onChange } = options;
  const [name, image] = [spec.name ?? '', spec.image ?? ''];
  const id = `containerd://${options.createID()}`;
  const container = { id, name, image, state: 'running', hash: hashContainer(spec), startedAt: clock.now(), restartCount } as const;
  const process: Process = { container, waiting: [] };
  const former = state.processes.filter(({ container: each }) => each.name !== name || each.restartCount === restartCount - 1);
  state.processes = [process, ...former];
  record(options, process, 'started', () => {
    const onExit = (exitCode: number): void => end(options, process, exitCode);
    process.application = startApplication({ ...ref, container: name, image }, { onExit, role: options.roleOf(name) });
    onChange();
  });
}

/** The containers of a status are those of the spec: a status without an ID has no container yet. The sandbox of a pod that has ended is stopped. */
function adopt(options: PodRuntimeOptions, state: RuntimeState, { spec, status }: KubeletPod): void {
  const { ref, startApplication, hostNetwork, createID, allocateIP, reserveIP } = options;
  const containers = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
  const statuses = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  for (const each of statuses) {
    const container = containers.find(({ name }) => name === each.name);
    const process = container && toProcess(container, each);
    if (!process) continue;
    state.processes = [...state.processes, process];
    if (process.container.state !== 'running') continue;
    const { name, image } = process.container;
    const onExit = (exitCode: number): void => end(options, process, exitCode);
    process.application = startApplication({ ...ref, container: name, image }, { onExit, isRunning: true, role: options.roleOf(name) });
  }
  const ip = status?.podIP;
  if (state.processes.length === 0) return;
  const ready = status?.phase !== 'Succeeded' && status?.phase !== 'Failed';
  if (ip && ready && !hostNetwork) reserveIP(ip);
  state.sandbox = { id: createID(), attempt: 0, ready, ...(hostNetwork ? { hostNetwork } : { ip: ip ?? allocateIP() }) };
}

function toProcess(spec: KubeletContainer, status: ContainerStatus): Process | undefined {
  const { containerID, restartCount, state } = status;
  const { running, terminated } = (state ?? {}) as RecordedState;
  if (!containerID || (!running && !terminated)) return undefined;
  const { image = '' } = status as { readonly image?: string };
  const common = {
    id: containerID,
    name: spec.name ?? '',
    image,
    hash: hashContainer({ ...spec, image }),
    restartCount: restartCount ?? 0,
  };
  if (running) return { container: { ...common, state: 'running', startedAt: parseTime(running.startedAt) ?? 0 }, waiting: [] };
  const { startedAt, finishedAt, exitCode = 0, reason = '' } = terminated ?? {};
  const endedAt = parseTime(finishedAt) ?? 0;
  const times = { startedAt: parseTime(startedAt) ?? endedAt, endedAt, finishedAt: new Date(endedAt).toISOString() };
  return { container: { ...common, state: 'exited', exitCode, reason, ...times }, waiting: [] };
}

/** A container's state as the API encodes it. */
interface RecordedState {
  readonly running?: { readonly startedAt?: string };
  readonly terminated?: {
    readonly startedAt?: string;
    readonly finishedAt?: string;
    readonly exitCode?: number;
    readonly reason?: string;
  };
}

function end(options: PodRuntimeOptions, process: Process, exitCode: number): void {
  if (process.container.state === 'exited') return;
  const endedAt = options.clock.now();
  const reason = exitCode === 0 ? 'Completed' : 'Error';
  process.container = { ...process.container, state: 'exited', exitCode, reason, endedAt, finishedAt: new Date(endedAt).toISOString() };
  record(options, process, 'exited', () => {
    options.onChange();
    for (const callback of process.waiting.splice(0)) callback();
  });
}
