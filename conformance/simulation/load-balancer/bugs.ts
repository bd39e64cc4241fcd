import type { Replacement } from '../harness/hooks.ts';

/** Bugs that the simulation must detect, as source replacements. */
export const bugs: Readonly<Record<string, readonly Replacement[]>> = {
  // Creates the load balancer before the finalizer is added.
  'late-finalizer': [
    {
      file: 'src/load-balancer/sync.ts',
      text: "  yield createNormalEvent(service, 'EnsuringLoadBalancer', 'Ensuring load balancer');",
      newText: `  const early = chooseNodes(nodes, service.spec?.externalTrafficPolicy, settings);
  if (!hasCleanupFinalizer(service)) yield { do: 'ensure', service, nodes: early };`,
    },
  ],
  // Treats a recreated Service as the deleted one.
  'uid-ignored': [
    {
      file: 'src/load-balancer/plan.ts',
      text: '(!service || uidOf(knownService) !== uidOf(service))',
      newText: '(!service || uidOf(service) === "another")',
    },
    {
      file: 'packages/controllers/src/service-lb/orphans.ts',
      text: 'service?.metadata?.uid === reference.uid && !isReleased(service) ? service',
      newText: 'service && !isReleased(service) ? service',
    },
  ],
  // Patches a Service that was recreated with the same name.
  'foreign-uid': [
    {
      file: 'packages/controllers/src/service-lb/service-writer.ts',
      text: '...(uid && { uid }),',
      newText: '',
    },
  ],
  // Does not retry failed syncs.
  'lost-retry': [
    { file: 'packages/controllers/src/service-lb/syncs.ts', text: 'else queue.addRateLimited(key);', newText: 'else queue.forget(key);' },
  ],
  // Ignores changes of nodes.
  'forgotten-nodes': [
    { file: 'packages/controllers/src/service-lb/node-sync.ts', text: 'if (changed) loop.schedule(collectMs);', newText: '' },
  ],
  // Does not retry failed updates of nodes.
  'forgotten-failure': [
    {
      file: 'packages/controllers/src/service-lb/node-sync.ts',
      text: 'if (job.balancerLost || (retry && planner.failuresToQueue)) enqueue(key);',
      newText: '',
    },
  ],
  // Removes the finalizer although the deletion of the load balancer failed.
  'early-release': [
    {
      file: 'src/load-balancer/sync.ts',
      text: 'if (!isTolerated) throw createSyncError(step.delete, error, undefined);',
      newText: '',
    },
  ],
  // Never removes the finalizer.
  'kept-finalizer': [
    {
      file: 'src/load-balancer/sync.ts',
      text: 'if (settings.finalizerRemoved && hasCleanupFinalizer(service)) {',
      newText: 'if (settings.finalizerRemoved && hasCleanupFinalizer(service) && false) {',
    },
  ],
  // Does not delete orphaned load balancers.
  'unswept-orphans': [
    {
      file: 'packages/controllers/src/service-lb/orphans.ts',
      text: 'removals.add(key, serviceOf(reference));',
      newText: 'serviceOf(reference);',
    },
  ],
  // Does not sync Services whose load balancer has disappeared.
  'unnoticed-loss': [{ file: 'packages/controllers/src/service-lb/orphans.ts', text: 'if (isMissing) syncs.confirm(key);', newText: '' }],
  // Does not check the effect of calls that may still take effect.
  'no-doubt': [
    { file: 'packages/controllers/src/service-lb/calls.ts', text: '      if (stopped) return;', newText: '      if (!stopped) return;' },
  ],
  // Does not check newly owned Services a second time.
  'no-confirmation': [
    {
      file: 'packages/controllers/src/service-lb/assembly.ts',
      text: 'if (adoptedKeys.length > 0) confirmLater(adoptedKeys);',
      newText: 'confirmLater([]);',
    },
  ],
  // Syncs before the cache of nodes is complete.
  'early-sync': [
    {
      file: 'packages/controllers/src/service-lb/service-lb.ts',
      text: 'informers.map((informer) => informer.synced(endSignal))',
      newText: 'informers.map((informer) => (informer === caches.nodes ? undefined : informer.synced(endSignal)))',
    },
  ],
  // Calls the cloud for Services that the replica does not own.
  'not-responsible': [
    {
      file: 'packages/controllers/src/service-lb/calls.ts',
      text: 'if (!shared && !ownership.owns(key)) throw new OwnershipLostError(key);',
      newText: '',
    },
  ],
  // Runs calls for the same Service concurrently.
  'no-lock': [
    {
      file: 'src/apimachinery/keyed-mutex.ts',
      text: '(lastRuns.get(key) ?? Promise.resolve()).then(work, work)',
      newText: 'Promise.resolve().then(work)',
    },
  ],
};
