import {
  createPodTargetRefBuilder,
  requireMinIndexedPods,
  resolveEndpointLimit,
  type Settings,
  settingsFor,
  type TargetRefBuilder,
} from 'kube-endpoints/internal';
import { requireWholeNumber } from 'kube-endpoints/internal/apimachinery';
import { type ClientPort, type SteadyClock, systemClock } from 'kube-endpoints/port';
import type { Profile, ReleaseOptions } from 'kube-endpoints/versions';
import type { CachedPod } from '../cache/index.ts';
import { fullOwnership, type Ownership } from '../election/ownership.ts';
import type { ControllerName, ControllerObserver } from './controller-event.ts';
import { createWorkloadAdapter, type WorkloadAdapter, type Workloads } from './workloads.ts';

/** Options of the EndpointSlice mirroring controller, with the defaults of kube-controller-manager. */
export interface MirroringOptions {
  /** Maximum number of Services synced concurrently; 5 by default. Corresponds to --mirroring-concurrent-service-endpoint-syncs. */
  readonly workers?: number;
  /** How many addresses of each subset to mirror, from 1 to 1,000; 1,000 by default. Corresponds to --mirroring-max-endpoints-per-subset. */
  readonly maxEndpointsPerSubset?: number;
  /**
   * Milliseconds that a change of a mirrored slice waits for further changes; 0 by default. Changes of Endpoints do not wait. Corresponds
   * to --mirroring-endpointslice-updates-batch-period.
   */
  readonly batchPeriod?: number;
}

/** Options of the controllers. Everything but the port has a default. */
export interface ControllersOptions extends ReleaseOptions {
  readonly port: ClientPort;
  /** IANA name of the time zone in which Kubernetes before 1.22 writes trigger times; UTC by default. */
  readonly timeZone?: string;
  /**
   * Controllers to run. By default 'endpoints', 'endpointslices' and 'endpointslicemirroring'; before Kubernetes 1.21 only 'endpoints',
   * because EndpointSlices of those releases are not supported. 'service-lb' is not accepted here: use `createServiceLoadBalancer` or
   * `createHost`.
   */
  readonly controllers?: readonly ControllerName[];
  /** The only namespace to handle; all by default. */
  readonly namespace?: string;
  readonly clock?: SteadyClock;
  /** Random number from 0 to less than 1. */
  readonly random?: () => number;
  /** Maximum number of Services that each controller except mirroring syncs concurrently; 5 by default. */
  readonly workers?: number;
  /** 100 by default. */
  readonly maxEndpointsPerSlice?: number;
  /**
   * Milliseconds that a pod change waits for further changes of the same Service; 0 by default. Corresponds to
   * --endpoint-updates-batch-period and --endpointslice-updates-batch-period of kube-controller-manager. Must be 0 before Kubernetes 1.16.
   */
  readonly batchPeriod?: number;
  /** Settings of the controller 'endpointslicemirroring'. */
  readonly mirroring?: MirroringOptions;
  /** Minimum number of pods for which the endpoints of a Service are updated incrementally: faster, but more memory. 32 by default. */
  readonly minIndexedPods?: number;
  /** Maximum number of retries of a Service that fails; 15 by default. */
  readonly maxRetries?: number;
  /** If true, plans are only reported (event `planned`) and nothing is written, not even Events. */
  readonly dryRun?: boolean;
  /** Which Services this replica owns; all by default. */
  readonly ownership?: Ownership;
  /** Objects that Services select instead of pods, or in addition to pods. */
  readonly workloads?: Workloads;
  readonly onEvent?: ControllerObserver;
}

/** The validated options with their defaults. */
export interface Setup
  extends Required<
    Omit<
      ControllersOptions,
      'version' | 'featureGates' | 'timeZone' | 'namespace' | 'mirroring' | 'minIndexedPods' | 'workloads' | 'onEvent'
    >
  > {
  readonly mirroring: Required<MirroringOptions>;
  readonly settings: Settings;
  readonly namespace: string | undefined;
  /** Adapts workloads to the pods that the core expects; undefined without `workloads`. */
  readonly workloadAdapter: WorkloadAdapter | undefined;
  /** Whether Services select pods: always without `workloads`. */
  readonly withPods: boolean;
  /** Undefined if there is no observer, so that events need not be computed. */
  readonly onEvent: ControllerObserver | undefined;
}

