import { semanticEqual, splitMetaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import type { Queue, Steps } from '../../controller/controller.ts';
import { emit } from '../../controller/effects.ts';
import { catchFailure } from '../errors.ts';
import type { DaemonSetHistory, DaemonSetState, DaemonSetSync } from './context.ts';
import { managePods } from './manage.ts';
import type { DaemonSet, Node } from './objects.ts';
import { cleanUpHistory, resolveHistory } from './revisions.ts';
import { rollOut } from './rolling.ts';
import { updateStatus } from './status.ts';

/**
 * One sync of a DaemonSet: resolves the revision of its template, creates and deletes pods unless earlier ones are still expected, and updates
 * the status. Mirrors syncDaemonSet (1.36, pkg/controller/daemon/daemon_controller.go).
 * @throws ApiError or SyncError if a write failed, or if the cache is older than the last write
 */
export function* syncDaemonSet(state: DaemonSetState, key: string, queue: Queue): Steps {
  const { context, expectations, consistency } = state;
  consistency.ensureReady(key);
  const { namespace, name } = splitMetaNamespaceKey(key);
  const daemonSet = context.cache.get<DaemonSet>('DaemonSet', namespace, name);
  if (!daemonSet) {
    expectations.delete(key);
    consistency.clear(key);
    return;
  }
  if (semanticEqual(daemonSet.spec.selector, {})) {
    yield* emit(daemonSet, 'Warning', 'SelectingAll', 'This daemon set is selecting all pods. A non-empty selector is required.');
    return;
  }
  if (daemonSet.metadata.deletionTimestamp !== undefined) return;
  const sync: DaemonSetSync = { ...state, key, queue, daemonSet, nodes: context.cache.list<Node>('Node') };
  const history = yield* resolveHistory(sync);
  if (!expectations.areSatisfied(key)) {
    yield* updateStatus(sync, history.hash, false);
    return;
  }
  const failure = yield* catchFailure(updatePods(sync, history));
  const statusFailure = yield* catchFailure(updateStatus(sync, history.hash, true));
  if (failure ?? statusFailure) throw failure ?? statusFailure;
}

/** Mirrors updateDaemonSet. */
function* updatePods(sync: DaemonSetSync, { hash, oldRevisions }: DaemonSetHistory): Steps {
  yield* managePods(sync, hash);
  const isRolling = sync.daemonSet.spec.updateStrategy?.type === 'RollingUpdate';
  if (isRolling && sync.expectations.areSatisfied(sync.key)) yield* rollOut(sync, hash);
  yield* cleanUpHistory(sync, oldRevisions);
}
