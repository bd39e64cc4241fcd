import { type LoadBalancerSettings, type LoadBalancerVersion, loadBalancerSettings } from './gates.ts';
import type { BalancedService } from './objects.ts';

/** The finalizer that keeps a Service from being removed before its load balancer. */
export const cleanupFinalizer = 'service.kubernetes.io/load-balancer-cleanup';

/**
 * Whether this controller should provide a load balancer for a Service.
 * @throws RangeError if the version is unknown
 *
 * Mirrors wantsLoadBalancer (1.36, staging/src/k8s.io/cloud-provider/controllers/service/controller.go).
 */
export const wantsLoadBalancer = (service: BalancedService, options: LoadBalancerVersion = {}): boolean =>
  wantsLoadBalancerForSettings(service, loadBalancerSettings(options));

/** `wantsLoadBalancer` for given settings. */
export const wantsLoadBalancerForSettings = (
  { spec }: BalancedService,
  { servicesWithClassSkipped }: Pick<LoadBalancerSettings, 'servicesWithClassSkipped'>,
): boolean => isLoadBalancer(spec?.type) && !(servicesWithClassSkipped && typeof spec?.loadBalancerClass === 'string');

export const isLoadBalancer = (type: unknown): boolean => type === 'LoadBalancer';

/** Whether the finalizer keeps the Service until its load balancer is cleaned up. Mirrors HasLBFinalizer (service/helpers/helper.go). */
export const hasCleanupFinalizer = ({ metadata }: BalancedService): boolean => !!metadata?.finalizers?.includes(cleanupFinalizer);

/**
 * Whether a Service with the finalizer is being deleted or no longer has the type LoadBalancer. Never true up to 1.14; in 1.15, only the
 * deletion counts.
 * @throws RangeError if the version is unknown
 *
 * Mirrors needsCleanup (1.36, staging/src/k8s.io/cloud-provider/controllers/service/controller.go).
 */
export const needsCleanup = (service: BalancedService, options: LoadBalancerVersion = {}): boolean =>
  needsCleanupForSettings(service, loadBalancerSettings(options));

/** `needsCleanup` for given settings. */
export const needsCleanupForSettings = (
  service: BalancedService,
  { finalizerRemoved, typeChangesCleanedUp }: Pick<LoadBalancerSettings, 'finalizerRemoved' | 'typeChangesCleanedUp'>,
): boolean =>
  finalizerRemoved &&
  hasCleanupFinalizer(service) &&
  (!!service.metadata?.deletionTimestamp || (typeChangesCleanedUp && !isLoadBalancer(service.spec?.type)));
