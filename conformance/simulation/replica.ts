import type { ControllerName } from '@kube-endpoints/controllers/internal';
import type { ApiObject, ClientPort, SteadyClock } from 'kube-endpoints/port';
import { profileFor } from 'kube-endpoints/versions';
import { createControllers } from '../../packages/controllers/src/controllers/index.ts';
import type { ContentCheck } from './checks/content.ts';
import { createMonitor, type EndpointsMonitor } from './checks/monitor.ts';
import type { SimulationContext } from './harness/context.ts';
import { type Process, startProcess } from './harness/replica/process.ts';
import { createReplica as createHarnessReplica, type Machine, type Replica } from './harness/replica/replica.ts';
import type { Settings } from './settings.ts';

/** Options that all replicas share. */
export interface ReplicaOptions {
  readonly context: SimulationContext<Settings>;
  readonly content: ContentCheck;
  /** Called when a write is committed whose sender was killed or has lost ownership. */
  readonly onAbandonedWrite: (object: ApiObject) => void;
  /** Injects a bug into the port that the controllers use. */
  readonly injectBug: (port: ClientPort) => ClientPort;
}

/** Creates one process with the controllers. */
export function createReplica({ context, content, onAbandonedWrite, injectBug }: ReplicaOptions, name: string): Replica {
  const { settings, counts } = context;
  return createHarnessReplica(context, name, {
    watch: (observedProcess) =>
      createMonitor({
        ...context,
        ...observedProcess,
        ...{ content, onAbandonedWrite },
        mirroring: settings,
        tracksEndpoints: profileFor(settings.version).staleObjectsRetried,
        isResponsibleFor: (key) => observedProcess.lifecycle.state !== 'killed' && observedProcess.ownership().owns(key),
        onWrite() {
          counts.actionCount += 1;
          counts.changeCount += 1;
        },
      }),
    start: (machine) => startControllers(settings, { ...machine, port: injectBug(machine.port) }),
  });
}

/** The settings of the controllers themselves. */
export interface ControllerSettings
  extends Pick<
    Settings,
    'mode' | 'version' | 'workers' | 'maxEndpointsPerSlice' | 'maxEndpointsPerSubset' | 'batchPeriod' | 'minIndexedPods'
  > {
  /** The controllers to run; all by default. */
  readonly controllers?: readonly ControllerName[];
}

/** The environment of the controllers. */
export interface ControllerMachine extends Pick<Machine<EndpointsMonitor>, 'name' | 'port' | 'processRandom' | 'monitor'> {
  readonly clock: SteadyClock;
}

/** Starts a process with the controllers, and leader election or sharding. */
export function startControllers(
  settings: ControllerSettings,
  { name, port, clock, processRandom: random, monitor }: ControllerMachine,
): Process {
  const { mode, version, controllers, workers, maxEndpointsPerSlice, maxEndpointsPerSubset, batchPeriod, minIndexedPods } = settings;
  const commonOptions = { port, clock, random, onEvent: monitor.onEvent };
  return startProcess({ ...commonOptions, name, mode, lock: 'endpoints' }, (ownership) => {
    ownership.onChange(monitor.onOwnershipChange);
    return createControllers({
      ...{ ...commonOptions, ownership, workers, maxEndpointsPerSlice, batchPeriod, minIndexedPods },
      mirroring: { workers, maxEndpointsPerSubset, batchPeriod },
      ...(version !== undefined && { version }),
      ...(controllers && { controllers }),
    });
  });
}
