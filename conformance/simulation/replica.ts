import type { ApiObject, ClientPort } from 'kube-endpoints/port';
import { profileFor } from 'kube-endpoints/versions';
import { createControllers } from '../../packages/controllers/src/controllers/index.ts';
import type { Content } from './checks/content.ts';
import { createWitness, type EndpointsWitness } from './checks/witness.ts';
import { type Process, startProcess } from './harness/replica/process.ts';
import { createReplica as createAny, type Machine, type Replica } from './harness/replica/replica.ts';
import type { Stage } from './harness/stage.ts';
import type { Setting } from './setting.ts';

/** The parts that all processes share. */
export interface ReplicaParts {
  readonly stage: Stage<Setting>;
  readonly content: Content;
  /** A write has arrived whose sender is gone or has lost ownership. */
  readonly abandons: (object: ApiObject) => void;
  /** Manipulates the port, to prove that this is detected. */
  readonly spoil: (port: ClientPort) => ClientPort;
}

/** One process with the controllers. */
export function createReplica({ stage, content, abandons, spoil }: ReplicaParts, name: string): Replica {
  const { setting, counts } = stage;
  return createAny(stage, name, {
    watch: (suspect) =>
      createWitness({
        ...stage,
        ...suspect,
        ...{ content, abandons },
        tracksEndpoints: profileFor(setting.version).staleObjectsRetried,
        mayAnswerFor: (key) => suspect.life.state !== 'gone' && suspect.ownership().owns(key),
        wrote() {
          counts.acts += 1;
          counts.changes += 1;
        },
      }),
    start: (machine) => start(setting, { ...machine, port: spoil(machine.port) }),
  });
}

/** The process of a host: the controllers, and the ownership of Services. */
function start(setting: Setting, { name, port, clock, chance: random, witness }: Machine<EndpointsWitness>): Process {
  const { mode, version, workers, maxEndpointsPerSlice, batchPeriod, minIndexedPods } = setting;
  const common = { port, clock, random, onEvent: witness.hears };
  return startProcess({ ...common, name, mode, lock: 'endpoints' }, (ownership) => {
    ownership.onChange(witness.changesShare);
    return createControllers({
      ...{ ...common, ownership, workers, maxEndpointsPerSlice, batchPeriod, minIndexedPods },
      ...(version !== undefined && { version }),
    });
  });
}
