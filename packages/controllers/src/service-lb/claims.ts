import { hasCleanupFinalizer, type ServiceChange } from 'kube-endpoints/internal';
import type { BalancedService, LoadBalancerPlanner } from 'kube-endpoints/load-balancer';
import type { ControllerStats } from '../controllers/controller.ts';
import { OwnershipLost } from '../controllers/failures.ts';

/**
 * Whether a Service is being deleted and does not hold the finalizer, while others still hold it with theirs: there is no load balancer
 * for it any more. None can be made either, because the API server lets nobody add a finalizer by then. Kubernetes' controller, when it
 * comes anew, tries so without end.
 */
export const isOver = (service: BalancedService): boolean => !!service.metadata?.deletionTimestamp && !hasCleanupFinalizer(service);

/** One that is over is taken for one that wants no load balancer: so what is left of one goes, and the status that tells of it. */
export const asOver = (service: BalancedService): BalancedService => ({ ...service, spec: { ...service.spec, type: 'ClusterIP' } });

/** What a change comes to. An object that cannot be weighed is one for a sync: that fails, and says so. */
export function weigh(planner: LoadBalancerPlanner, old: BalancedService | undefined, service: BalancedService): ServiceChange {
  try {
    return planner.serviceChanged(old, service);
  } catch {
    return { due: true, events: [] };
  }
}

/** Whether a Service wants a load balancer of this controller, or has to be cleaned up by it: then its sync decides. */
export const isClaimed = (planner: LoadBalancerPlanner, service: BalancedService): boolean => weigh(planner, undefined, service).due;

/** The controller is about to end, and this was not done in time. */
export class Ending extends Error {
  constructor() {
    super('the controller ends');
    this.name = 'Ending';
  }
}

/** Whether an error says that the work is not this replica's any more: nothing is to be told of it, and nobody tries it again here. */
export const isEnd = (error: unknown): error is OwnershipLost | Ending => error instanceof OwnershipLost || error instanceof Ending;

/**
 * Which Services come first when they come to this replica: those whose status tells an address. A cloud that has forgotten which are
 * whose, as one that lives in a process does, gives them their addresses back, unless another Service has taken one meanwhile. So those
 * that have none yet wait until each of the others has had its turn.
 */
export interface Precedence {
  /** How many wait. */
  readonly waiting: number;
  /** Comes first, where its status tells an address. */
  add(key: string, service: BalancedService | undefined): void;
  /** Whether it is to wait: it is told of again when its turn has come. */
  holdsBack(key: string, service: BalancedService | undefined): boolean;
  /** It has had its turn, whatever came of it. */
  over(key: string): void;
}

/** @param resume told of those who have waited */
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
    holdsBack(key, service) {
      if (first.size === 0 || first.has(key) || !isPending(service)) return false;
      waiting.add(key);
      return true;
    },
    over(key) {
      if (!first.delete(key) || first.size > 0) return;
      const all = [...waiting];
      waiting.clear();
      for (const each of all) resume(each);
    },
  };
}

/** Whether its status tells the world where its load balancer is. */
export const hasStatus = (service: BalancedService | undefined): boolean => (service?.status?.loadBalancer?.ingress?.length ?? 0) > 0;

const isPending = (service: BalancedService | undefined): boolean =>
  service?.spec?.type === 'LoadBalancer' && !service.metadata?.deletionTimestamp && !hasStatus(service);

/** What is still to be done: waits, is being done, or is tried again later. */
export type Backlog = Pick<ControllerStats, 'waiting' | 'processing' | 'delayed'>;

/** With what else there is to do. */
export function withBacklogs<Stats extends Backlog>(stats: Stats, backlogs: readonly Backlog[]): Stats {
  const sum = (name: keyof Backlog): number => backlogs.reduce((all, each) => all + each[name], stats[name]);
  return { ...stats, waiting: sum('waiting'), processing: sum('processing'), delayed: sum('delayed') };
}
