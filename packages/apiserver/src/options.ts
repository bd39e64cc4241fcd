import { createPortAllocator, createServiceCIDRs, type Draw, type ServiceAllocators } from 'kube-endpoints/allocators';
import { parseCIDR, requireWholeNumber } from 'kube-endpoints/internal/apimachinery';
import { type ApiObject, resources as portResources, type Resource } from 'kube-endpoints/port';
import type { IPFamily } from 'kube-endpoints/types';
import type { ExtraResource } from './extra-resources.ts';
import type { Faults } from './faults/index.ts';
import { dns1035Label, dns1123Label, dns1123Subdomain } from './formats/names.ts';
import { builtInResources } from './registry/catalog.ts';
import type { Admission, Randomness } from './registry/index.ts';
import type { Clock } from './store/index.ts';
import type { ResolveService } from './webhook-client/index.ts';

/** Options of an embedded API server; all have defaults. */
export interface ApiServerOptions {
  /** Defaults to the system clock. A test can pass a clock that it advances itself. */
  readonly clock?: Clock;
  /** Defaults to the system's randomness. `randomnessFrom(draw)` makes uids, names and addresses repeatable. */
  readonly randomness?: Randomness;
  /** Initial objects, stored as by `load`. */
  readonly objects?: readonly ApiObject[];
  /** Resources that are not built in: all fields are stored, only metadata is validated. */
  readonly resources?: readonly ExtraResource[];
  /** Admission that changes or refuses writes, in order, before the configured webhooks: from `createFunctionAdmission`, or your own. */
  readonly admission?: readonly Admission[];
  /**
   * Authorization of requests over HTTP: with "rbac", by Roles and bindings as `--authorization-mode=RBAC` of kube-apiserver. By default
   * every client with a token may do everything. In-process calls are not authorized.
   */
  readonly authorization?: 'rbac';
  /** Resolves the Service of a webhook configuration to an address. Defaults to one of the Service's endpoints. */
  readonly resolveService?: ResolveService;
  /** Injected faults. */
  readonly faults?: Faults;
  /**
   * Run garbage collection and namespace deletion in the background, as kube-controller-manager does. Default true.
   * Disable it if a real controller manager runs, or if a test calls `settle`.
   */
  readonly background?: boolean;
  /** Record `metadata.managedFields` for in-process writes too. By default only writes over HTTP and server-side apply record them. */
  readonly managedFields?: boolean;
  /**
   * Milliseconds from the last write of an Event to its deletion; 0 keeps Events. Default one hour, as
   * `--event-ttl` of kube-apiserver.
   */
  readonly eventTTL?: number;
  /** Remove pods on a node when their grace period ends, as a kubelet would. Default true. */
  readonly endsPods?: boolean;
  /** One cluster IP range, or one for each IP family; the first sets the default family. Default 10.96.0.0/16 and fd00:10:96::/112. */
  readonly serviceClusterIPRanges?: readonly string[];
  /** Default "30000-32767". */
  readonly serviceNodePortRange?: string;
  /** Maximum number of writes in the event log of watches. Default 100,000. */
  readonly maxEvents?: number;
  /** Approximate maximum memory of the event log, in bytes. Default 64 MiB. */
  readonly maxEventBytes?: number;
  /**
   * Folder in which all objects and resource versions are saved, created if absent. A write is answered when it is on the disk. Default: all objects
   * are only in memory.
   */
  readonly data?: string;
  /** Called with each problem of the folder that refuses no write: it cannot be compacted, and grows until a later attempt succeeds. */
  readonly onDataProblem?: (message: string) => void;
}

export const serviceClusterIPRangesOf = ({ serviceClusterIPRanges }: ApiServerOptions): readonly string[] =>
  serviceClusterIPRanges ?? ['10.96.0.0/16', 'fd00:10:96::/112'];

/** @throws RangeError that names the invalid option */
export function createServiceAllocators(options: ApiServerOptions, draw: Draw): ServiceAllocators {
  const { serviceNodePortRange } = options;
  const ranges = serviceClusterIPRangesOf(options);
  const families = withOptionName('serviceClusterIPRanges', () => ranges.map((cidr) => parseCIDR(cidr).family));
  if (families.length === 0 || new Set(families).size < families.length) {
    throw new RangeError(`serviceClusterIPRanges is ${JSON.stringify(ranges)}: give one range, or one IPv4 and one IPv6 range`);
  }
  return {
    clusterIPs: withOptionName('serviceClusterIPRanges', () =>
      Object.fromEntries(ranges.map((cidr, i) => [families[i] as IPFamily, createServiceCIDRs({ cidrs: [cidr], draw })])),
    ),
    defaultFamily: families[0] as IPFamily,
    nodePorts: withOptionName('serviceNodePortRange', () =>
      createPortAllocator({ draw, ...(serviceNodePortRange !== undefined && { range: serviceNodePortRange }) }),
    ),
  };
}

