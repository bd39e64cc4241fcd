import type { Container, ContainerState, ContainerStatus, Pod, PodStatus } from '../../src/types/index.ts';

/** A pod "shop/web" with one container "app"; the given fields replace those of its spec. */
export const makePod = (spec: Pod['spec'] = {}, status: PodStatus = {}, metadata: Pod['metadata'] = {}): Pod => ({
  metadata: { name: 'web', namespace: 'shop', uid: 'u1', ...metadata },
  spec: { containers: [{ name: 'app' }], restartPolicy: 'Always', ...spec },
  status,
});

export const runningState = (startedAt = '2026-01-01T00:00:00Z'): ContainerState => ({ running: { startedAt } });
export const waitingState = (reason = 'ContainerCreating'): ContainerState => ({ waiting: { reason } });
export const terminatedState = (exitCode = 0, reason: string = exitCode === 0 ? 'Completed' : 'Error'): ContainerState => ({
  terminated: { exitCode, reason },
});

/** The status of a container; a running container is started and ready by default. */
export const statusOf = (name: string, state: ContainerState, more: Partial<ContainerStatus> = {}): ContainerStatus => ({
  name,
  containerID: `containerd://${name}`,
  state,
  ready: !!state.running,
  started: !!state.running,
  ...more,
});

export const sidecar = (name: string): Container => ({ name, restartPolicy: 'Always' });
