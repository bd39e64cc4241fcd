import type { Container, ContainerState, ContainerStatus, Pod, PodStatus } from '../../src/types/index.ts';

/** A pod "shop/web" of one container "app"; what is given replaces the fields of its spec. */
export const makePod = (spec: Pod['spec'] = {}, status: PodStatus = {}, metadata: Pod['metadata'] = {}): Pod => ({
  metadata: { name: 'web', namespace: 'shop', uid: 'u1', ...metadata },
  spec: { containers: [{ name: 'app' }], restartPolicy: 'Always', ...spec },
  status,
});

export const running = (startedAt = '2026-01-01T00:00:00Z'): ContainerState => ({ running: { startedAt } });
export const waiting = (reason = 'ContainerCreating'): ContainerState => ({ waiting: { reason } });
export const ended = (exitCode = 0, reason: string = exitCode === 0 ? 'Completed' : 'Error'): ContainerState => ({
  terminated: { exitCode, reason },
});

/** The status of a container; one that runs is started and ready where nothing else is said. */
export const statusOf = (name: string, state: ContainerState, more: Partial<ContainerStatus> = {}): ContainerStatus => ({
  name,
  containerID: `containerd://${name}`,
  state,
  ready: !!state.running,
  started: !!state.running,
  ...more,
});

export const sidecar = (name: string): Container => ({ name, restartPolicy: 'Always' });