/** @throws RangeError that names the invalid option */
export function createSetup(options: ControllersOptions): Setup {
  const releaseSettings = settingsFor(options);
  const { workloads } = options;
  const workloadAdapter = workloads && createWorkloadAdapter(workloads, releaseSettings.profile);
  const settings = {
    ...releaseSettings,
    targetRef: workloadAdapter?.targetRef ?? createSharedRefBuilder(releaseSettings.profile),
    minIndexedPods: requireMinIndexedPods(options.minIndexedPods),
  };
  const { clock = systemClock, random = Math.random, dryRun = false, ownership = fullOwnership } = options;
  return {
    port: options.port,
    settings,
    controllers: selectControllers(options.controllers, settings),
    namespace: options.namespace,
    clock,
    random,
    workers: requireWholeNumber('workers', options.workers ?? 5, 1),
    maxEndpointsPerSlice: resolveEndpointLimit(options.maxEndpointsPerSlice),
    batchPeriod: resolveBatchPeriod(options.batchPeriod, settings),
    mirroring: resolveMirroring(options.mirroring),
    maxRetries: requireWholeNumber('maxRetries', options.maxRetries ?? 15, 0),
    dryRun,
    ownership,
    workloadAdapter,
    withPods: !workloads || workloads.withPods === true,
    onEvent: options.onEvent,
  };
}

/** If the release writes no resourceVersion into targetRef, all addresses of a pod share the reference of the pod cache. */
function createSharedRefBuilder(profile: Profile): TargetRefBuilder {
  const createRef = createPodTargetRefBuilder(profile);
  return profile.targetResourceVersionOmitted ? (pod: CachedPod) => pod.reference ?? createRef(pod) : createRef;
}

function resolveBatchPeriod(batchPeriod: number | undefined, { profile }: Settings): number {
  const milliseconds = requireWholeNumber('batchPeriod', batchPeriod ?? 0, 0);
  if (milliseconds === 0 || profile.podChangesBatched) return milliseconds;
  throw new RangeError(`batchPeriod is ${milliseconds}: the controller of ${profile.version} does not delay pod changes: give 0`);
}

function resolveMirroring({ workers, maxEndpointsPerSubset, batchPeriod }: MirroringOptions = {}): Required<MirroringOptions> {
  return {
    workers: requireWholeNumber('mirroring.workers', workers ?? 5, 1),
    maxEndpointsPerSubset: resolveEndpointLimit(maxEndpointsPerSubset ?? 1000, 'mirroring.maxEndpointsPerSubset'),
    batchPeriod: requireWholeNumber('mirroring.batchPeriod', batchPeriod ?? 0, 0),
  };
}

const controllerNames: readonly ControllerName[] = ['endpoints', 'endpointslices', 'endpointslicemirroring'];

function selectControllers(requested: readonly ControllerName[] | undefined, { profile }: Settings): readonly ControllerName[] {
  if (!requested) return profile.slicesAreV1 ? controllerNames : ['endpoints'];
  const names = [...new Set(requested)];
  const unknown = names.find((name) => !controllerNames.includes(name));
  if (unknown !== undefined || names.length === 0) {
    const accepted = controllerNames.map((name) => `"${name}"`).join(', ');
    throw new RangeError(`controllers is ${JSON.stringify(requested)}: give one or more of ${accepted}`);
  }
  if (names.some((name) => name !== 'endpoints') && !profile.slicesAreV1) {
    throw new RangeError(
      `controllers: version ${profile.version} writes EndpointSlices of discovery.k8s.io/v1beta1, which API servers from 1.25 on do not serve, so only "endpoints" can run: give it alone, or 1.21 or later`,
    );
  }
  return names;
}
