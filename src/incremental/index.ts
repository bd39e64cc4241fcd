/** The reconciler and its memory: what it remembers between syncs so that a change costs only the change. */
export type { PodFeed } from './feed.ts';
export type { Plan, PlanCode, PlanReason, ReconcileInput } from './reconcile.ts';
export { createReconciler, createReconcilerFor, type Reconciler, type ReconcilerOptions } from './reconciler.ts';
export { createSelectorCache, type SelectorCache } from './selector-cache.ts';
export type { SlicesInput } from './slices/reconcile.ts';
