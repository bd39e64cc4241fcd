import { hasCleanupFinalizer, type ServiceChange } from 'kube-endpoints/internal';
import type { BalancedService, LoadBalancerPlanner } from 'kube-endpoints/load-balancer';
import type { ControllerStats } from '../controllers/controller.ts';
import { OwnershipLost } from '../controllers/failures.ts';

/**
 * Whether a Service is being deleted, no longer has the cleanup finalizer, and is held only by other finalizers. It has no load balancer
 * any more, and cannot get one: the API server rejects new finalizers on it. Upstream, after a restart, retries to add one forever.
 */
export const isReleased = (service: BalancedService): boolean => !!service.metadata?.deletionTimestamp && !hasCleanupFinalizer(service);

/** A Service that is over is treated as one without a load balancer: so remains of the load balancer and the status are removed. */
export const asReleased = (service: BalancedService): BalancedService => ({ ...service, spec: { ...service.spec, type: 'ClusterIP' } });

/** Classifies a change. If that throws, a sync is due: the sync will report the error. */
export function classifyChange(planner: LoadBalancerPlanner, old: BalancedService | undefined, service: BalancedService): ServiceChange {
  try {
    return planner.serviceChanged(old, service);
  } catch {
    return { due: true, events: [] };
  }
}

/** Whether a Service wants a load balancer of this controller, or must be cleaned up by it. Its sync decides which. */
export const isClaimed = (planner: LoadBalancerPlanner, service: BalancedService): boolean =>
  classifyChange(planner, undefined, service).due;

/** The controller is shutting down, and the work did not finish in time. */
export class ControllerStopping extends Error {
  constructor() {
    super('the controller is stopping');
    this.name = 'ControllerStopping';
  }
}

/** Whether the error means that this replica must stop the work. Such work is neither reported as failed nor retried here. */
export const isCancellation = (error: unknown): error is OwnershipLost | ControllerStopping =>
  error instanceof OwnershipLost || error instanceof ControllerStopping;

/**
 * Order of syncs after adoption: Services whose status has an address come first; pending ones wait until each of these was synced.
 * So a cloud that keeps its assignments only in memory can give them their old addresses back, unless another Service took one.
 */
export interface Precedence {
  /** Number of Services that wait. */
  readonly waiting: number;
  /** Puts the Service first if its status has an address. */
  add(key: string, service: BalancedService | undefined): void;
  /** Whether the Service must wait. If so, `resume` is called with its key later. */
  defers(key: string, service: BalancedService | undefined): boolean;
  /** Call it when the first sync of the Service ends, successful or not. */
  finish(key: string): void;
}

/** @param resume called with the key of each Service that no longer has to wait */
export function createPrecedence(resume: (key: string) => void): Precedence {
  const first = new Set<string>();
  const waiting = new Set<string>();
  return {
    get waiting() {
      return waiting.size;
    },
    add(key, service) {
      if (hasStatus(service)) first.add(key);
    },
    defers(key, service) {
      if (first.size === 0 || first.has(key) || !isPending(service)) return false;
      waiting.add(key);
      return true;
    },
    finish(key) {
      if (!first.delete(key) || first.size > 0) return;
      const all = [...waiting];
      waiting.clear();
      for (const each of all) resume(each);
    },
  };
}

/** Whether the status publishes an address of the load balancer. */
export const hasStatus = (service: BalancedService | undefined): boolean => (service?.status?.loadBalancer?.ingress?.length ?? 0) > 0;

const isPending = (service: BalancedService | undefined): boolean =>
  service?.spec?.type === 'LoadBalancer' && !service.metadata?.deletionTimestamp && !hasStatus(service);

/** Work that is waiting, processing or delayed for a retry. */
export type Backlog = Pick<ControllerStats, 'waiting' | 'processing' | 'delayed'>;

/** Adds the given backlogs to the statistics. */
export function withBacklogs<Stats extends Backlog>(stats: Stats, backlogs: readonly Backlog[]): Stats {
  const sum = (name: keyof Backlog): number => backlogs.reduce((all, each) => all + each[name], stats[name]);
  return { ...stats, waiting: sum('waiting'), processing: sum('processing'), delayed: sum('delayed') };
}
