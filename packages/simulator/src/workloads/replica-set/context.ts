import type { ControllerContext } from '../../controller/controller.ts';
import type { ConsistencyStore } from '../consistency.ts';
import type { Expectations } from '../expectations.ts';
import type { OwnerKind } from '../owner-references.ts';

/** What the controller keeps between syncs. */
export interface ReplicaSetState {
  readonly context: ControllerContext;
  readonly expectations: Expectations;
  readonly consistency: ConsistencyStore;
}

export const replicaSetKind: OwnerKind = { apiVersion: 'apps/v1', kind: 'ReplicaSet' };