/** Allocates the addresses and ports of a restored Service. Values outside the ranges, or of two Services, are ignored. */
export function allocateRestored({ spec }: ApiObject, { clusterIPs, nodePorts }: ServiceAllocators): void {
  const { clusterIPs: addresses = [], ports, healthCheckNodePort } = (spec ?? {}) as AllocatedFields;
  for (const address of addresses) if (address !== 'None') clusterIPs[address.includes(':') ? 'IPv6' : 'IPv4']?.allocate(address);
  for (const port of [...(ports ?? []).map(({ nodePort }) => nodePort), healthCheckNodePort]) if (port) nodePorts.allocate(port);
}

/** The fields of a Service that contain allocated values. */
interface AllocatedFields {
  readonly clusterIPs?: readonly string[];
  readonly ports?: readonly { readonly nodePort?: number }[];
  readonly healthCheckNodePort?: number;
}

/** Calls `create`. @throws RangeError with the option's name and the message of the error of `create` */
function withOptionName<T>(option: string, create: () => T): T {
  try {
    return create();
  } catch (error) {
    throw new RangeError(`${option}: ${(error as Error).message}`, { cause: error });
  }
}

/** @throws RangeError that names the invalid option and what to pass */
export function checkApiServerOptions(options: ApiServerOptions): void {
  const { maxEvents, maxEventBytes, eventTTL, objects, resources = [], admission = [], data } = options;
  if (data !== undefined && (typeof data !== 'string' || data === '')) throw new RangeError(`data is ${formatValue(data)}: give a folder`);
  for (const [name, value, min] of [
    ['maxEvents', maxEvents, 1],
    ['maxEventBytes', maxEventBytes, 1],
    ['eventTTL', eventTTL, 0],
  ] as const) {
    if (value !== undefined) requireWholeNumber(name, value, min);
  }
  for (const [name, value] of Object.entries({ objects, resources, admission })) {
    if (value !== undefined && !Array.isArray(value)) throw new RangeError(`${name} is ${formatValue(value)}: give a list`);
  }
  for (const name of ['background', 'managedFields', 'endsPods'] as const) {
    const value: unknown = options[name];
    if (value !== undefined && typeof value !== 'boolean') throw new RangeError(`${name} is ${formatValue(value)}: give true or false`);
  }
  const { authorization }: { readonly authorization?: unknown } = options;
  if (authorization !== undefined && authorization !== 'rbac')
    throw new RangeError(`authorization is ${formatValue(authorization)}: give "rbac", or omit it to allow everything`);
  admission.forEach((each, index) => {
    if (typeof each?.mutate !== 'function' && typeof each?.validate !== 'function') {
      throw new RangeError(`admission[${index}] has neither mutate nor validate: give the result of createFunctionAdmission`);
    }
  });
  const servedPaths = new Set(resources.length === 0 ? [] : builtInResources().map(({ resource }) => pathOf(resource)));
  resources.forEach((each, index) => {
    checkResource(`resources[${index}].resource`, each?.resource);
    const path = pathOf(each.resource);
    if (servedPaths.has(path))
      throw new RangeError(`resources[${index}].resource: ${path} is served already: give another plural, version or group`);
    servedPaths.add(path);
  });
}

/** Checks the fields of an extra resource. Names must be valid in URL paths. @throws RangeError that names the invalid field */
function checkResource(path: string, resource: Resource | undefined): void {
  if (typeof resource !== 'object' || resource === null) {
    throw new RangeError(`${path} is ${formatValue(resource)}: give a resource such as ${JSON.stringify(portResources.pods)}`);
  }
  const fieldRules: readonly (readonly [keyof Resource, (value: string) => boolean, string])[] = [
    ['group', (group) => group === '' || dns1123Subdomain(group).length === 0, 'a DNS name, or "" for the core'],
    ['version', (version) => dns1123Label(version).length === 0, 'a DNS label, as in "v1"'],
    ['plural', (plural) => dns1035Label(plural).length === 0, 'a plural in lower case, as in "pods"'],
    ['kind', (kind) => /^[A-Z][A-Za-z0-9]*$/.test(kind), 'a kind, as in "Pod"'],
  ];
  for (const [field, isValid, hint] of fieldRules) {
    const value = resource[field];
    if (typeof value !== 'string' || !isValid(value)) throw new RangeError(`${path}.${field} is ${formatValue(value)}: give ${hint}`);
  }
  if (typeof resource.namespaced !== 'boolean')
    throw new RangeError(`${path}.namespaced is ${formatValue(resource.namespaced)}: give true or false`);
}

/** For example "example.com/v1/widgets". */
const pathOf = ({ group, version, plural }: Resource): string => [group, version, plural].filter((part) => part !== '').join('/');

/** Formats any value for messages, in short form. */
const formatValue = (value: unknown): string => {
  if (value === undefined || typeof value === 'number') return String(value);
  if (typeof value === 'function') return 'a function';
  try {
    return (JSON.stringify(value) ?? typeof value).slice(0, 80);
  } catch {
    return 'an object';
  }
};
