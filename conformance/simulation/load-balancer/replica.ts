import type { BalancerPort, CloudPort } from 'kube-endpoints/load-balancer';
import { createServiceLoadBalancer } from '../../../packages/controllers/src/service-lb/index.ts';
import { type Process, startProcess } from '../harness/replica/process.ts';
import { type Replica as Any, createReplica as createAny, type Machine } from '../harness/replica/replica.ts';
import type { Stage } from '../harness/stage.ts';
import type { DesiredState } from './checks/desired-state.ts';
import { type BalancerWitness, createWitness } from './checks/witness.ts';
import { type CloudFortunes, createCloudFortunes } from './cloud/fortunes.ts';
import { type CloudLink, createCloudLink } from './cloud/link.ts';
import type { Setting } from './setting.ts';

/** One process with the controller and its own network to the cloud. */
export interface Replica extends Any {
  readonly cloud: Pick<CloudFortunes, 'block' | 'dieAtCall'>;
}

/** The parts that all processes share. */
export interface ReplicaParts {
  readonly stage: Stage<Setting>;
  readonly cloud: Required<BalancerPort>;
  readonly desired: DesiredState;
  readonly secured: Set<string>;
  readonly acted: (what: string) => void;
}

export function createReplica(parts: ReplicaParts, name: string): Replica {
  const { stage } = parts;
  const { setting } = stage;
  const fortunes = createCloudFortunes(stage.scheduler, setting.cloud);
  let link: CloudLink | undefined;
  const replica = createAny<BalancerWitness>(stage, name, {
    watch: (suspect) => createWitness({ ...parts, ...stage, ...suspect, diesOfCall: () => fortunes.diesOfCall(suspect.kill) }),
    start(machine) {
      link = linkOf(parts, machine, fortunes);
      return start(setting, machine, { name: 'simulated', balancers: link.balancers });
    },
    halts: () => link?.loosen(),
    calms: fortunes.calm,
  });
  // a copy would lose the getters that hold its state
  return Object.assign(replica, { cloud: fortunes });
}

function linkOf(
  { stage: { scheduler, setting }, cloud }: ReplicaParts,
  { random, life, witness, kill }: Machine<BalancerWitness>,
  fortunes: CloudFortunes,
): CloudLink {
  return createCloudLink({
    ...{ scheduler, random, life, cloud, kill },
    weather: () => fortunes.weather,
    blockedUntil: () => fortunes.blockedUntil,
    lists: setting.lists,
    isPrompt: setting.isPrompt,
    horizon: setting.cloudTimeout,
    witness: witness.cloud,
  });
}

/** The process of a host: the controller, and the ownership of Services. */
function start(setting: Setting, { name, port, clock, chance: random, witness }: Machine<BalancerWitness>, cloud: CloudPort): Process {
  const { mode, version, workers, cloudTimeout, orphanSweep } = setting;
  const common = { port, clock, random, onEvent: witness.hears };
  return startProcess({ ...common, name, mode, lock: 'service-lb' }, (ownership) =>
    createServiceLoadBalancer({
      ...{ ...common, cloud, ownership, workers, cloudTimeout, orphanSweep },
      ...(version !== undefined && { version }),
    }),
  );
}
