/** The incremental reconciler: it keeps state between syncs, so that the cost of a sync depends on what changed. */
export type { ReconcileInput } from './endpoints.ts';
export { createMirror, createMirrorFor, type Mirror } from './mirror.ts';
export { type PodFeed, type ReconcilerSettings, requireMinIndexedPods } from './pods.ts';
export { createReconciler, createReconcilerFor, type Reconciler, type ReconcilerOptions } from './reconciler.ts';
export { createSelectorCache, type SelectorCache } from './selector-cache.ts';
export type { SlicesInput } from './slices/reconciler.ts';
