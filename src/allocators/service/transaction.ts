import { canonicalIP, type IPFamily } from '../../apimachinery/index.ts';
import { type PortOperation, startPortOperation } from '../ports.ts';
import type { AllocationResult, Refusal } from '../refusals.ts';
import type { Allocation, ServiceAllocators } from './types.ts';

/**
 * All allocations of one write of a Service. Allocations take effect immediately, and releases on commit. A rollback reverts all of them.
 */
export interface Transaction {
  readonly ports: PortOperation;
  /** Whether the cluster has addresses of a family. */
  has(family: IPFamily): boolean;
  allocateIP(family: IPFamily, address: string): Refusal | undefined;
  allocateNextIP(family: IPFamily): AllocationResult<string>;
  releaseIP(family: IPFamily, address: string): void;
  recordHealthCheckAllocation(port: number): void;
  recordHealthCheckRelease(port: number): void;
  allocated(): Allocation[];
  released(): Allocation[];
  commit(): void;
  rollback(): void;
}

/** Mirrors the transactions of pkg/registry/core/service/storage/alloc.go and transaction.go (1.36). */
export function startTransaction({ clusterIPs, nodePorts }: ServiceAllocators, dryRun: boolean): Transaction {
  const ports = startPortOperation(nodePorts, { dryRun });
  const allocated: ClusterIP[] = [];
  const released: ClusterIP[] = [];
  const healthChecks = { allocated: 0, released: 0 };
  let isOpen = true;
  const allocatorOf = (family: IPFamily) => (dryRun ? clusterIPs[family]?.dryRun() : clusterIPs[family]) ?? throwMissing(family);
  const finish = (list: readonly ClusterIP[]): void => {
    if (isOpen && !dryRun) for (const { family, value } of list) clusterIPs[family]?.release(canonicalize(value));
    isOpen = false;
  };
  return {
    ports,
    has: (family) => clusterIPs[family] !== undefined,
    allocateIP: (family, value) => {
      const refusal = allocatorOf(family).allocate(canonicalize(value));
      if (!refusal) allocated.push({ kind: 'clusterIP', family, value });
      return refusal;
    },
    allocateNextIP: (family) => {
      const result = allocatorOf(family).allocateNext();
      if (!result.refusal) allocated.push({ kind: 'clusterIP', family, value: result.value });
      return result;
    },
    releaseIP: (family, value) => {
      released.push({ kind: 'clusterIP', family, value });
    },
    recordHealthCheckAllocation: (port) => {
      healthChecks.allocated = port;
    },
    recordHealthCheckRelease: (port) => {
      healthChecks.released = port;
    },
    allocated: () => [...allocated, ...portsOf(ports.allocated(), healthChecks.allocated)],
    released: () => [...released, ...portsOf(ports.released(), healthChecks.released)],
    commit: () => {
      finish(released);
      ports.commit();
    },
    rollback: () => {
      finish(allocated);
      ports.rollback();
    },
  };
}

type ClusterIP = Extract<Allocation, { kind: 'clusterIP' }>;

/** Parses addresses of a Service leniently. */
const canonicalize = (address: string): string => canonicalIP(address) ?? address;

/** Unreachable for valid callers: families are checked before any allocation. */
const throwMissing = (family: string): never => {
  throw new RangeError(`clusterIPs contains no allocator for ${family}`);
};

/** Marks the last occurrence of the health check's port, as it may also be among the node ports. */
function portsOf(list: readonly number[], healthCheck: number): Allocation[] {
  const at = healthCheck === 0 ? -1 : list.lastIndexOf(healthCheck);
  return list.map((value, i) => ({ kind: i === at ? 'healthCheckNodePort' : 'nodePort', value }));
}
