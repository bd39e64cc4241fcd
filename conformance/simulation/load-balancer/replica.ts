import type { BalancerPort, CloudPort } from 'kube-endpoints/load-balancer';
import { createServiceLoadBalancer } from '../../../packages/controllers/src/service-lb/index.ts';
import type { SimulationContext } from '../harness/context.ts';
import { type Process, startProcess } from '../harness/replica/process.ts';
import { createReplica as createHarnessReplica, type Replica as HarnessReplica, type Machine } from '../harness/replica/replica.ts';
import type { DesiredState } from './checks/desired-state.ts';
import { type BalancerMonitor, createMonitor } from './checks/monitor.ts';
import { type CloudConnectionState, createCloudConnectionState } from './cloud/connection-state.ts';
import { type CloudLink, createCloudLink } from './cloud/link.ts';
import type { Settings } from './settings.ts';

/** One process with the controller and its own network to the cloud. */
export interface Replica extends HarnessReplica {
  readonly cloud: Pick<CloudConnectionState, 'block' | 'scheduleCrashOnCall'>;
}

/** Options that all replicas share. */
export interface ReplicaOptions {
  readonly context: SimulationContext<Settings>;
  readonly cloud: Required<BalancerPort>;
  readonly desired: DesiredState;
  readonly uidsWithFinalizer: Set<string>;
  readonly countAction: (action: string) => void;
}

export function createReplica(options: ReplicaOptions, name: string): Replica {
  const { context } = options;
  const { settings } = context;
  const connectionState = createCloudConnectionState(context.scheduler, settings.cloud);
  let link: CloudLink | undefined;
  const replica = createHarnessReplica<BalancerMonitor>(context, name, {
    watch: (observedProcess) =>
      createMonitor({ ...options, ...context, ...observedProcess, crashOnCall: () => connectionState.crashOnCall(observedProcess.kill) }),
    start(machine) {
      link = connectCloud(options, machine, connectionState);
      return start(settings, machine, { name: 'simulated', balancers: link.balancers });
    },
    onHalt: () => link?.endOpenCalls(),
    onFaultsEnd: connectionState.endFaults,
  });
  // Extends the object itself, because a copy would not have its getters.
  return Object.assign(replica, { cloud: connectionState });
}

function connectCloud(
  { context: { scheduler, settings }, cloud }: ReplicaOptions,
  { random, lifecycle, monitor, kill }: Machine<BalancerMonitor>,
  connectionState: CloudConnectionState,
): CloudLink {
  return createCloudLink({
    ...{ scheduler, random, lifecycle, cloud, kill },
    faultRates: () => connectionState.faultRates,
    blockedUntil: () => connectionState.blockedUntil,
    canList: settings.canList,
    hasPromptCalls: settings.hasPromptCalls,
    maxOrphanedCallMs: settings.cloudTimeout,
    monitor: monitor.cloud,
  });
}

/** Starts the process: the controller, and leader election or sharding. */
function start(
  settings: Settings,
  { name, port, clock, processRandom: random, monitor }: Machine<BalancerMonitor>,
  cloud: CloudPort,
): Process {
  const { mode, version, workers, cloudTimeout, orphanSweep } = settings;
  const commonOptions = { port, clock, random, onEvent: monitor.onEvent };
  return startProcess({ ...commonOptions, name, mode, lock: 'service-lb' }, (ownership) =>
    createServiceLoadBalancer({
      ...{ ...commonOptions, cloud, ownership, workers, cloudTimeout, orphanSweep },
      ...(version !== undefined && { version }),
    }),
  );
}
