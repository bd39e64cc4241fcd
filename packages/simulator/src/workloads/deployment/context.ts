import type { Cache, ControllerContext, Queue } from '../../controller/controller.ts';
import { listControlled, type OwnerKind } from '../owner-references.ts';
import { replicaSetKind } from '../replica-set/context.ts';
import type { Deployment, Pod, ReplicaSet } from '../types.ts';

/** One sync of a Deployment. */
export interface DeploymentSync {
  readonly context: ControllerContext;
  readonly key: string;
  readonly queue: Queue;
  /** The Deployment with the changes of this sync, even if writing them failed. */
  deployment: Deployment;
  /** The ReplicaSets that it controls. */
  readonly replicaSets: readonly ReplicaSet[];
}

export const deploymentKind: OwnerKind = { apiVersion: 'apps/v1', kind: 'Deployment' };

/** The Pods whose controller is a ReplicaSet. */
export const listOwnedPods = (cache: Cache, replicaSet: ReplicaSet): Pod[] => listControlled(cache, 'Pod', replicaSet, replicaSetKind);
