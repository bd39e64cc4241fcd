import type { PodState } from './workloads/model.ts';

/** A pod's status as written by the kubelet or the scheduler. */
export interface Situation {
  readonly state: PodState;
  /** When the pod entered this state. */
  readonly since: string;
  readonly hostIPs: readonly string[];
  readonly podIPs: readonly string[];
  readonly container: string;
  readonly image: string;
  /** Writes only the fields that affect endpoints. */
  readonly bare: boolean;
}

interface Look {
  readonly phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed';
  /** Reason of the Ready condition if it is False. */
  readonly notReady?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly restarts?: number;
  readonly container?: (since: string) => Record<string, unknown>;
  readonly noAddress?: boolean;
  readonly unbound?: boolean;
}

const running = (since: string): Record<string, unknown> => ({ running: { startedAt: since } });
const waiting = (reason: string, message?: string) => (): Record<string, unknown> => ({
  waiting: { reason, ...(message === undefined ? {} : { message }) },
});
const terminated =
  (reason: string, exitCode: number) =>
  (since: string): Record<string, unknown> => ({ terminated: { reason, exitCode, startedAt: since, finishedAt: since } });

const LOOKS: Readonly<Record<PodState, Look>> = {
  ready: { phase: 'Running', container: running },
  terminating: { phase: 'Running', container: running },
  starting: { phase: 'Running', notReady: 'ContainersNotReady', container: running },
  crashing: {
    phase: 'Running',
    notReady: 'ContainersNotReady',
    restarts: 17,
    container: waiting('CrashLoopBackOff', 'back-off 5m0s restarting failed container'),
  },
  evicted: { phase: 'Failed', notReady: 'PodFailed', reason: 'Evicted', message: 'The node was low on resource: memory.' },
  failed: { phase: 'Failed', notReady: 'PodFailed', container: terminated('Error', 1) },
  completed: { phase: 'Succeeded', notReady: 'PodCompleted', container: terminated('Completed', 0) },
  creating: { phase: 'Pending', notReady: 'ContainersNotReady', container: waiting('ContainerCreating'), noAddress: true },
  unschedulable: { phase: 'Pending', noAddress: true, unbound: true },
};

/** Whether a pod in that state has a node. */
export function isBound(state: PodState): boolean {
  return LOOKS[state].unbound !== true;
}

export function podStatus(situation: Situation): Record<string, unknown> {
  const { state, since, hostIPs, podIPs, bare } = situation;
  const look = LOOKS[state];
  if (look.unbound) return unboundStatus(since);
  const addressed = look.noAddress ? {} : { podIP: podIPs[0], podIPs: podIPs.map((ip) => ({ ip })) };
  return {
    phase: look.phase,
    ...(look.reason === undefined ? {} : { reason: look.reason, message: look.message }),
    ...(bare ? {} : { hostIP: hostIPs[0], hostIPs: hostIPs.map((ip) => ({ ip })) }),
    ...addressed,
    ...(bare ? {} : { startTime: since }),
    conditions: conditions(look, since, bare),
    ...(bare || look.container === undefined ? {} : { containerStatuses: [containerStatus(look, situation)] }),
  };
}

function unboundStatus(since: string): Record<string, unknown> {
  const message = '0/36 nodes are available: 36 Insufficient cpu.';
  return {
    phase: 'Pending',
    conditions: [{ type: 'PodScheduled', status: 'False', lastTransitionTime: since, reason: 'Unschedulable', message }],
  };
}

function conditions(look: Look, since: string, bare: boolean): Record<string, unknown>[] {
  const ready = look.notReady === undefined ? { status: 'True' } : { status: 'False', reason: look.notReady };
  const all = [
    { type: 'Initialized', status: 'True', lastTransitionTime: since },
    { type: 'Ready', lastTransitionTime: since, ...ready },
    { type: 'ContainersReady', lastTransitionTime: since, ...ready },
    { type: 'PodScheduled', status: 'True', lastTransitionTime: since },
  ];
  return bare ? all.filter(({ type }) => type === 'Ready') : all;
}

function containerStatus(look: Look, { container, image, since }: Situation): Record<string, unknown> {
  return {
    name: container,
    image,
    imageID: '',
    ready: look.notReady === undefined,
    restartCount: look.restarts ?? 0,
    state: look.container?.(since),
  };
}
