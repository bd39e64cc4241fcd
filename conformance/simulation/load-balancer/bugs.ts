import type { Replacement } from '../harness/hooks.ts';

/** Bugs that the simulation must detect, as source replacements. */
export const bugs: Readonly<Record<string, readonly Replacement[]>> = {
  'late-finalizer': [
    {
      file: 'src/load-balancer/sync.ts',
      text: "  yield normalEvent(service, 'EnsuringLoadBalancer', 'Ensuring load balancer');",
      by: `  const early = chooseNodes(nodes, service.spec?.externalTrafficPolicy, settings);
  if (!hasCleanupFinalizer(service)) yield { do: 'ensure', service, nodes: early };`,
    },
  ],
  'uid-ignored': [
    {
      file: 'src/load-balancer/plan.ts',
      text: '(!service || uidOf(before) !== uidOf(service))',
      by: '(!service || uidOf(service) === "another")',
    },
    {
      file: 'packages/controllers/src/service-lb/orphans.ts',
      text: 'service?.metadata?.uid === reference.uid && !isReleased(service) ? service',
      by: 'service && !isReleased(service) ? service',
    },
  ],
  'foreign-uid': [
    {
      file: 'packages/controllers/src/service-lb/calls.ts',
      text: '...(uid && { uid }),',
      by: '',
    },
  ],
  'lost-retry': [
    { file: 'packages/controllers/src/service-lb/syncs.ts', text: 'else queue.addRateLimited(key);', by: 'else queue.forget(key);' },
  ],
  'forgotten-nodes': [{ file: 'packages/controllers/src/service-lb/node-sync.ts', text: 'if (changed) loop.due(collectMs);', by: '' }],
  'forgotten-failure': [
    {
      file: 'packages/controllers/src/service-lb/node-sync.ts',
      text: 'if (job.balancerLost || (retry && planner.failuresToQueue)) enqueue(key);',
      by: '',
    },
  ],
  'early-release': [
    {
      file: 'src/load-balancer/sync.ts',
      text: "if (!isTolerated) throw createSyncError('failed to delete load balancer', error, undefined);",
      by: '',
    },
  ],
  'kept-finalizer': [
    {
      file: 'src/load-balancer/sync.ts',
      text: '  if (hasCleanupFinalizer(service)) {',
      by: '  if (hasCleanupFinalizer(service) && false) {',
    },
  ],
  'unswept-orphans': [
    {
      file: 'packages/controllers/src/service-lb/orphans.ts',
      text: 'removals.add(key, serviceOf(reference));',
      by: 'serviceOf(reference);',
    },
  ],
  'unnoticed-loss': [{ file: 'packages/controllers/src/service-lb/orphans.ts', text: 'if (isMissing) syncs.confirm(key);', by: '' }],
  'no-doubt': [
    { file: 'packages/controllers/src/service-lb/calls.ts', text: '      if (stopped) return;', by: '      if (!stopped) return;' },
  ],
  'no-confirmation': [
    {
      file: 'packages/controllers/src/service-lb/assembly.ts',
      text: 'if (adopted.length > 0) confirmLater(adopted);',
      by: 'confirmLater([]);',
    },
  ],
  'early-sync': [
    {
      file: 'packages/controllers/src/service-lb/service-lb.ts',
      text: 'informers.map((informer) => informer.synced(endSignal))',
      by: 'informers.map((informer) => (informer === caches.nodes ? undefined : informer.synced(endSignal)))',
    },
  ],
  'not-responsible': [
    {
      file: 'packages/controllers/src/service-lb/calls.ts',
      text: 'if (!shared && !ownership.owns(key)) throw new OwnershipLost(key);',
      by: '',
    },
  ],
  'no-lock': [
    {
      file: 'src/apimachinery/keyed-mutex.ts',
      text: '(last.get(key) ?? Promise.resolve()).then(work, work)',
      by: 'Promise.resolve().then(work)',
    },
  ],
};
