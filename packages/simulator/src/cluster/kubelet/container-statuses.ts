import type { ContainerState } from 'kube-endpoints/internal';
import type { ContainerStatus, PodStatus } from 'kube-endpoints/types';
import { type KubeletContainer, type KubeletPod, shouldContainerBeRestarted } from '../../kubelet/index.ts';
import { formatTime } from '../../workloads/time.ts';
import type { RuntimeSnapshot, SimulatedContainer } from './runtime.ts';

/** Why a container could not be started: the reason and message of its waiting state, by name of the container. */
export type StartFailures = ReadonlyMap<string, { readonly reason: string; readonly message: string }>;

/**
 * The statuses of a pod's containers, before the results of probes are applied. Mirrors `convertToAPIContainerStatuses` (1.36,
 * pkg/kubelet/kubelet_pods.go), except for containers that the runtime has lost.
 */
export function createContainerStatuses(
  pod: KubeletPod,
  runtime: RuntimeSnapshot,
  failures: StartFailures,
  previous: PodStatus,
): Pick<PodStatus, 'containerStatuses' | 'initContainerStatuses'> {
  const { containers, initContainers } = pod.spec ?? {};
  const hasInitContainers = (initContainers?.length ?? 0) > 0;
  const waiting = { reason: hasInitContainers ? 'PodInitializing' : 'ContainerCreating' };
  const convert = (container: KubeletContainer, statuses: PodStatus['containerStatuses']): ContainerStatus => {
    const former = statuses?.find(({ name }) => name === container.name);
    const isRestarted = shouldContainerBeRestarted(container, pod, runtime);
    return toStatus(container, runtime, former, waiting, isRestarted ? failures.get(container.name ?? '') : undefined);
  };
  return {
    containerStatuses: (containers ?? []).map((each) => convert(each, previous.containerStatuses)),
    ...(hasInitContainers && {
      initContainerStatuses: (initContainers ?? []).map((each) => convert(each, previous.initContainerStatuses)),
    }),
  };
}

function toStatus(
  { name, image }: KubeletContainer,
  { containers }: RuntimeSnapshot,
  previous: ContainerStatus | undefined,
  waiting: { readonly reason: string },
  failure: { readonly reason: string; readonly message: string } | undefined,
): ContainerStatus {
  const [newest, former] = containers.filter((each) => each.name === name);
  const state: ContainerState = newest ? stateOf(newest) : { waiting };
  const lastState: ContainerState = former ? stateOf(former) : {};
  const fields = {
    name,
    image: newest?.image ?? image ?? '',
    imageID: newest ? newest.image : '',
    ready: false,
    restartCount: newest?.restartCount ?? previous?.restartCount ?? 0,
    ...(newest && { containerID: newest.id }),
    ...(state.running && previous?.started !== undefined && { started: previous.started }),
  };
  if (!failure) return { ...fields, state, lastState };
  return { ...fields, state: { waiting: failure }, lastState: state.terminated ? state : lastState };
}

function stateOf({ id, state, startedAt, endedAt = startedAt, exitCode, reason }: SimulatedContainer): ContainerState {
  if (state === 'running') return { running: { startedAt: formatTime(startedAt) } };
  const times = { startedAt: formatTime(startedAt), finishedAt: formatTime(endedAt) };
  return { terminated: { exitCode: exitCode ?? 0, ...(reason && { reason }), ...times, containerID: id } as ContainerState['terminated'] };
}
