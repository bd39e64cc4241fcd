import type { CloudPort } from '../../../../src/load-balancer/index.ts';
import type { ClientPort, SteadyClock } from '../../../../src/port/index.ts';
import { createLeaderElection } from '../../../../src/runtime/election/index.ts';
import { type Ownership, ownsAll } from '../../../../src/runtime/election/ownership.ts';
import type { Tell } from '../../../../src/runtime/happening.ts';
import { createServiceLoadBalancer, type ServiceLoadBalancer } from '../../../../src/runtime/service-lb/index.ts';
import { createSharding } from '../../../../src/runtime/sharding/index.ts';
import type { Setting } from '../setting.ts';

/** What a host does: the controller, and what says which Services are its own. */
export interface Process {
  readonly controller: ServiceLoadBalancer;
  readonly ownership: Ownership;
  readonly end: Promise<unknown>;
  stop(): void;
}

export interface ProcessParts {
  readonly name: string;
  readonly setting: Setting;
  readonly port: ClientPort;
  readonly cloud: CloudPort;
  readonly clock: SteadyClock;
  readonly random: () => number;
  readonly tell: Tell;
}

export function startProcess(parts: ProcessParts): Process {
  const { setting, port, cloud, clock, random, tell } = parts;
  const { version, workers, cloudTimeout, orphanSweep } = setting;
  const abort = new AbortController();
  let drained: Promise<unknown> = Promise.resolve();
  const share = shareOf(parts, async () => void (await drained));
  const { ownership } = share;
  const controller = createServiceLoadBalancer({
    ...{ port, cloud, clock, random, ownership, tell, workers, cloudTimeout, orphanSweep },
    ...(version !== undefined && { version }),
  });
  drained = controller.run(abort.signal);
  return { controller, ownership, end: Promise.all([drained, share.run(abort.signal)]), stop: () => abort.abort() };
}

interface Share {
  readonly ownership: Ownership;
  run(signal: AbortSignal): Promise<unknown>;
}

function shareOf({ name: identity, setting, port, clock, random, tell }: ProcessParts, beforeRelease: () => Promise<void>): Share {
  const common = { port, clock, random, identity, tell, beforeRelease };
  if (setting.mode === 'elected') return createLeaderElection({ ...common, name: 'service-lb' });
  if (setting.mode === 'sharded') return createSharding({ ...common, namespace: 'kube-system', name: 'service-lb' });
  return { ownership: ownsAll, run: async () => undefined };
}
