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
  /** The reason why the Ready condition is False; unset if it is True or absent. */
  readonly notReadyReason?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly restarts?: number;
  /** Creates the state of the container. */
  readonly containerState?: (since: string) => Record<string, unknown>;
  readonly hasNoAddress?: boolean;
  readonly isUnbound?: boolean;
}

const running = (since: string): Record<string, unknown> => ({ running: { startedAt: since } });
const waiting = (reason: string, message?: string) => (): Record<string, unknown> => ({
  waiting: { reason, ...(message === undefined ? {} : { message }) },
});
const terminated =
  (reason: string, exitCode: number) =>
  (since: string): Record<string, unknown> => ({ terminated: { reason, exitCode, startedAt: since, finishedAt: since } });

const STATUS_TEMPLATES: Readonly<Record<PodState, StatusTemplate>> = {
  ready: { phase: 'Running', containerState: running },
  terminating: { phase: 'Running', containerState: running },
  starting: { phase: 'Running', notReadyReason: 'ContainersNotReady', containerState: running },
  crashing: {
    phase: 'Running',
    notReadyReason: 'ContainersNotReady',
    restarts: 17,
    containerState: waiting('CrashLoopBackOff', 'back-off 5m0s restarting failed container'),
  },
  evicted: { phase: 'Failed', notReadyReason: 'PodFailed', reason: 'Evicted', message: 'The node was low on resource: memory.' },
  failed: { phase: 'Failed', notReadyReason: 'PodFailed', containerState: terminated('Error', 1) },
  completed: { phase: 'Succeeded', notReadyReason: 'PodCompleted', containerState: terminated('Completed', 0) },
  creating: { phase: 'Pending', notReadyReason: 'ContainersNotReady', containerState: waiting('ContainerCreating'), hasNoAddress: true },
  unschedulable: { phase: 'Pending', hasNoAddress: true, isUnbound: true },
};

/** Whether a pod in that state has a node. */
export function isBound(state: PodState): boolean {
  return STATUS_TEMPLATES[state].isUnbound !== true;
}

export function createPodStatus(options: PodStatusOptions): Record<string, unknown> {
  const { state, since, hostIPs, podIPs, isMinimal } = options;
  const template = STATUS_TEMPLATES[state];
  if (template.isUnbound) return createUnboundStatus(since);
  const addresses = template.hasNoAddress ? {} : { podIP: podIPs[0], podIPs: podIPs.map((ip) => ({ ip })) };
  return {
    phase: template.phase,
    ...(template.reason === undefined ? {} : { reason: template.reason, message: template.message }),
    ...(isMinimal ? {} : { hostIP: hostIPs[0], hostIPs: hostIPs.map((ip) => ({ ip })) }),
    ...addresses,
    ...(isMinimal ? {} : { startTime: since }),
    conditions: createConditions(template, since, isMinimal),
    ...(isMinimal || template.containerState === undefined ? {} : { containerStatuses: [createContainerStatus(template, options)] }),
  };
}

function createUnboundStatus(since: string): Record<string, unknown> {
  const message = '0/36 nodes are available: 36 Insufficient cpu.';
  return {
    phase: 'Pending',
    conditions: [{ type: 'PodScheduled', status: 'False', lastTransitionTime: since, reason: 'Unschedulable', message }],
  };
}

function createConditions(template: StatusTemplate, since: string, isMinimal: boolean): Record<string, unknown>[] {
  const ready = template.notReadyReason === undefined ? { status: 'True' } : { status: 'False', reason: template.notReadyReason };
  const allConditions = [
    { type: 'Initialized', status: 'True', lastTransitionTime: since },
    { type: 'Ready', lastTransitionTime: since, ...ready },
    { type: 'ContainersReady', lastTransitionTime: since, ...ready },
    { type: 'PodScheduled', status: 'True', lastTransitionTime: since },
  ];
  return isMinimal ? allConditions.filter(({ type }) => type === 'Ready') : allConditions;
}

function createContainerStatus(template: StatusTemplate, { container, image, since }: PodStatusOptions): Record<string, unknown> {
  return {
    name: container,
    image,
    imageID: '',
    ready: template.notReadyReason === undefined,
    restartCount: template.restarts ?? 0,
    state: template.containerState?.(since),
  };
}
