import { SyncError } from '../../controller/controller.ts';
import { scaleValue } from '../scaled-value.ts';
import type { DaemonSet } from './objects.ts';

/** The limits of a rolling update. Mirrors pkg/controller/daemon/util of 1.36. */

/** How many nodes may have a second pod: SurgeCount. @throws SyncError if the value is invalid */
export function surgeCount({ spec: { updateStrategy } }: DaemonSet, nodeCount: number): number {
  const { maxSurge } = (updateStrategy?.type === 'RollingUpdate' && updateStrategy.rollingUpdate) || {};
  return maxSurge === undefined ? 0 : scaleValue(maxSurge, nodeCount, Math.ceil);
}

/** How many nodes may have no available pod: UnavailableCount. @throws SyncError if the value is missing or invalid */
export function unavailableCount({ spec: { updateStrategy } }: DaemonSet, nodeCount: number): number {
  if (updateStrategy?.type !== 'RollingUpdate' || !updateStrategy.rollingUpdate) return 0;
  const { maxUnavailable } = updateStrategy.rollingUpdate;
  if (maxUnavailable === undefined) throw new SyncError('invalid value for MaxUnavailable: nil value for IntOrString');
  return scaleValue(maxUnavailable, nodeCount, Math.ceil);
}

/** Whether a node may have more than one pod: AllowsSurge. */
export function allowsSurge(daemonSet: DaemonSet): boolean {
  try {
    return surgeCount(daemonSet, 1) > 0;
  } catch (error) {
    if (error instanceof SyncError) return false;
    throw error;
  }
}
