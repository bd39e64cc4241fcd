import type { BalancedService } from 'kube-endpoints/load-balancer';
import { createEventRecorder, type EventRecorder } from '../events/index.ts';
import { type Caches, createCaches } from './caches.ts';
import { type Calls, createCalls } from './calls.ts';
import { createDoubts, type Doubts } from './doubts.ts';
import { createFormer, type Former } from './former.ts';
import { createLocks } from './locks.ts';
import { createLooks, type Looks } from './looks.ts';
import type { Setup } from './options.ts';
import { createOrphans, type Orphans } from './orphans.ts';
import { isOver } from './over.ts';
import { createPerformer, type Performer } from './perform.ts';
import { createRemovals, type Removals } from './removals.ts';
import { createSyncs, type Syncs } from './syncs.ts';
import { isClaimed } from './weigh.ts';

/** All parts of the controller. */
export interface Assembly {
  readonly setup: Setup;
  readonly caches: Caches;
  readonly calls: Calls;
  readonly performer: Performer;
  readonly syncs: Syncs;
  readonly looks: Looks;
  readonly doubts: Doubts;
  readonly removals: Removals;
  readonly orphans: Orphans;
  readonly former: Former;
  readonly recorder: EventRecorder | undefined;
}

/** @param defect is told of an error that nobody expects: everything is to end */
export function assemble(setup: Setup, defect: (error: unknown) => void): Assembly {
  const caches = createCaches(setup);
  const locks = createLocks();
  const services = caches.services.cache;
  const recorder = setup.dryRun ? undefined : createEventRecorder({ ...setup, component: 'service-controller' });
  const look = (key: string, service: BalancedService): void => {
    const known = services.get(key);
    const isSame = known && known.metadata?.uid === service.metadata?.uid;
    if (isSame && !isOver(known) && isClaimed(setup.planner, known)) syncs.confirm(key);
    else removals.add(key, service);
  };
  const doubts = createDoubts({ clock: setup.clock, horizon: setup.cloudTimeout, look });
  const calls = createCalls(setup, doubts.add);
  const performer = createPerformer({ setup, calls, recorder });
  const looks = createLooks({ setup, cache: caches.nodes.cache, locks, performer, enqueue: (key) => syncs.enqueue(key), defect });
  const syncs: Syncs = createSyncs({ setup, services, nodes: looks.nodes, calls, locks, performer });
  const removals = createRemovals({ setup, calls, locks, confirm: (key) => syncs.confirm(key) });
  const orphans = createOrphans({ setup, calls, services, syncs, removals, defect });
  const former = createFormer({ setup, services, calls, syncs });
  return { setup, caches, calls, performer, syncs, looks, doubts, removals, orphans, former, recorder };
}
