import { createPortAllocator, createServiceCIDRs, type Draw, type ServiceAllocators } from 'kube-endpoints/allocators';
import { parseCIDR } from 'kube-endpoints/internal';
import type { ApiObject } from 'kube-endpoints/port';
import type { IPFamily } from 'kube-endpoints/types';
import type { ResolveService } from './admission/index.ts';
import type { Faults } from './faults/index.ts';
import type { FurtherResource } from './further.ts';
import type { Admission, Randomness } from './registry/index.ts';
import type { Clock } from './store/index.ts';

/** What an embedded API server is made of. Everything has a default. */
export interface ApiServerOptions {
  /** By default the machine's. A test hands in one that it moves itself. */
  readonly clock?: Clock;
  /** By default the machine's. `randomnessFrom(draw)` makes uids, names and addresses repeatable. */
  readonly randomness?: Randomness;
  /** What is there from the start, as `load` takes it. */
  readonly objects?: readonly ApiObject[];
  /** Resources that are not built in: stored with all their fields, unchecked but for their metadata. */
  readonly resources?: readonly FurtherResource[];
  /** What changes or refuses writes, in order, before the webhooks that are configured: `createFunctionAdmission`, or your own. */
  readonly admission?: readonly Admission[];
  /** Finds the server behind the Service that a webhook names. By default one of the Service's endpoints. */
  readonly resolveService?: ResolveService;
  /** What is to go wrong. */
  readonly faults?: Faults;
  /**
   * Whether garbage collection and the end of namespaces are seen to in the background, as kube-controller-manager does. By default they
   * are. Turn it off where a real one is at work, or where a test calls `settle`.
   */
  readonly background?: boolean;
  /** Whether writes in process keep `metadata.managedFields`, too. By default only those over HTTP, and server-side apply, do. */
  readonly managedFields?: boolean;
  /** Whether pods on a node go when their time to end is over, as if a kubelet had ended them. By default they do. */
  readonly endsPods?: boolean;
  /** The ranges of cluster IPs, the first of the default family: one, or one of each family. By default 10.96.0.0/16 and fd00:10:96::/112. */
  readonly serviceClusterIPRanges?: readonly string[];
  /** By default "30000-32767". */
  readonly serviceNodePortRange?: string;
  /** How many writes the log remembers for watches. By default 100,000. */
  readonly maxEvents?: number;
  /** How many bytes of memory it may hold on to for that, roughly. By default 64 MiB. */
  readonly maxEventBytes?: number;
}

/** @throws RangeError naming the option */
export function allocatorsOf({ serviceClusterIPRanges, serviceNodePortRange }: ApiServerOptions, draw: Draw): ServiceAllocators {
  const ranges = serviceClusterIPRanges ?? ['10.96.0.0/16', 'fd00:10:96::/112'];
  const families = named('serviceClusterIPRanges', () => ranges.map((cidr) => parseCIDR(cidr).family));
  if (families.length === 0 || new Set(families).size < families.length) {
    throw new RangeError(`serviceClusterIPRanges is ${JSON.stringify(ranges)}: give one range, or one IPv4 and one IPv6 range`);
  }
  return {
    clusterIPs: named('serviceClusterIPRanges', () =>
      Object.fromEntries(ranges.map((cidr, i) => [families[i] as IPFamily, createServiceCIDRs({ cidrs: [cidr], draw })])),
    ),
    defaultFamily: families[0] as IPFamily,
    nodePorts: named('serviceNodePortRange', () =>
      createPortAllocator({ draw, ...(serviceNodePortRange !== undefined && { range: serviceNodePortRange }) }),
    ),
  };
}

function named<T>(option: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new RangeError(`${option}: ${(error as Error).message}`, { cause: error });
  }
}
