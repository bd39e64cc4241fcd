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
  hasFamily(family: IPFamily): boolean;
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
  const allocatedIPs: ClusterIP[] = [];
  const releasedIPs: ClusterIP[] = [];
  const healthChecks = { allocated: 0, released: 0 };
  let isOpen = true;
  const allocatorOf = (family: IPFamily) => (dryRun ? clusterIPs[family]?.dryRun() : clusterIPs[family]) ?? throwMissingFamily(family);
  const finish = (list: readonly ClusterIP[]): void => {
    if (isOpen && !dryRun) for (const { family, value } of list) clusterIPs[family]?.release(canonicalize(value));
    isOpen = false;
  };
  return {
    ports,
    hasFamily: (family) => clusterIPs[family] !== undefined,
    allocateIP: (family, value) => {
      const refusal = allocatorOf(family).allocate(canonicalize(value));
      if (!refusal) allocatedIPs.push({ kind: 'clusterIP', family, value });
      return refusal;
    },
    allocateNextIP: (family) => {
      const result = allocatorOf(family).allocateNext();
      if (!result.refusal) allocatedIPs.push({ kind: 'clusterIP', family, value: result.value });
      return result;
    },
    releaseIP: (family, value) => {
      releasedIPs.push({ kind: 'clusterIP', family, value });
    },
    recordHealthCheckAllocation: (port) => {
      healthChecks.allocated = port;
    },
    recordHealthCheckRelease: (port) => {
      healthChecks.released = port;
    },
    allocated: () => [...allocatedIPs, ...toPortAllocations(ports.allocated(), healthChecks.allocated)],
    released: () => [...releasedIPs, ...toPortAllocations(ports.released(), healthChecks.released)],
    commit: () => {
      finish(releasedIPs);
      ports.commit();
    },
    rollback: () => {
      finish(allocatedIPs);
      ports.rollback();
    },
  };
}

type ClusterIP = Extract<Allocation, { kind: 'clusterIP' }>;

/** Parses addresses of a Service leniently. */
const canonicalize = (address: string): string => canonicalIP(address) ?? address;

/** Unreachable for valid callers: families are checked before any allocation. */
const throwMissingFamily = (family: string): never => {
  throw new RangeError(`clusterIPs contains no allocator for ${family}`);
};

/**
 * Converts ports to allocations. The last occurrence of the health check's port is its allocation, as a node port may have the same number.
 */
function toPortAllocations(ports: readonly number[], healthCheckPort: number): Allocation[] {
  const healthCheckIndex = healthCheckPort === 0 ? -1 : ports.lastIndexOf(healthCheckPort);
  return ports.map((value, i) => ({ kind: i === healthCheckIndex ? 'healthCheckNodePort' : 'nodePort', value }));
}
