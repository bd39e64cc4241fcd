import type { ApiObject, ClientPort } from 'kube-endpoints/port';
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
    start: (machine) => start(settings, { ...machine, port: injectBug(machine.port) }),
  });
}

/** Starts the process: the controllers, and leader election or sharding. */
function start(settings: Settings, { name, port, clock, processRandom: random, monitor }: Machine<EndpointsMonitor>): Process {
  const { mode, version, workers, maxEndpointsPerSlice, maxEndpointsPerSubset, batchPeriod, minIndexedPods } = settings;
  const commonOptions = { port, clock, random, onEvent: monitor.onEvent };
  return startProcess({ ...commonOptions, name, mode, lock: 'endpoints' }, (ownership) => {
    ownership.onChange(monitor.onOwnershipChange);
    return createControllers({
      ...{ ...commonOptions, ownership, workers, maxEndpointsPerSlice, batchPeriod, minIndexedPods },
      mirroring: { workers, maxEndpointsPerSubset, batchPeriod },
      ...(version !== undefined && { version }),
    });
  });
}
