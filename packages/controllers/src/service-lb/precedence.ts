import type { BalancedService } from 'kube-endpoints/load-balancer';

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
