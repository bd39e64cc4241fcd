import { type BalancedService, hasCleanupFinalizer } from 'kube-endpoints/load-balancer';

/**
 * Whether a Service is being deleted and does not hold the finalizer, while others still hold it with theirs: there is no load balancer
 * for it any more. None can be made either, because the API server lets nobody add a finalizer by then. Kubernetes' controller, when it
 * comes anew, tries so without end.
 */
export const isOver = (service: BalancedService): boolean => !!service.metadata?.deletionTimestamp && !hasCleanupFinalizer(service);

/** One that is over is taken for one that wants no load balancer: so what is left of one goes, and the status that tells of it. */
export const asOver = (service: BalancedService): BalancedService => ({ ...service, spec: { ...service.spec, type: 'ClusterIP' } });
