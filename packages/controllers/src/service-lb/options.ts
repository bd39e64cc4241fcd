import { requireWholeNumber } from 'kube-endpoints/internal/apimachinery';
import { type BalancerPort, type CloudPort, createLoadBalancerPlanner, type LoadBalancerPlanner } from 'kube-endpoints/load-balancer';
import { type ClientPort, type SteadyClock, systemClock } from 'kube-endpoints/port';
import type { ReleaseOptions } from 'kube-endpoints/versions';
import { describeValue } from '../base/checks.ts';
import { fullOwnership, type Ownership } from '../election/ownership.ts';
import type { LoadBalancerObserver } from './load-balancer-event.ts';

/** Options of the service load-balancer controller. All but `port` and `cloud` have defaults. */
export interface ServiceLoadBalancerOptions extends ReleaseOptions {
  readonly port: ClientPort;
  /** The cloud that provides the load balancers. */
  readonly cloud: CloudPort | undefined;
  /** Identifies this cluster in the cloud; "kubernetes" by default. */
  readonly clusterName?: string;
  /** Limits the controller to one namespace; all by default. */
  readonly namespace?: string;
  readonly clock?: SteadyClock;
  /** Returns a number from 0 up to, but not including, 1. */
  readonly random?: () => number;
  /** Number of Services synced concurrently; 1 by default, as with --concurrent-service-syncs of every release. */
  readonly workers?: number;
  /** Which Services this replica owns; all by default. */
  readonly ownership?: Ownership;
  /** If true, steps are only reported (the event `effect`); nothing is changed in the cloud or the cluster. */
  readonly dryRun?: boolean;
  /** Timeout of a call to the cloud, in milliseconds; 300,000 by default. */
  readonly cloudTimeout?: number;
  /** Milliseconds between two searches for load balancers without a Service, if the cloud can list them; 600,000 by default. */
  readonly orphanSweep?: number;
  readonly onEvent?: LoadBalancerObserver;
}

/** The validated options, with defaults applied. */
export interface Setup extends Required<Omit<ServiceLoadBalancerOptions, 'cloud' | 'version' | 'featureGates' | 'namespace'>> {
  readonly balancers: BalancerPort;
  readonly planner: LoadBalancerPlanner;
  readonly namespace: string | undefined;
}

/** @throws RangeError that names the invalid option and the remedy */
export function createSetup(options: ServiceLoadBalancerOptions): Setup {
  const { clock = systemClock, random = Math.random, ownership = fullOwnership, clusterName = 'kubernetes', onEvent } = options;
  if (typeof clusterName !== 'string') throw new RangeError(`clusterName is ${describeValue(clusterName)}: give a string`);
  if (clusterName === '') throw new RangeError('clusterName is empty: give a name that identifies this cluster to the cloud');
  return {
    port: options.port,
    balancers: requireBalancers(options.cloud),
    planner: createLoadBalancerPlanner(options),
    clusterName,
    namespace: options.namespace,
    clock,
    random,
    workers: requireWholeNumber('workers', options.workers ?? 1, 1),
    ownership,
    dryRun: options.dryRun ?? false,
    cloudTimeout: requireWholeNumber('cloudTimeout', options.cloudTimeout ?? 300_000, 1),
    orphanSweep: requireWholeNumber('orphanSweep', options.orphanSweep ?? 600_000, 1),
    onEvent: onEvent ?? (() => {}),
  };
}

/** Mirrors Controller.init (1.36, staging/src/k8s.io/cloud-provider/controllers/service/controller.go). */
function requireBalancers(cloud: CloudPort | undefined): BalancerPort {
  if (!cloud) throw new RangeError('cloud is missing: without it, Services of type LoadBalancer get no load balancer; give a CloudPort');
  if (!cloud.balancers) {
    throw new RangeError(
      `cloud is "${cloud.name}", which has no load balancers: give another one, or do not run the controller service-lb`,
    );
  }
  const { balancers } = cloud;
  const missingFunctions = requiredFunctions.filter((call) => typeof balancers[call] !== 'function');
  if (missingFunctions.length > 0)
    throw new RangeError(`cloud is "${cloud.name}", whose balancers have no function ${missingFunctions.join(', ')}: give a CloudPort`);
  return balancers;
}

const requiredFunctions = ['get', 'ensure', 'update', 'delete'] as const satisfies readonly (keyof BalancerPort)[];
