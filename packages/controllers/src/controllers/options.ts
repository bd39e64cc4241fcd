import {
  maximumFrom,
  refersToPod,
  requireWholeNumber,
  rosterFromOf,
  type Settings,
  settingsFor,
  type TargetRefOf,
} from 'kube-endpoints/internal';
import { type ClientPort, type SteadyClock, systemClock } from 'kube-endpoints/port';
import type { Profile } from 'kube-endpoints/versions';
import type { KnownPod } from '../cache/index.ts';
import { type Ownership, ownsAll } from '../election/ownership.ts';
import type { ControllerName, ControllerObserver } from './controller-event.ts';
import { type Disguise, disguiseOf, type Workloads } from './workloads.ts';

/** What the controllers are made of. Everything but the port has a default. */
export interface ControllersOptions {
  readonly port: ClientPort;
  /** "1.17" to "1.37" or a patch release of one; the newest by default. */
  readonly version?: string;
  /** IANA name of the time zone in which trigger times are written before 1.22; UTC by default. */
  readonly timeZone?: string;
  /**
   * Which are to run. By default both, or the one for Endpoints in releases before 1.21, whose slices are not computed. 'service-lb' is not
   * one of them: `createServiceLoadBalancer` makes it, and so does `createHost`.
   */
  readonly controllers?: readonly ControllerName[];
  /** One namespace only; all by default. */
  readonly namespace?: string;
  readonly clock?: SteadyClock;
  /** From 0 to less than 1. */
  readonly random?: () => number;
  /** How many Services each controller syncs at a time; 5 by default. */
  readonly workers?: number;
  /** 100 by default. */
  readonly maxEndpointsPerSlice?: number;
  /**
   * Milliseconds that a change of a pod waits for others of the same Service; 0 by default. As --endpoint-updates-batch-period and
   * --endpointslice-updates-batch-period of kube-controller-manager.
   */
  readonly batchPeriod?: number;
  /** From how many pods of a Service on what they come to is kept: less time for a changed pod, for more memory. By default 32. */
  readonly rosterFrom?: number;
  /** How often a Service that fails is tried again; 15 by default. */
  readonly maxRetries?: number;
  /** Whether plans are only told (the happening `planned`), and nothing is written, Events included. */
  readonly dryRun?: boolean;
  /** Which Services are this replica's; all by default. */
  readonly ownership?: Ownership;
  /** Other objects in the place of pods, or beside them. */
  readonly workloads?: Workloads;
  readonly tell?: ControllerObserver;
}

/** The options, checked, with their defaults. */
export interface Setup {
  readonly port: ClientPort;
  readonly settings: Settings;
  readonly controllers: readonly ControllerName[];
  readonly namespace: string | undefined;
  readonly clock: SteadyClock;
  readonly random: () => number;
  readonly workers: number;
  readonly maxEndpointsPerSlice: number;
  readonly batchPeriod: number;
  readonly maxRetries: number;
  readonly dryRun: boolean;
  readonly ownership: Ownership;
  /** What takes part in the place of pods, or beside them. */
  readonly disguise: Disguise | undefined;
  readonly withPods: boolean;
  /** Undefined where nobody listens, so that what is told need not be worked out. */
  readonly tell: ControllerObserver | undefined;
}

/** @throws RangeError that names the option */
export function setupOf(options: ControllersOptions): Setup {
  const released = settingsFor(options);
  const { workloads } = options;
  const disguise = workloads && disguiseOf(workloads, released.profile);
  const settings = {
    ...released,
    targetRef: disguise?.targetRef ?? sharedReferences(released.profile),
    rosterFrom: rosterFromOf(options.rosterFrom),
  };
  const { clock = systemClock, random = Math.random, dryRun = false, ownership = ownsAll } = options;
  return {
    port: options.port,
    settings,
    controllers: controllersFrom(options.controllers, settings),
    namespace: options.namespace,
    clock,
    random,
    workers: requireWholeNumber('workers', options.workers ?? 5, 1),
    maxEndpointsPerSlice: maximumFrom(options.maxEndpointsPerSlice),
    batchPeriod: requireWholeNumber('batchPeriod', options.batchPeriod ?? 0, 0),
    maxRetries: requireWholeNumber('maxRetries', options.maxRetries ?? 15, 0),
    dryRun,
    ownership,
    disguise,
    withPods: !workloads || workloads.withPods === true,
    tell: options.tell,
  };
}

/** Endpoints and slices refer to a pod by what its cache has for that, where a release writes no more. */
function sharedReferences(profile: Profile): TargetRefOf {
  const made = refersToPod(profile);
  return profile.targetResourceVersionOmitted ? (pod: KnownPod) => pod.reference ?? made(pod) : made;
}

function controllersFrom(asked: readonly ControllerName[] | undefined, { profile }: Settings): readonly ControllerName[] {
  if (!asked) return profile.slicesAreV1 ? ['endpoints', 'endpointslices'] : ['endpoints'];
  const names = [...new Set(asked)];
  const unknown = names.find((name) => name !== 'endpoints' && name !== 'endpointslices');
  if (unknown !== undefined || names.length === 0) {
    throw new RangeError(`controllers is ${JSON.stringify(asked)}: give "endpoints", "endpointslices" or both`);
  }
  if (names.includes('endpointslices') && !profile.slicesAreV1) {
    throw new RangeError(`controllers: version ${profile.version} has no EndpointSlices of discovery.k8s.io/v1: give "endpoints" alone`);
  }
  return names;
}
