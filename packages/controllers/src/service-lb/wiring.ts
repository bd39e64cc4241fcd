import { type BalancedService, hasCleanupFinalizer } from 'kube-endpoints/load-balancer';
import type { CacheListener } from '../cache/index.ts';
import type { Assembly } from './assembly.ts';
import type { KnownService } from './caches.ts';
import { isOver } from './over.ts';
import { hasStatus } from './precedence.ts';
import { isClaimed, weigh } from './weigh.ts';

/** Leads what happens in the caches to the queue and to the looks at the nodes. What is there at first is left to who adopts it. */
export function connect(assembly: Assembly): () => void {
  const { caches, looks } = assembly;
  let filling = true;
  const onService = serviceListener(assembly);
  const stops = [
    caches.services.listen((event, key) => {
      if (!filling) onService(event, key);
    }),
    caches.nodes.listen((event) => {
      if (!filling) looks.take(event);
    }),
  ];
  filling = false;
  return () => {
    for (const stop of stops) stop();
  };
}

function serviceListener({ setup, syncs, performer }: Assembly): CacheListener<KnownService> {
  const { planner, ownership } = setup;
  return ({ type, object, old }, key) => {
    if (!ownership.owns(key)) return;
    if (type === 'deleted') {
      // Kubernetes' controller leaves it at the clean-up before; but somebody else may have taken the finalizer away.
      if (!object.partial || syncs.isHeld(key)) syncs.enqueue(key);
      return;
    }
    const { due, events } = weigh(planner, old, object);
    for (const event of events) performer.record(key, event);
    if (isOver(object) && hasStatus(object)) syncs.confirm(key);
    else if (due || (old && isUndone(old, object) && isClaimed(planner, object))) syncs.enqueue(key);
  };
}

/** Somebody else has taken away what a sync wrote. Beyond Kubernetes' controller, which does not look at either. */
const isUndone = (old: BalancedService, service: BalancedService): boolean =>
  (hasCleanupFinalizer(old) && !hasCleanupFinalizer(service)) || (hasStatus(old) && !hasStatus(service));
