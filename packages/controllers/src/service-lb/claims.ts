import { hasCleanupFinalizer, type ServiceChange } from 'kube-endpoints/internal';
import type { BalancedService, LoadBalancerPlanner } from 'kube-endpoints/load-balancer';
import type { ControllerStats } from '../controllers/controller.ts';
import { OwnershipLostError } from '../controllers/failures.ts';

/**
 * Whether a Service is being deleted without the cleanup finalizer, so that only other finalizers keep it. It has no load balancer, and
 * cannot get one, because the API server rejects new finalizers during a deletion. After a restart, upstream tries forever to add it.
 */
export const isReleased = (service: BalancedService): boolean => !!service.metadata?.deletionTimestamp && !hasCleanupFinalizer(service);

/** Changes the type of a released Service to ClusterIP, so that its sync deletes a leftover load balancer and clears the status. */
export const toClusterIP = (service: BalancedService): BalancedService => ({ ...service, spec: { ...service.spec, type: 'ClusterIP' } });

/** Classifies a change. If the planner throws, a sync is due, and the sync will report the error. */
export function classifyChange(planner: LoadBalancerPlanner, old: BalancedService | undefined, service: BalancedService): ServiceChange {
  try {
    return planner.serviceChanged(old, service);
  } catch {
    return { due: true, events: [] };
  }
}

/** Whether a Service needs a load balancer of this controller, or its cleanup; up to 1.14 always. Its sync decides which. */
export const isClaimed = (planner: LoadBalancerPlanner, service: BalancedService): boolean =>
  classifyChange(planner, undefined, service).due;

/** The error of a call that is cancelled because the controller stops. */
export class ControllerStoppingError extends Error {
  override readonly name = 'ControllerStopping';

  constructor() {
    super('the controller is stopping');
  }
}

/** Whether this replica must stop the work because of the error. Cancelled work is neither reported as failed nor retried. */
export const isCancellation = (error: unknown): error is OwnershipLostError | ControllerStoppingError =>
  error instanceof OwnershipLostError || error instanceof ControllerStoppingError;

/**
 * The order of syncs after adoption. Services whose status has an address are synced first, and Services without an address wait for them.
 * So a cloud that keeps its assignments only in memory can restore these addresses before it assigns new ones.
 */
export interface Precedence {
  /** Number of Services that wait. */
  readonly waitingCount: number;
  /** Puts the Service first if its status has an address. */
  add(key: string, service: BalancedService | undefined): void;
  /** Whether the Service must wait. If so, `resume` is called with its key later. */
  deferIfNeeded(key: string, service: BalancedService | undefined): boolean;
  /** Call it when the first sync of the Service ends, successful or not. */
  finish(key: string): void;
}

/** @param resume called with the key of each Service that no longer has to wait */
export function createPrecedence(resume: (key: string) => void): Precedence {
  const keysWithAddress = new Set<string>();
  const waitingKeys = new Set<string>();
  return {
    get waitingCount() {
      return waitingKeys.size;
    },
    add(key, service) {
      if (hasPublishedAddress(service)) keysWithAddress.add(key);
    },
    deferIfNeeded(key, service) {
      if (keysWithAddress.size === 0 || keysWithAddress.has(key) || !isPending(service)) return false;
      waitingKeys.add(key);
      return true;
    },
    finish(key) {
      if (!keysWithAddress.delete(key) || keysWithAddress.size > 0) return;
      const keys = [...waitingKeys];
      waitingKeys.clear();
      for (const key of keys) resume(key);
    },
  };
}

/** Whether the status publishes an address of the load balancer. */
export const hasPublishedAddress = (service: BalancedService | undefined): boolean =>
  (service?.status?.loadBalancer?.ingress?.length ?? 0) > 0;

const isPending = (service: BalancedService | undefined): boolean =>
  service?.spec?.type === 'LoadBalancer' && !service.metadata?.deletionTimestamp && !hasPublishedAddress(service);

/** Work that is waiting, processing or delayed for a retry. */
export type Backlog = Pick<ControllerStats, 'waiting' | 'processing' | 'delayed'>;

/** Adds the given backlogs to the statistics. */
export function addBacklogs<Stats extends Backlog>(stats: Stats, backlogs: readonly Backlog[]): Stats {
  const sum = (name: keyof Backlog): number => backlogs.reduce((total, backlog) => total + backlog[name], stats[name]);
  return { ...stats, waiting: sum('waiting'), processing: sum('processing'), delayed: sum('delayed') };
}
