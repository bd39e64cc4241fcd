import { canonicalIP, type IPFamily } from '../../apimachinery/index.ts';
import { type PortOperation, startPortOperation } from '../ports.ts';
import type { Given, Refusal } from '../refusals.ts';
import type { Allocation, ServiceAllocators } from './types.ts';

/** All allocations of one write of a Service: allocated immediately, freed on commit after the write, or all reverted on rollback. */
export interface Transaction {
  readonly ports: PortOperation;
  /** Whether the cluster has addresses of a family. */
  has(family: IPFamily): boolean;
  allocateIP(family: IPFamily, address: string): Refusal | undefined;
  allocateNextIP(family: IPFamily): Given<string>;
  releaseIP(family: IPFamily, address: string): void;
  takesHealthCheckPort(port: number): void;
  releasesHealthCheckPort(port: number): void;
  allocated(): Allocation[];
  released(): Allocation[];
  commit(): void;
  rollback(): void;
}

/** Mirrors the transactions of pkg/registry/core/service/storage/alloc.go and transaction.go (1.36). */
export function startTransaction({ clusterIPs, nodePorts }: ServiceAllocators, dryRun: boolean): Transaction {
  const ports = startPortOperation(nodePorts, { dryRun });
  const taken: ClusterIP[] = [];
  const freed: ClusterIP[] = [];
  const healthChecks = { taken: 0, freed: 0 };
  let open = true;
  const ask = (family: IPFamily) => (dryRun ? clusterIPs[family]?.dryRun() : clusterIPs[family]) ?? missing(family);
  const finish = (list: readonly ClusterIP[]): void => {
    if (open && !dryRun) for (const { family, value } of list) clusterIPs[family]?.release(strict(value));
    open = false;
  };
  return {
    ports,
    has: (family) => clusterIPs[family] !== undefined,
    allocateIP: (family, value) => {
      const refusal = ask(family).allocate(strict(value));
      if (!refusal) taken.push({ kind: 'clusterIP', family, value });
      return refusal;
    },
    allocateNextIP: (family) => {
      const given = ask(family).allocateNext();
      if (!given.refusal) taken.push({ kind: 'clusterIP', family, value: given.value });
      return given;
    },
    releaseIP: (family, value) => {
      freed.push({ kind: 'clusterIP', family, value });
    },
    takesHealthCheckPort: (port) => {
      healthChecks.taken = port;
    },
    releasesHealthCheckPort: (port) => {
      healthChecks.freed = port;
    },
    allocated: () => [...taken, ...portsOf(ports.allocated(), healthChecks.taken)],
    released: () => [...freed, ...portsOf(ports.released(), healthChecks.freed)],
    commit: () => {
      finish(freed);
      ports.commit();
    },
    rollback: () => {
      finish(taken);
      ports.rollback();
    },
  };
}

type ClusterIP = Extract<Allocation, { kind: 'clusterIP' }>;

/** Parses addresses of a Service leniently. */
const strict = (address: string): string => canonicalIP(address) ?? address;

/** Unreachable for valid callers: families are checked before any allocation. */
const missing = (family: string): never => {
  throw new RangeError(`no allocator of ${family} cluster IPs`);
};

/** Marks the last occurrence of the health check's port, as it may also be among the node ports. */
function portsOf(list: readonly number[], healthCheck: number): Allocation[] {
  const at = healthCheck === 0 ? -1 : list.lastIndexOf(healthCheck);
  return list.map((value, i) => ({ kind: i === at ? 'healthCheckNodePort' : 'nodePort', value }));
}
