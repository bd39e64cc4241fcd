import type { PodState } from './workloads/model.ts';

/** The parameters of a pod's status, as the kubelet or the scheduler writes it. */
export interface PodStatusOptions {
  readonly state: PodState;
  /** When the pod entered this state. */
  readonly since: string;
  readonly hostIPs: readonly string[];
  readonly podIPs: readonly string[];
  readonly container: string;
  readonly image: string;
  /** Writes only the fields that affect endpoints. */
  readonly isMinimal: boolean;
}

interface StatusTemplate {
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

const STATUS_TEMPLATES: Readonly<Record<PodState, StatusTemplate>> = {
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
  return STATUS_TEMPLATES[state].unbound !== true;
}

export function podStatus(options: PodStatusOptions): Record<string, unknown> {
  const { state, since, hostIPs, podIPs, isMinimal } = options;
  const template = STATUS_TEMPLATES[state];
  if (template.unbound) return unboundStatus(since);
  const addresses = template.noAddress ? {} : { podIP: podIPs[0], podIPs: podIPs.map((ip) => ({ ip })) };
  return {
    phase: template.phase,
    ...(template.reason === undefined ? {} : { reason: template.reason, message: template.message }),
    ...(isMinimal ? {} : { hostIP: hostIPs[0], hostIPs: hostIPs.map((ip) => ({ ip })) }),
    ...addresses,
    ...(isMinimal ? {} : { startTime: since }),
    conditions: conditions(template, since, isMinimal),
    ...(isMinimal || template.container === undefined ? {} : { containerStatuses: [containerStatus(template, options)] }),
  };
}

function unboundStatus(since: string): Record<string, unknown> {
  const message = '0/36 nodes are available: 36 Insufficient cpu.';
  return {
    phase: 'Pending',
    conditions: [{ type: 'PodScheduled', status: 'False', lastTransitionTime: since, reason: 'Unschedulable', message }],
  };
}

function conditions(template: StatusTemplate, since: string, isMinimal: boolean): Record<string, unknown>[] {
  const ready = template.notReady === undefined ? { status: 'True' } : { status: 'False', reason: template.notReady };
  const allConditions = [
    { type: 'Initialized', status: 'True', lastTransitionTime: since },
    { type: 'Ready', lastTransitionTime: since, ...ready },
    { type: 'ContainersReady', lastTransitionTime: since, ...ready },
    { type: 'PodScheduled', status: 'True', lastTransitionTime: since },
  ];
  return isMinimal ? allConditions.filter(({ type }) => type === 'Ready') : allConditions;
}

function containerStatus(template: StatusTemplate, { container, image, since }: PodStatusOptions): Record<string, unknown> {
  return {
    name: container,
    image,
    imageID: '',
    ready: template.notReady === undefined,
    restartCount: template.restarts ?? 0,
    state: template.container?.(since),
  };
}
