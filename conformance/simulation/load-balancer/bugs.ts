import type { Replacement } from '../harness/hooks.ts';

/** Bugs that the simulation must detect, as source replacements. */
export const bugs: Readonly<Record<string, readonly Replacement[]>> = {
  'late-finalizer': [
    {
      file: 'src/load-balancer/sync.ts',
      text: "  yield normalEvent(service, 'EnsuringLoadBalancer', 'Ensuring load balancer');",
      newText: `  const early = chooseNodes(nodes, service.spec?.externalTrafficPolicy, settings);
  if (!hasCleanupFinalizer(service)) yield { do: 'ensure', service, nodes: early };`,
    },
  ],
  'uid-ignored': [
    {
      file: 'src/load-balancer/plan.ts',
      text: '(!service || uidOf(before) !== uidOf(service))',
      newText: '(!service || uidOf(service) === "another")',
    },
    {
      file: 'packages/controllers/src/service-lb/orphans.ts',
      text: 'service?.metadata?.uid === reference.uid && !isReleased(service) ? service',
      newText: 'service && !isReleased(service) ? service',
    },
  ],
  'foreign-uid': [
    {
      file: 'packages/controllers/src/service-lb/calls.ts',
      text: '...(uid && { uid }),',
      newText: '',
    },
  ],
  'lost-retry': [
    { file: 'packages/controllers/src/service-lb/syncs.ts', text: 'else queue.addRateLimited(key);', newText: 'else queue.forget(key);' },
  ],
  'forgotten-nodes': [{ file: 'packages/controllers/src/service-lb/node-sync.ts', text: 'if (changed) loop.due(collectMs);', newText: '' }],
  'forgotten-failure': [
    {
      file: 'packages/controllers/src/service-lb/node-sync.ts',
      text: 'if (job.balancerLost || (retry && planner.failuresToQueue)) enqueue(key);',
      newText: '',
    },
  ],
  'early-release': [
    {
      file: 'src/load-balancer/sync.ts',
      text: "if (!isTolerated) throw createSyncError('failed to delete load balancer', error, undefined);",
      newText: '',
    },
  ],
  'kept-finalizer': [
    {
      file: 'src/load-balancer/sync.ts',
      text: '  if (hasCleanupFinalizer(service)) {',
      newText: '  if (hasCleanupFinalizer(service) && false) {',
    },
  ],
  'unswept-orphans': [
    {
      file: 'packages/controllers/src/service-lb/orphans.ts',
      text: 'removals.add(key, serviceOf(reference));',
      newText: 'serviceOf(reference);',
    },
  ],
  'unnoticed-loss': [{ file: 'packages/controllers/src/service-lb/orphans.ts', text: 'if (isMissing) syncs.confirm(key);', newText: '' }],
  'no-doubt': [
    { file: 'packages/controllers/src/service-lb/calls.ts', text: '      if (stopped) return;', newText: '      if (!stopped) return;' },
  ],
  'no-confirmation': [
    {
      file: 'packages/controllers/src/service-lb/assembly.ts',
      text: 'if (adopted.length > 0) confirmLater(adopted);',
      newText: 'confirmLater([]);',
    },
  ],
  'early-sync': [
    {
      file: 'packages/controllers/src/service-lb/service-lb.ts',
      text: 'informers.map((informer) => informer.synced(endSignal))',
      newText: 'informers.map((informer) => (informer === caches.nodes ? undefined : informer.synced(endSignal)))',
    },
  ],
  'not-responsible': [
    {
      file: 'packages/controllers/src/service-lb/calls.ts',
      text: 'if (!shared && !ownership.owns(key)) throw new OwnershipLost(key);',
      newText: '',
    },
  ],
  'no-lock': [
    {
      file: 'src/apimachinery/keyed-mutex.ts',
      text: '(last.get(key) ?? Promise.resolve()).then(work, work)',
      newText: 'Promise.resolve().then(work)',
    },
  ],
};
