import type { IPBitmap } from '../../../../src/allocators/addresses/bitmap.ts';
import {
  type AllocatableService,
  beginCreate,
  beginDelete,
  beginUpdate,
  createIPBitmap,
  createPortAllocator,
  type ServiceAllocators,
  type ServiceFailure,
  validateClusterIPsUpdate,
} from '../../../../src/allocators/index.ts';
import { defaultOnRead } from '../../../../src/allocators/service/begin.ts';
import type { IPFamily } from '../../../../src/types/index.ts';

export interface AllocationCase {
  readonly id: string;
  readonly cidrs: readonly string[];
  readonly defaultFamily: IPFamily;
  readonly ports: string;
  readonly steps: readonly Step[];
}

interface Step {
  readonly name: string;
  /** Null if the Service is deleted. */
  readonly service: AllocatableService | null;
  readonly dryRun?: boolean;
}

/** The result of a step: the Service spec or the error, and all allocated values afterwards. */
export interface Outcome {
  /** Refused by validation before any allocation, up to 1.22; the library is not called. */
  readonly skip?: boolean;
  readonly spec?: object;
  readonly reason?: string;
  readonly message?: string;
  readonly causes?: readonly object[];
  /** Validation errors for a change of cluster IPs and families. */
  readonly late?: readonly object[];
  /** ExternalName with cluster IPs or families, which validation refuses. */
  readonly refused?: boolean;
  readonly ips: readonly string[];
  readonly ports: readonly number[];
}

type StepResult = Omit<Outcome, 'ips' | 'ports'>;

interface AllocatorState {
  readonly version: string;
  readonly allocators: ServiceAllocators;
  readonly storedServices: Map<string, AllocatableService>;
}

/** Replays each step with the library; draws always return the lowest value, as in the Go program that recorded the results. */
export function replay({ cidrs, defaultFamily, ports, steps }: AllocationCase, version: string, recorded: readonly Outcome[]): Outcome[] {
  const dualStack = hasDualStackFields(version);
  const draw = (bound: number): number => {
    if (!(Number.isInteger(bound) && bound > 0 && bound <= 2 ** 32)) throw new RangeError(`a number is drawn below ${bound}`);
    return 0;
  };
  const ranges = cidrs.slice(0, dualStack ? 2 : 1).map((cidr) => createIPBitmap({ cidr, draw, version }));
  const clusterIPs = Object.fromEntries(ranges.map((range) => [range.family, range]));
  const nodePorts = createPortAllocator({ range: ports, draw, version });
  const family = dualStack ? defaultFamily : (ranges[0]?.family ?? 'IPv4');
  const state: AllocatorState = { version, allocators: { clusterIPs, defaultFamily: family, nodePorts }, storedServices: new Map() };
  return steps.map((step, i) => ({
    ...(step.service ? write(state, step, readService(step, dualStack), recorded[i]?.skip ?? false) : remove(state, step)),
    ips: ranges.flatMap(listOf),
    ports: portsOf(state.allocators),
  }));
}

/** Removes what the server adds to a result: the combined message of causes, and empty fields. */
export function normalize({ spec, causes, message, ...rest }: Outcome): Outcome {
  const details = rest.reason === 'Invalid' ? { causes } : { message };
  return { ...rest, ...(rest.reason ? details : {}), ...(spec ? { spec: specOf({ spec }) } : {}) } as Outcome;
}

const hasDualStackFields = (version: string): boolean => version !== '1.17.4';

/** 1.17 drops these unknown fields when it reads a Service. */
const fieldsUnknownIn117 = [
  'ipFamilies',
  'ipFamilyPolicy',
  'clusterIPs',
  'internalTrafficPolicy',
  'allocateLoadBalancerNodePorts',
  'loadBalancerClass',
];

function readService({ name, service }: Step, dualStack: boolean): AllocatableService {
  const entries = Object.entries(service?.spec ?? {}).filter(([field]) => dualStack || !fieldsUnknownIn117.includes(field));
  return { metadata: { name }, spec: Object.fromEntries(entries) };
}

function write(
  { version, allocators, storedServices }: AllocatorState,
  { name, dryRun = false }: Step,
  service: AllocatableService,
  skip: boolean,
): StepResult {
  const options = { version, dryRun };
  const old = storedServices.get(name);
  if (skip) return { skip, ...optionalList('late', old ? validateClusterIPsUpdate(service, old, options) : []) };
  const operation = old ? beginUpdate(service, old, allocators, options) : beginCreate(service, allocators, options);
  if (operation.failure) return asStatus(operation.failure);
  const late = old ? validateClusterIPsUpdate(operation.service, defaultOnRead(old, allocators, options), options) : [];
  const refused = hasDualStackFields(version) && isRefused(operation.service);
  if (late.length > 0 || refused) {
    operation.rollback();
    return { ...optionalList('late', late), ...(refused ? { refused } : {}), spec: specOf(operation.service) };
  }
  operation.commit();
  if (!dryRun) storedServices.set(name, operation.service);
  return { spec: specOf(operation.service) };
}

function isRefused({ spec }: AllocatableService): boolean {
  const fields = [spec?.clusterIP, ...(spec?.clusterIPs ?? []), ...(spec?.ipFamilies ?? []), spec?.ipFamilyPolicy];
  return spec?.type === 'ExternalName' && fields.some(Boolean);
}

function remove({ version, allocators, storedServices }: AllocatorState, { name }: Step): StepResult {
  const old = storedServices.get(name);
  if (old) beginDelete(old, allocators, { version }).commit();
  storedServices.delete(name);
  return {};
}

function asStatus(failure: ServiceFailure): StepResult {
  if (failure.reason === 'Invalid') return { reason: failure.reason, causes: failure.causes };
  const prefix = failure.reason === 'InternalError' ? 'Internal error occurred: ' : '';
  return { reason: failure.reason, message: `${prefix}${failure.message}` };
}

const optionalList = (field: 'late', list: readonly object[]): StepResult => (list.length > 0 ? { [field]: list } : {});

/** Drops empty values except false, so that absent, 0 and an empty list are equal. */
function specOf({ spec }: { readonly spec?: AllocatableService['spec'] }): object {
  const isEmpty = (value: unknown): boolean => !value || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(spec ?? {}).filter(([, value]) => value === false || !isEmpty(value)));
}

function listOf(range: IPBitmap): string[] {
  const list: string[] = [];
  range.forEach((address) => {
    list.push(address);
  });
  return list;
}

function portsOf({ nodePorts }: ServiceAllocators): number[] {
  const list: number[] = [];
  nodePorts.forEach((port) => {
    list.push(port);
  });
  return list;
}
