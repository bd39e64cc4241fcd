import { type LoadBalancerSettings, type LoadBalancerVersion, loadBalancerSettings } from './gates.ts';
import type { BalancedService } from './objects.ts';

/** Keeps a Service from being gone before its load balancer is. */
export const cleanupFinalizer = 'service.kubernetes.io/load-balancer-cleanup';

/**
 * Whether a Service is to have a load balancer by this controller.
 * @throws RangeError for an unknown version
 *
 * Mirrors wantsLoadBalancer (1.36, staging/src/k8s.io/cloud-provider/controllers/service/controller.go).
 */
export const wantsLoadBalancer = (service: BalancedService, options: LoadBalancerVersion = {}): boolean =>
  wantsOne(service, loadBalancerSettings(options));

/** `wantsLoadBalancer` under settings that are there already. */
export const wantsOne = ({ spec }: BalancedService, { classesLeftAlone }: Pick<LoadBalancerSettings, 'classesLeftAlone'>): boolean =>
  isLoadBalancer(spec?.type) && !(classesLeftAlone && typeof spec?.loadBalancerClass === 'string');

export const isLoadBalancer = (type: unknown): boolean => type === 'LoadBalancer';

/** Whether a Service cannot go before its load balancer is cleaned up. Mirrors HasLBFinalizer (service/helpers/helper.go). */
export const hasCleanupFinalizer = ({ metadata }: BalancedService): boolean => !!metadata?.finalizers?.includes(cleanupFinalizer);

/**
 * Whether a Service that holds the finalizer is being deleted, or is not of type LoadBalancer any more.
 *
 * Mirrors needsCleanup (1.36, staging/src/k8s.io/cloud-provider/controllers/service/controller.go).
 */
export const needsCleanup = (service: BalancedService): boolean =>
  hasCleanupFinalizer(service) && (!!service.metadata?.deletionTimestamp || !isLoadBalancer(service.spec?.type));
